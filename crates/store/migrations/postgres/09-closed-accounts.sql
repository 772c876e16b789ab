-- Days are closed for an operator account, which its fingerprint tells apart: an entry of the settings can be renamed, and
-- its name can be given to another account. During a rolling upgrade, older nodes go on reading; closing a day on one of
-- them fails, because it does not write the fingerprint.
ALTER TABLE closed_days ADD COLUMN operator_fingerprint TEXT COLLATE "C";

-- The account that the name stood for on that day, by the latest entry, or else by a statement.
UPDATE closed_days SET operator_fingerprint = coalesce(
    (SELECT transactions.operator_fingerprint
     FROM ledger_entries JOIN transactions ON transactions.id = ledger_entries.transaction_id
     WHERE ledger_entries.operator = closed_days.operator AND ledger_entries.at < (closed_days.day + 1) * 86400000
     ORDER BY ledger_entries.at DESC LIMIT 1),
    (SELECT statements.operator_fingerprint FROM statements
     WHERE statements.operator = closed_days.operator ORDER BY statements.id LIMIT 1),
    operator);

-- Where a renamed entry closed a day again, the first closing counts.
DELETE FROM closed_days AS later USING closed_days AS first
WHERE later.operator_fingerprint = first.operator_fingerprint AND later.day = first.day
  AND (later.closed_at, later.operator) > (first.closed_at, first.operator);

ALTER TABLE closed_days ALTER COLUMN operator_fingerprint SET NOT NULL;
ALTER TABLE closed_days DROP CONSTRAINT closed_days_pkey;
ALTER TABLE closed_days ADD PRIMARY KEY (operator_fingerprint, day);
