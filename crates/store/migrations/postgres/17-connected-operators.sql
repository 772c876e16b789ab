-- Operators that people of an account connected in the dashboard
-- (docs/reference/operators.md#operators-of-the-dashboard).
CREATE TABLE connected_operators (
    id          TEXT COLLATE "C" PRIMARY KEY,
    account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    name        TEXT COLLATE "C" NOT NULL,
    connector   TEXT COLLATE "C" NOT NULL,
    -- Encrypted with the server key, for this account and id. In force once checked_at is set.
    credentials BYTEA NOT NULL,
    -- The next credentials, which wait for their check.
    replacement BYTEA,
    -- Networks and directions, such as "MTN:CHARGE TELECEL:CHARGE".
    routes      TEXT COLLATE "C" NOT NULL,
    -- The entry whose place this one takes with its first successful check.
    supersedes  TEXT COLLATE "C" REFERENCES connected_operators (id),
    version     BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    checked_at  BIGINT,
    retired_at  BIGINT,
    CONSTRAINT connected_operators_name UNIQUE (account_id, name)
);
