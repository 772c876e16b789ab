-- Operators that people of an account connected in the dashboard
-- (docs/reference/operators.md#operators-of-the-dashboard).
CREATE TABLE connected_operators (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    name        TEXT NOT NULL,
    connector   TEXT NOT NULL,
    -- Encrypted with the server key, for this account and id. In force once checked_at is set.
    credentials BLOB NOT NULL,
    -- The next credentials, which wait for their check.
    replacement BLOB,
    -- Networks and directions, such as "MTN:CHARGE TELECEL:CHARGE".
    routes      TEXT NOT NULL,
    -- The entry whose place this one takes with its first successful check.
    supersedes  TEXT REFERENCES connected_operators (id),
    version     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    checked_at  INTEGER,
    retired_at  INTEGER,
    CONSTRAINT connected_operators_name UNIQUE (account_id, name)
) STRICT, WITHOUT ROWID;
