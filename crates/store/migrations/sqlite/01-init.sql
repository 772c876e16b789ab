-- Times are milliseconds since 1970-01-01T00:00:00Z; amounts are whole pesewas.
--
-- A large table keeps the rowid, so that new rows are appended and share pages, unless its key is in the order of time as
-- the ids of transactions are: then WITHOUT ROWID saves the index of the key. Before 2026-11-28 all large tables had the
-- rowid, and databases of that time keep it; nothing reads it.

CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    -- How its pages look to payers: a colour as #rrggbb, and the name of its logo.
    accent     TEXT,
    logo       TEXT,
    created_at INTEGER NOT NULL,
    -- Since when no new payment or session can begin.
    suspended_at INTEGER
) STRICT, WITHOUT ROWID;

-- The logo of an account as it is served: a PNG file, named by its SHA-256.
CREATE TABLE account_logos (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    name       TEXT NOT NULL,
    png        BLOB NOT NULL
) STRICT;

CREATE INDEX account_logos_by_name ON account_logos (name);

CREATE TABLE api_keys (
    id                TEXT PRIMARY KEY,
    account_id        TEXT NOT NULL REFERENCES accounts (id),
    mode              TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    name              TEXT,
    generation        TEXT NOT NULL CHECK (generation IN ('v1', 'v2')),
    -- What it may do, separated by commas.
    scopes            TEXT NOT NULL,
    -- The networks from which it may be used, separated by commas; NULL for everywhere.
    allowed_addresses TEXT,
    -- SHA-256 of the whole key; the key itself is not stored.
    digest            BLOB NOT NULL CONSTRAINT api_keys_digest UNIQUE,
    last_four         TEXT NOT NULL,
    created_at        INTEGER NOT NULL,
    -- Accurate to the minute.
    last_used_at      INTEGER,
    -- When the key becomes invalid; NULL if it does not expire.
    expires_at        INTEGER,
    revoked_at        INTEGER
) STRICT, WITHOUT ROWID;

-- Limits of the payouts and refunds of an account and mode, in pesewas. NULL: no limit.
CREATE TABLE payout_controls (
    account_id            TEXT NOT NULL REFERENCES accounts (id),
    mode                  TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    payout_limit          INTEGER CHECK (payout_limit >= 0),
    payout_daily_limit    INTEGER CHECK (payout_daily_limit >= 0),
    payout_approval_above INTEGER CHECK (payout_approval_above >= 0),
    refund_approval_above INTEGER CHECK (refund_approval_above >= 0),
    PRIMARY KEY (account_id, mode)
) STRICT, WITHOUT ROWID;

-- Payment links: pages at which anybody who has the code opens a checkout session.
CREATE TABLE payment_links (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    mode        TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    -- What payers type: 8 characters.
    code        TEXT NOT NULL CONSTRAINT payment_links_code UNIQUE,
    title       TEXT NOT NULL,
    description TEXT,
    -- NULL where the payer chooses the amount, between the next two, if they are set.
    amount      INTEGER CHECK (amount > 0),
    min_amount  INTEGER CHECK (min_amount > 0),
    max_amount  INTEGER CHECK (max_amount > 0),
    uses        TEXT NOT NULL CHECK (uses IN ('many', 'single')),
    reference   TEXT NOT NULL,
    metadata    TEXT,
    created_at  INTEGER NOT NULL,
    -- When it ends; NULL for never.
    expires_at  INTEGER,
    -- When it was closed; NULL again once it is reopened.
    closed_at   INTEGER,
    -- When a link for one payment was paid.
    used_at     INTEGER,
    -- The key that created it; NULL if a person or the command line did.
    created_by  TEXT REFERENCES api_keys (id)
) STRICT;

CREATE INDEX payment_links_by_account ON payment_links (account_id, mode, id);
CREATE INDEX payment_links_by_key ON payment_links (created_by) WHERE created_by IS NOT NULL;

CREATE TABLE checkouts (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id),
    mode         TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    -- The token is derived from this and the server key; it is stored as a digest only.
    seed         BLOB NOT NULL,
    token_digest BLOB NOT NULL CONSTRAINT checkouts_token_digest UNIQUE,
    amount       INTEGER NOT NULL CHECK (amount > 0),
    reference    TEXT NOT NULL,
    -- NULL if a payment link opened it.
    email        TEXT,
    metadata     TEXT,
    return_url   TEXT,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    -- It takes no new charge from then on: when it was closed, or when its payment link ends.
    closed_at    INTEGER,
    -- The key that created it; NULL if a payment link did.
    created_by   TEXT REFERENCES api_keys (id),
    -- The payment link that opened it.
    link_id      TEXT REFERENCES payment_links (id),
    -- When to check whether the session ended unpaid; NULL once that is decided.
    expiry_due   INTEGER,
    -- When it expires, if it ended without a charge. Only such sessions are deleted, after their retention period.
    unused_since INTEGER
) STRICT;

