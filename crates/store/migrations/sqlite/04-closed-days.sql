-- Closed days of operators (docs/reference/statements.md). Rows are only inserted.
CREATE TABLE closed_days (
    -- The operator's name in the settings.
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
    PRIMARY KEY (operator, day)
) STRICT;

CREATE INDEX ledger_entries_by_operator ON ledger_entries (operator, at) WHERE operator IS NOT NULL;
