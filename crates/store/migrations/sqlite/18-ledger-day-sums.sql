-- What the ledger posted on each day that has ended, by operator, type and network, for the books of a month. No payment
-- writes it: whoever reads a month sums up the days that ended since the last time. Rows are only inserted.
CREATE TABLE ledger_day_sums (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    mode       TEXT   NOT NULL CHECK (mode IN ('test', 'live')),
    -- The day on which the entries were posted, in days since 1970 (UTC).
    day        INTEGER NOT NULL,
    -- The operator's name in the settings, and what tells it apart; both empty for the sandbox.
    operator             TEXT NOT NULL,
    operator_fingerprint TEXT NOT NULL,
    -- CHARGE, PAYOUT or REFUND.
    type       TEXT   NOT NULL,
    network    TEXT   NOT NULL,
    -- How many transactions began to move the merchant's money, less those that were posted back.
    payments   INTEGER NOT NULL,
    entries    INTEGER NOT NULL,
    operator_float INTEGER NOT NULL,
    in_transit     INTEGER NOT NULL,
    fees           INTEGER NOT NULL,
    merchant       INTEGER NOT NULL,
    refunds        INTEGER NOT NULL,
    suspense       INTEGER NOT NULL,
    PRIMARY KEY (account_id, mode, day, operator, operator_fingerprint, type, network)
) STRICT, WITHOUT ROWID;

-- The last day, and the days of a month over all accounts.
CREATE INDEX ledger_day_sums_by_day ON ledger_day_sums (day);

-- The days of the sandbox. ledger_entries_by_operator has the others. No live payment writes it.
CREATE INDEX ledger_entries_of_sandbox ON ledger_entries (at) WHERE operator IS NULL;
