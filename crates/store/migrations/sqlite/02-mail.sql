-- E-mail (docs/reference/mail.md).

-- One row while the service has an SMTP server. Without it no message is inserted.
CREATE TABLE mail_switch (
    one INTEGER PRIMARY KEY CHECK (one = 1)
) STRICT;

-- The outbox of e-mail: messages are inserted in the transaction of the change that they report. A message has no address
-- and no body: both are read when it is sent.
CREATE TABLE mail_messages (
    -- The Message-ID is made of it, so that a repeated message is recognised.
    id             TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    account_id     TEXT REFERENCES accounts (id),
    -- The recipient: a person of the dashboard, or the payer of the transaction.
    user_id        TEXT,
    transaction_id TEXT REFERENCES transactions (id),
    -- The language, where it is not the person's.
    language       TEXT,
    -- The digest_id of alerts.
    detail         TEXT,
    -- The path of a link, encrypted with the server key; NULL once the message is sent or given up.
    secret         BLOB,
    occurred_at    INTEGER NOT NULL,
    -- After this time it is not sent any more.
    expires_at     INTEGER,
    status         TEXT NOT NULL CHECK (status IN ('WAITING', 'SENT', 'GIVEN_UP')),
    attempts       INTEGER NOT NULL DEFAULT 0,
    -- When it is sent next; NULL once it is sent or given up.
    due_at         INTEGER,
    attempted_at   INTEGER,
    -- Why the last attempt failed, without the address.
    fault          TEXT
) STRICT;

CREATE INDEX mail_messages_due ON mail_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mail_messages_by_time ON mail_messages (occurred_at);
CREATE INDEX mail_messages_by_user ON mail_messages (user_id) WHERE user_id IS NOT NULL;

-- The language in which the person last used the dashboard.
ALTER TABLE users ADD COLUMN language TEXT;
-- The language that the payer has read.
ALTER TABLE transactions ADD COLUMN language TEXT;
-- 1 if payers with an address get receipts.
ALTER TABLE accounts ADD COLUMN receipts INTEGER NOT NULL DEFAULT 0;

-- Alerts to the owners of an account, inserted in the transaction of what they report. A worker collects them in one message
-- for each owner.
CREATE TABLE mail_alerts (
    -- The same for repetitions.
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    mode        TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    kind        TEXT NOT NULL,
    -- The id of a transaction, an endpoint or a key, or the name of an operator.
    subject     TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    -- Names the messages that contain it; NULL while it waits for one.
    digest_id   TEXT
) STRICT;

CREATE INDEX mail_alerts_waiting ON mail_alerts (account_id, occurred_at) WHERE digest_id IS NULL;
CREATE INDEX mail_alerts_by_digest ON mail_alerts (digest_id, occurred_at) WHERE digest_id IS NOT NULL;
CREATE INDEX mail_alerts_by_time ON mail_alerts (occurred_at);
CREATE INDEX mail_messages_alerts ON mail_messages (account_id, occurred_at) WHERE kind = 'ALERTS';

-- Triggers, so that no statement that flags a transaction can miss its alert.
CREATE TRIGGER transactions_review_alert AFTER UPDATE OF review_at ON transactions
WHEN OLD.review_at IS NULL AND NEW.review_at IS NOT NULL AND NEW.status = 'PENDING'
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at)
    SELECT 'REVIEW ' || NEW.id || ' ' || NEW.review_at, NEW.account_id, NEW.mode, 'REVIEW', NEW.id, NEW.review_at FROM mail_switch;
END;

CREATE TRIGGER transactions_conflict_alert AFTER UPDATE OF conflict_at ON transactions
WHEN OLD.conflict_at IS NULL AND NEW.conflict_at IS NOT NULL
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at)
    SELECT 'CONFLICT ' || NEW.id, NEW.account_id, NEW.mode, 'CONFLICT', NEW.id, NEW.conflict_at FROM mail_switch;
END;

CREATE TRIGGER transactions_dispute_alert AFTER UPDATE OF disputed_at ON transactions
WHEN OLD.disputed_at IS NULL AND NEW.disputed_at IS NOT NULL
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at)
    SELECT 'DISPUTE ' || NEW.id, NEW.account_id, NEW.mode, 'DISPUTE', NEW.id, NEW.disputed_at FROM mail_switch;
END;