CREATE INDEX checkouts_expiring ON checkouts (expiry_due) WHERE expiry_due IS NOT NULL;
-- The sessions of a payment link that have not ended.
CREATE INDEX checkouts_by_link ON checkouts (link_id) WHERE link_id IS NOT NULL AND expiry_due IS NOT NULL;
CREATE INDEX checkouts_unused ON checkouts (unused_since) WHERE unused_since IS NOT NULL;

-- Batches of payouts. The lines of a batch are the transactions that name it.
CREATE TABLE payout_batches (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    mode       TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    reference  TEXT NOT NULL,
    -- Who asked for it: a key, or a person in the dashboard.
    key_id     TEXT,
    user_id    TEXT,
    -- The lines that repeat earlier payouts, as JSON: [[index, transaction], …].
    warnings   TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX payout_batches_by_scope ON payout_batches (account_id, mode, id);

-- Derived from transaction_events, so that a read needs one row.
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
    -- Not IN, which makes a temporary table of more than two values in each write.
    status             TEXT NOT NULL CHECK (status = 'PENDING' OR status = 'SUCCESSFUL' OR status = 'FAILED'),
    next_action        TEXT NOT NULL,
    failure            TEXT,
    code_attempts      INTEGER NOT NULL,
    -- Codes whose verdict is stored, or can not come any more. The others are in flight, on this node or another.
    codes_settled      INTEGER NOT NULL DEFAULT 0,
    conflict_observed  TEXT,
    conflict_at        INTEGER,
    -- What a review found: SUCCESSFUL or FAILED. NULL until one has decided.
    conflict_decision  TEXT,
    -- When the operator first reported that the payer disputes the charge, and what a review found.
    disputed_at        INTEGER,
    dispute_decision   TEXT,
    reversed_at        INTEGER,
    version            INTEGER NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    -- When its order was marked as handed over to the operator, before its first byte was sent. NULL: certainly not sent.
    handed_over_at     INTEGER,
    -- The key that asked for a payout.
    key_id             TEXT,
    -- 1 if a person must approve it before it is sent.
    needs_approval     INTEGER NOT NULL DEFAULT 0,
    -- When it ends without an approval; NULL unless it waits for one.
    approval_due       INTEGER,
    approved_at        INTEGER,
    -- When to look at an order that is not handed over: to send it, or to end it. NULL once it is handed over or final.
    send_at            INTEGER,
    -- The deadline of the last repeated send; NULL where the order was sent once at most.
    send_deadline      INTEGER,
    -- When the operator first responded that it has the order. After that it is never sent again.
    acknowledged_at    INTEGER,
    -- When to query the operator's status next; NULL once the transaction is final, and while it is not handed over.
    ask_at             INTEGER,
    asks               INTEGER NOT NULL DEFAULT 0,
    review_at          INTEGER,
    -- When the webhook for a delayed transaction was inserted.
    delayed_at         INTEGER,
    -- The operator's name in the settings, and what tells it apart: NULL and empty in the sandbox, and before one is chosen.
    operator                TEXT,
    operator_fingerprint    TEXT NOT NULL DEFAULT '',
    -- What the operator reported: the id in the payer's SMS, another id that later calls need, and its fee in pesewas.
    operator_transaction_id TEXT,
    operator_order_id       TEXT,
    operator_fee            INTEGER,
    -- 1 if the operator reported a success for something else than was asked; for which amount, if it names one.
    mismatched              INTEGER NOT NULL DEFAULT 0,
    mismatch_received       INTEGER,
    -- The sum that was moved, where a review found another one than the amount.
    settled_amount          INTEGER,
    -- When it was flagged because the settings no longer have its operator.
    unserved_at             INTEGER,
    -- The charge that it refunds, and how (NATIVE, PAYOUT). NULL where it is no refund.
    refund_of               TEXT REFERENCES transactions (id),
    refund_method           TEXT,
    -- The batch of payouts that it is a line of.
    batch_id                TEXT REFERENCES payout_batches (id),
    -- The refunds of this charge, in pesewas: those that succeeded, all that count, and those of them that the operator makes.
    refunds_returned        INTEGER NOT NULL DEFAULT 0,
    refunds_counted         INTEGER NOT NULL DEFAULT 0,
    refunds_native          INTEGER NOT NULL DEFAULT 0,
    -- The payment link whose session it charges.
    link_id                 TEXT REFERENCES payment_links (id)
) STRICT;

