-- Times are milliseconds since 1970-01-01T00:00:00Z; amounts are whole pesewas: as in SQLite, column by
-- column, so that `tua copy` copies and does not translate. Ids compare by their bytes, as they do there.

CREATE TABLE accounts (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    mode         TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    generation   TEXT NOT NULL CHECK (generation IN ('v1', 'v2')),
    -- SHA-256 of the whole key; the key itself is nowhere.
    digest       BYTEA NOT NULL CONSTRAINT api_keys_digest UNIQUE,
    last_four    TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    -- Right to the minute.
    last_used_at BIGINT,
    -- From when on it opens nothing; set when it is rotated.
    expires_at   BIGINT,
    revoked_at   BIGINT
);

CREATE TABLE checkouts (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    mode         TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    -- The token is derived from this and the server key; it is stored as a digest only.
    seed         BYTEA NOT NULL,
    token_digest BYTEA NOT NULL CONSTRAINT checkouts_token_digest UNIQUE,
    amount       BIGINT NOT NULL CHECK (amount > 0),
    reference    TEXT NOT NULL,
    email        TEXT NOT NULL,
    metadata     TEXT,
    return_url   TEXT,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    -- When the merchant is to be told that it expired unpaid; absent once that is settled.
    expiry_due   BIGINT,
    -- When it expired without any charge; only such a session is ever forgotten.
    unused_since BIGINT
);

CREATE INDEX checkouts_expiring ON checkouts (expiry_due) WHERE expiry_due IS NOT NULL;
CREATE INDEX checkouts_unused ON checkouts (unused_since) WHERE unused_since IS NOT NULL;

-- Derived from transaction_events, so that a read is one row.
CREATE TABLE transactions (
    id                 TEXT COLLATE "C" PRIMARY KEY,
    account_id         TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    mode               TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    kind               TEXT NOT NULL CHECK (kind IN ('CHARGE', 'PAYOUT')),
    amount             BIGINT NOT NULL CHECK (amount > 0),
    network            TEXT NOT NULL,
    phone              TEXT NOT NULL,
    reference          TEXT NOT NULL,
    checkout_id        TEXT COLLATE "C" REFERENCES checkouts (id),
    email              TEXT,
    metadata           TEXT,
    payer_message      TEXT,
    payee_note         TEXT,
    status             TEXT NOT NULL CHECK (status IN ('PENDING', 'SUCCESSFUL', 'FAILED')),
    next_action        TEXT NOT NULL,
    failure            TEXT,
    code_attempts      BIGINT NOT NULL,
    conflict_observed  TEXT,
    conflict_at        BIGINT,
    reversed_at        BIGINT,
    version            BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    -- When the operator is to be asked next; absent once final or flagged for review.
    ask_at             BIGINT,
    asks               BIGINT NOT NULL DEFAULT 0,
    review_at          BIGINT,
    -- When it had been pending for too long, and the merchant was told.
    delayed_at         BIGINT
);

CREATE INDEX transactions_by_age ON transactions (account_id, mode, created_at, id);
CREATE INDEX transactions_by_reference ON transactions (account_id, mode, reference, created_at, id);
CREATE INDEX transactions_by_checkout ON transactions (checkout_id, id) WHERE checkout_id IS NOT NULL;
CREATE INDEX transactions_due ON transactions (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX transactions_flagged ON transactions (review_at) WHERE review_at IS NOT NULL AND status = 'PENDING';
CREATE INDEX transactions_undelayed ON transactions (created_at) WHERE status = 'PENDING' AND delayed_at IS NULL;

CREATE TABLE transaction_events (
    transaction_id TEXT COLLATE "C" NOT NULL REFERENCES transactions (id),
    version        BIGINT NOT NULL,
    at             BIGINT NOT NULL,
    event          TEXT NOT NULL,
    PRIMARY KEY (transaction_id, version)
);

-- What the sandbox operator remembers; a real operator keeps this in its own house.
CREATE TABLE sandbox_orders (
    reference        TEXT PRIMARY KEY,
    kind             TEXT NOT NULL,
    network          TEXT NOT NULL,
    phone            TEXT NOT NULL,
    amount           BIGINT NOT NULL,
    merchant         TEXT NOT NULL,
    message          TEXT,
    received_at      BIGINT NOT NULL,
    code_accepted_at BIGINT,
    decision         TEXT,
    decided_at       BIGINT,
    cancelled_at     BIGINT
);

CREATE INDEX sandbox_orders_by_time ON sandbox_orders (received_at);

-- Written to for no other reason than to see that it can be.
CREATE TABLE readiness (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    at  BIGINT NOT NULL
);

-- What was asked for under an idempotency key, and what was answered once it was.
CREATE TABLE attempts (
    scope         TEXT NOT NULL,
    key           TEXT NOT NULL,
    fingerprint   BYTEA NOT NULL,
    -- The id of the transaction or session that it is about.
    subject       TEXT NOT NULL,
    -- What the first response showed: the transaction at this version, and for a code the verdict. NULL before it.
    version       BIGINT,
    verdict       TEXT,
    -- The process that runs it. Without a response, an attempt of a process that has ended was cut off by a crash.
    instance      TEXT NOT NULL,
    running_until BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);

CREATE INDEX attempts_by_age ON attempts (created_at);

-- How often phones were prompted and codes guessed: token buckets that count across nodes and restarts.
CREATE TABLE buckets (
    name    TEXT COLLATE "C" PRIMARY KEY,
    -- When it is full again, in microseconds since 1970.
    full_at BIGINT NOT NULL
);

CREATE INDEX buckets_full ON buckets (full_at);

-- Where merchants hear of events.
CREATE TABLE webhook_endpoints (
    id               TEXT COLLATE "C" PRIMARY KEY,
    account_id       TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    mode             TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    url              TEXT NOT NULL,
    -- Both secrets are encrypted with the server key.
    secret           BYTEA NOT NULL,
    old_secret       BYTEA,
    old_secret_until BIGINT,
    created_at       BIGINT NOT NULL,
    disabled_at      BIGINT
);

CREATE INDEX webhook_endpoints_by_scope ON webhook_endpoints (account_id, mode);

-- The outbox: what an endpoint is to hear, written together with what it is about.
CREATE TABLE webhook_deliveries (
    id           TEXT COLLATE "C" PRIMARY KEY,
    endpoint_id  TEXT COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id),
    -- The same for every endpoint that hears of the event.
    webhook_id   TEXT NOT NULL,
    type         TEXT NOT NULL,
    -- A transaction as of this version, a session, or (ping) the endpoint.
    subject      TEXT NOT NULL,
    version      BIGINT,
    occurred_at  BIGINT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
    attempts     BIGINT NOT NULL DEFAULT 0,
    -- When it is to be sent next; absent once delivered or given up.
    due_at       BIGINT,
    attempted_at BIGINT,
    -- What the last attempt was answered, or why it was not.
    http_status  BIGINT,
    fault        TEXT
);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (attempted_at) WHERE due_at IS NULL;

-- What the nodes must agree about: the digest of their server key.
CREATE TABLE server_key (
    one    BIGINT PRIMARY KEY CHECK (one = 1),
    digest BYTEA NOT NULL
);

-- One life of the server. It empties this table, as every unlogged one, when it recovers from a crash or takes over
-- from another: from then on numbers of transactions that never reached its disk are given out again.
CREATE UNLOGGED TABLE server_incarnations (
    one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one),
    id  UUID NOT NULL DEFAULT gen_random_uuid()
);
