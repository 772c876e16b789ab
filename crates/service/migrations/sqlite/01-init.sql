-- Times are milliseconds since 1970-01-01T00:00:00Z; amounts are whole pesewas.
--
-- Tables that grow keep their rows in the order in which they came, so that many new rows share a page. WITHOUT ROWID
-- is for the small ones only: a tree that is ordered by text splits in its middle, and writes three pages for one row.

CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id),
    mode         TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    generation   TEXT NOT NULL CHECK (generation IN ('v1', 'v2')),
    -- SHA-256 of the whole key; the key itself is nowhere.
    digest       BLOB NOT NULL CONSTRAINT api_keys_digest UNIQUE,
    last_four    TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    -- Right to the minute.
    last_used_at INTEGER,
    -- From when on it opens nothing; set when it is rotated.
    expires_at   INTEGER,
    revoked_at   INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE checkouts (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id),
    mode         TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    -- The token is derived from this and the server key; it is stored as a digest only.
    seed         BLOB NOT NULL,
    token_digest BLOB NOT NULL CONSTRAINT checkouts_token_digest UNIQUE,
    amount       INTEGER NOT NULL CHECK (amount > 0),
    reference    TEXT NOT NULL,
    email        TEXT NOT NULL,
    metadata     TEXT,
    return_url   TEXT,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    -- When the merchant is to be told that it expired unpaid; absent once that is settled.
    expiry_due   INTEGER,
    -- When it expired without any charge; only such a session is ever forgotten.
    unused_since INTEGER
) STRICT;

CREATE INDEX checkouts_expiring ON checkouts (expiry_due) WHERE expiry_due IS NOT NULL;
CREATE INDEX checkouts_unused ON checkouts (unused_since) WHERE unused_since IS NOT NULL;

-- Derived from transaction_events, so that a read is one row.
CREATE TABLE transactions (
    id                 TEXT PRIMARY KEY,
    account_id         TEXT NOT NULL REFERENCES accounts (id),
    mode               TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    kind               TEXT NOT NULL CHECK (kind IN ('CHARGE', 'PAYOUT')),
    amount             INTEGER NOT NULL CHECK (amount > 0),
    network            TEXT NOT NULL,
    phone              TEXT NOT NULL,
    reference          TEXT NOT NULL,
    checkout_id        TEXT REFERENCES checkouts (id),
    email              TEXT,
    metadata           TEXT,
    payer_message      TEXT,
    payee_note         TEXT,
    status             TEXT NOT NULL CHECK (status IN ('PENDING', 'SUCCESSFUL', 'FAILED')),
    next_action        TEXT NOT NULL,
    failure            TEXT,
    code_attempts      INTEGER NOT NULL,
    conflict_observed  TEXT,
    conflict_at        INTEGER,
    reversed_at        INTEGER,
    version            INTEGER NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    -- When the operator is to be asked next; absent once final or flagged for review.
    ask_at             INTEGER,
    asks               INTEGER NOT NULL DEFAULT 0,
    review_at          INTEGER,
    -- When it had been pending for too long, and the merchant was told.
    delayed_at         INTEGER
) STRICT;

CREATE INDEX transactions_by_age ON transactions (account_id, mode, created_at, id);
CREATE INDEX transactions_by_reference ON transactions (account_id, mode, reference, created_at, id);
CREATE INDEX transactions_by_checkout ON transactions (checkout_id, id) WHERE checkout_id IS NOT NULL;
CREATE INDEX transactions_due ON transactions (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX transactions_flagged ON transactions (review_at) WHERE review_at IS NOT NULL AND status = 'PENDING';
CREATE INDEX transactions_undelayed ON transactions (created_at) WHERE status = 'PENDING' AND delayed_at IS NULL;

CREATE TABLE transaction_events (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    version        INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    event          TEXT NOT NULL,
    PRIMARY KEY (transaction_id, version)
) STRICT;

-- What the sandbox operator remembers; a real operator keeps this in its own house.
CREATE TABLE sandbox_orders (
    reference        TEXT PRIMARY KEY,
    kind             TEXT NOT NULL,
    network          TEXT NOT NULL,
    phone            TEXT NOT NULL,
    amount           INTEGER NOT NULL,
    merchant         TEXT NOT NULL,
    message          TEXT,
    received_at      INTEGER NOT NULL,
    code_accepted_at INTEGER,
    decision         TEXT,
    decided_at       INTEGER,
    cancelled_at     INTEGER
) STRICT;

CREATE INDEX sandbox_orders_by_time ON sandbox_orders (received_at);

-- Written to for no other reason than to see that it can be.
CREATE TABLE readiness (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;

-- What was asked for under an idempotency key, and what was answered once it was.
CREATE TABLE attempts (
    scope         TEXT NOT NULL,
    key           TEXT NOT NULL,
    fingerprint   BLOB NOT NULL,
    -- The id of the transaction or session that it is about.
    subject       TEXT NOT NULL,
    -- What the first response showed: the transaction at this version, and for a code the verdict. NULL before it.
    version       INTEGER,
    verdict       TEXT,
    -- The process that runs it. Without a response, an attempt of a process that has ended was cut off by a crash.
    instance      TEXT NOT NULL,
    running_until INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT;

CREATE INDEX attempts_by_age ON attempts (created_at);

-- How often phones were prompted and codes guessed: token buckets that count across nodes and restarts.
CREATE TABLE buckets (
    name    TEXT PRIMARY KEY,
    -- When it is full again, in microseconds since 1970.
    full_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX buckets_full ON buckets (full_at);

-- Where merchants hear of events.
CREATE TABLE webhook_endpoints (
    id               TEXT PRIMARY KEY,
    account_id       TEXT NOT NULL REFERENCES accounts (id),
    mode             TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    url              TEXT NOT NULL,
    -- Both secrets are encrypted with the server key.
    secret           BLOB NOT NULL,
    old_secret       BLOB,
    old_secret_until INTEGER,
    created_at       INTEGER NOT NULL,
    disabled_at      INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_endpoints_by_scope ON webhook_endpoints (account_id, mode);

-- The outbox: what an endpoint is to hear, written together with what it is about.
CREATE TABLE webhook_deliveries (
    id           TEXT PRIMARY KEY,
    endpoint_id  TEXT NOT NULL REFERENCES webhook_endpoints (id),
    -- The same for every endpoint that hears of the event.
    webhook_id   TEXT NOT NULL,
    type         TEXT NOT NULL,
    -- A transaction as of this version, a session, or (ping) the endpoint.
    subject      TEXT NOT NULL,
    version      INTEGER,
    occurred_at  INTEGER NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
    attempts     INTEGER NOT NULL DEFAULT 0,
    -- When it is to be sent next; absent once delivered or given up.
    due_at       INTEGER,
    attempted_at INTEGER,
    -- What the last attempt was answered, or why it was not.
    http_status  INTEGER,
    fault        TEXT
) STRICT;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (attempted_at) WHERE due_at IS NULL;
