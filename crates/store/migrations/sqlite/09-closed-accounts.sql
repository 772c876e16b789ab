-- Days are closed for an operator account, which its fingerprint tells apart: an entry of the settings can be renamed, and
-- its name can be given to another account. SQLite changes a primary key only with a new table.
CREATE TABLE closed_days_new (
    -- The operator's name in the settings when the day was closed.
    operator  TEXT NOT NULL,
    -- In days since 1970 (UTC).
    day       INTEGER NOT NULL,
    closed_at INTEGER NOT NULL,
    -- Who closed it, as the audit log names the person.
    closed_by TEXT NOT NULL,
    -- The figures as JSON.
    report    TEXT NOT NULL,
    -- SHA-256 of the entries and lines that the figures were made from.
    digest    BLOB NOT NULL,
    operator_fingerprint TEXT NOT NULL,
    PRIMARY KEY (operator_fingerprint, day)
) STRICT;

-- The account that the name stood for on that day, by the latest entry, or else by a statement. Where a renamed entry closed
-- a day again, the first closing counts.
INSERT OR IGNORE INTO closed_days_new (operator, day, closed_at, closed_by, report, digest, operator_fingerprint)
SELECT operator, day, closed_at, closed_by, report, digest, coalesce(
    (SELECT transactions.operator_fingerprint
     FROM ledger_entries JOIN transactions ON transactions.id = ledger_entries.transaction_id
     WHERE ledger_entries.operator = closed_days.operator AND ledger_entries.at < (closed_days.day + 1) * 86400000
     ORDER BY ledger_entries.at DESC LIMIT 1),
    (SELECT statements.operator_fingerprint FROM statements
     WHERE statements.operator = closed_days.operator ORDER BY statements.id LIMIT 1),
    operator)
FROM closed_days ORDER BY closed_at, operator;

DROP TABLE closed_days;
ALTER TABLE closed_days_new RENAME TO closed_days;