-- With the amount, so that a search by amount and sums of a period read this index alone. It is appended to; an index by
-- amount would cost every payment one more page.
CREATE INDEX transactions_by_age ON transactions (account_id, mode, created_at, id, amount);
-- For the two things by which a payer asks about a payment. Without them a search would read every row of the account.
CREATE INDEX transactions_by_phone ON transactions (account_id, mode, phone);
CREATE INDEX transactions_by_email ON transactions (account_id, mode, email) WHERE email IS NOT NULL;
CREATE INDEX transactions_by_reference ON transactions (account_id, mode, reference, created_at, id);
CREATE INDEX transactions_by_checkout ON transactions (checkout_id, id) WHERE checkout_id IS NOT NULL;
CREATE INDEX transactions_due ON transactions (mode, kind, operator_fingerprint, ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX transactions_flagged ON transactions (review_at) WHERE review_at IS NOT NULL AND status = 'PENDING';
-- Conflicts and disputes that no review has decided.
CREATE INDEX transactions_cases ON transactions (id)
    WHERE conflict_at IS NOT NULL AND conflict_decision IS NULL OR disputed_at IS NOT NULL AND dispute_decision IS NULL;
CREATE INDEX transactions_unsent ON transactions (mode, kind, operator_fingerprint, send_at) WHERE send_at IS NOT NULL;
CREATE INDEX transactions_undelayed ON transactions (handed_over_at) WHERE status = 'PENDING' AND delayed_at IS NULL;

CREATE INDEX transactions_refunds ON transactions (refund_of, created_at, id) WHERE refund_of IS NOT NULL;
CREATE INDEX transactions_by_batch ON transactions (batch_id, id) WHERE batch_id IS NOT NULL;
-- The charges of a payment link, and their sum.
CREATE INDEX transactions_by_link ON transactions (link_id, status, amount) WHERE link_id IS NOT NULL;
CREATE INDEX transactions_unapproved ON transactions (approval_due) WHERE approval_due IS NOT NULL;
-- The payouts of a day, for the daily limits: on the day of their approval, or of their creation.
CREATE INDEX transactions_payouts ON transactions (account_id, mode, coalesce(approved_at, created_at))
    WHERE kind = 'PAYOUT';

CREATE TABLE transaction_events (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    version        INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    event          TEXT NOT NULL,
    PRIMARY KEY (transaction_id, version)
) STRICT, WITHOUT ROWID;

-- The orders of the sandbox operator.
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
    cancelled_at     INTEGER,
    -- 1 if it refunds a charge.
    is_refund        INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX sandbox_orders_by_time ON sandbox_orders (received_at);

-- Written by /readyz, to check that the database accepts writes.
CREATE TABLE readiness (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;

-- Idempotency records: the request's fingerprint, and the stored response.
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
    -- The retention period counts from the request, and then from the end of what the request began.
    retained_from INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT;

CREATE INDEX attempts_by_age ON attempts (retained_from);

-- Token buckets for prompts to phones and for codes, shared by all nodes; they survive restarts.
CREATE TABLE buckets (
    name    TEXT PRIMARY KEY,
    -- When the bucket is full again, in microseconds since 1970.
    full_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX buckets_full ON buckets (full_at);

-- Webhook endpoints of merchants.
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
    disabled_at      INTEGER,
    -- When it was removed. It stays for its deliveries, without secrets.
    removed_at       INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_endpoints_by_scope ON webhook_endpoints (account_id, mode);

-- The transactional outbox: deliveries are inserted in the transaction of the event that they report.
CREATE TABLE webhook_deliveries (
    id           TEXT PRIMARY KEY,
    endpoint_id  TEXT NOT NULL REFERENCES webhook_endpoints (id),
    -- The same for every endpoint that receives the event.
    webhook_id   TEXT NOT NULL,
    type         TEXT NOT NULL,
    -- A transaction at this version, a checkout session, or the endpoint (ping).
    subject      TEXT NOT NULL,
    version      INTEGER,
    occurred_at  INTEGER NOT NULL,
    status       TEXT NOT NULL CHECK (status = 'PENDING' OR status = 'DELIVERED' OR status = 'FAILED'),
    attempts     INTEGER NOT NULL DEFAULT 0,
    -- When it is sent next; NULL once it is delivered or has failed, and while its endpoint is disabled.
    due_at       INTEGER,
    attempted_at INTEGER,
    -- The response to the last attempt, or its error.
    http_status  INTEGER,
    fault        TEXT
) STRICT;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id);
-- Records of the ACME client: its account, the certificate, answers to validations, and the state of its orders.
CREATE TABLE acme (
    name       TEXT PRIMARY KEY,
    -- Encrypted with the server key, except the state of the orders.
    contents   BLOB NOT NULL,
    -- The certificate's expiry, or the time from which the next order may be placed.
    expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (coalesce(attempted_at, occurred_at)) WHERE due_at IS NULL;

-- The versions of the server key. The keys themselves are never in the database.
CREATE TABLE server_keys (
    version INTEGER PRIMARY KEY CHECK (version > 0),
    -- An HMAC under the key, which tells keys apart and nothing about them.
    digest  BLOB NOT NULL CONSTRAINT server_keys_digest UNIQUE
) STRICT;

-- The audit log. Rows are only inserted.
CREATE TABLE audit_log (
    seq         INTEGER PRIMARY KEY CHECK (seq > 0),
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    source      TEXT NOT NULL,
    action      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    -- JSON objects without payers' data and secrets.
    before      TEXT,
    after       TEXT,
    -- The version of the server key from which the key of the MAC is derived.
    key_version INTEGER NOT NULL,
    -- An HMAC of this row and of the seal before it.
    mac         BLOB NOT NULL
) STRICT;

CREATE INDEX audit_log_by_action ON audit_log (action, seq);

-- The end of the audit log. The seal is an HMAC of the last row's MAC, so a log whose end was cut off is noticed.
CREATE TABLE audit_head (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    seq  INTEGER NOT NULL,
    seal BLOB NOT NULL
) STRICT;

-- Exchanges with operators, kept as evidence. No credential, code or full phone number is in them.
CREATE TABLE operator_exchanges (
    id             TEXT PRIMARY KEY,
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    operator       TEXT NOT NULL,
    at             INTEGER NOT NULL,
    method         TEXT NOT NULL,
    path           TEXT NOT NULL,
    -- NULL where there was no response.
    http_status    INTEGER,
    duration_ms    INTEGER NOT NULL,
    request        TEXT,
    response       TEXT
) STRICT;

CREATE INDEX operator_exchanges_by_transaction ON operator_exchanges (transaction_id, at);
CREATE INDEX operator_exchanges_by_time ON operator_exchanges (at);
CREATE INDEX transactions_by_operator_id ON transactions (operator_transaction_id, account_id, mode)
    WHERE operator_transaction_id IS NOT NULL;

-- The people who use the dashboard.
CREATE TABLE users (
    id             TEXT PRIMARY KEY,
    -- In lower case.
    email          TEXT NOT NULL CONSTRAINT users_email UNIQUE,
    name           TEXT,
    -- The password in the PHC string format (argon2id); NULL before the person has enrolled.
    password       TEXT,
    -- The key of the one-time codes, encrypted with the server key.
    totp_secret    BLOB,
    -- The time step of the last accepted one-time code. No code of it or of an earlier one is accepted.
    totp_last_step INTEGER,
    created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What a person may do in an account.
CREATE TABLE memberships (
    user_id    TEXT NOT NULL REFERENCES users (id),
    account_id TEXT NOT NULL REFERENCES accounts (id),
    role       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_by_account ON memberships (account_id);

-- Recovery codes that are not used yet.
CREATE TABLE recovery_codes (
    -- SHA-256 of the code.
    digest  BLOB PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);

-- Links with which a person enrols, each good once.
CREATE TABLE enrolment_links (
    -- SHA-256 of the link's token.
    digest     BLOB PRIMARY KEY,
    -- NULL: the first set-up, which makes a person.
    user_id    TEXT REFERENCES users (id),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sessions of the dashboard.
CREATE TABLE dashboard_sessions (
    id         TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    -- SHA-256 of the token in the cookie.
    digest     BLOB NOT NULL CONSTRAINT dashboard_sessions_digest UNIQUE,
    -- Browser and system, from the User-Agent header.
    device     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- Accurate to the minute.
    seen_at    INTEGER NOT NULL,
    -- When the person last gave password and code.
    proven_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX dashboard_sessions_by_user ON dashboard_sessions (user_id);

-- Passkeys of people. One stands for password and code.
CREATE TABLE passkeys (
    id            TEXT PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id),
    -- The id that the device gave it.
    credential_id BLOB NOT NULL CONSTRAINT passkeys_credential_id UNIQUE,
    -- Public key and counter, as JSON of the library webauthn-rs.
    credential    TEXT NOT NULL,
    -- Browser and system that made it, from the User-Agent header.
    device        TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    used_at       INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- Challenges that wait for the signature of a passkey, each good once.
CREATE TABLE passkey_challenges (
    -- SHA-256 of the name that the page has of it.
    digest     BLOB PRIMARY KEY,
    -- NULL: for a sign-in.
    user_id    TEXT REFERENCES users (id),
    -- As JSON of the library webauthn-rs.
    state      TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX passkey_challenges_by_user ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);

-- How many transactions of a day became final, and their sum: counted with the event that makes a transaction final. The
-- day is that of the transaction's creation, in days since 1970 (UTC).
CREATE TABLE transaction_days (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    mode       TEXT   NOT NULL CHECK (mode IN ('test', 'live')),
    day        INTEGER NOT NULL,
    kind       TEXT   NOT NULL,
    network    TEXT   NOT NULL,
    status     TEXT   NOT NULL,
    -- On PostgreSQL each connection counts in rows of its own, so that concurrent payments do not wait for each other.
    shard      INTEGER NOT NULL,
    payments   INTEGER NOT NULL,
    pesewas    INTEGER NOT NULL,
    PRIMARY KEY (account_id, mode, day, kind, network, status, shard)
) STRICT, WITHOUT ROWID;

-- The ledger (docs/reference/ledger.md). A row has what one event of a transaction posts, in pesewas: debits are positive,
-- credits negative. Rows are only inserted.
CREATE TABLE ledger_entries (
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    -- That of the transaction after the event.
    version        INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    account_id     TEXT NOT NULL,
    mode           TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    -- The operator's name in the settings; NULL for the sandbox.
    operator       TEXT,
    operator_float INTEGER NOT NULL,
    in_transit     INTEGER NOT NULL,
    fees           INTEGER NOT NULL,
    merchant       INTEGER NOT NULL,
    refunds        INTEGER NOT NULL,
    suspense       INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, version),
    CHECK (operator_float + in_transit + fees + merchant + refunds + suspense = 0)
) STRICT, WITHOUT ROWID;

-- Statements of operators that were imported (docs/reference/statements.md).
CREATE TABLE statements (
    id                   TEXT PRIMARY KEY,
    -- The operator's name in the settings, and what tells it apart.
    operator             TEXT NOT NULL,
    operator_fingerprint TEXT NOT NULL,
    -- SHA-256 of the file.
    digest               BLOB NOT NULL,
    created_at           INTEGER NOT NULL,
    -- NULL while its lines are inserted; a file whose import was cut off is completed when it is imported again.
    completed_at         INTEGER,
    CONSTRAINT statements_digest UNIQUE (operator_fingerprint, digest)
) STRICT;

-- The lines about money that moved.
CREATE TABLE statement_lines (
    statement_id            TEXT NOT NULL REFERENCES statements (id),
    -- The line of the file, from 1.
    number                  INTEGER NOT NULL,
    operator_fingerprint    TEXT NOT NULL,
    -- A digest of the line. A line that two files have is stored once.
    line_key                BLOB NOT NULL,
    at                      INTEGER NOT NULL,
    -- In days since 1970 (UTC).
    day                     INTEGER NOT NULL,
    kind                    TEXT NOT NULL CHECK (kind IN ('CHARGE', 'PAYOUT', 'REFUND')),
    -- 1 if the operator returned the money.
    is_reversal             INTEGER NOT NULL,
    operator_transaction_id TEXT,
    -- The transaction with the reference that the line has. It may not exist.
    referenced_id           TEXT,
    amount                  INTEGER NOT NULL,
    fee                     INTEGER,
    -- The transaction that the line is about; NULL while there is none.
    transaction_id          TEXT REFERENCES transactions (id),
    PRIMARY KEY (statement_id, number),
    CONSTRAINT statement_lines_key UNIQUE (operator_fingerprint, line_key)
) STRICT;

CREATE INDEX statement_lines_by_day ON statement_lines (day);
CREATE INDEX statement_lines_by_transaction ON statement_lines (transaction_id) WHERE transaction_id IS NOT NULL;
