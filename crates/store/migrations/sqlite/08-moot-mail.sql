-- A message that nobody needs any more is MOOT, not GIVEN_UP. SQLite changes a CHECK only with a new table.
CREATE TABLE mail_messages_new (
    -- The Message-ID is made of it, so that a repeated message is recognised.
    id             TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    account_id     TEXT REFERENCES accounts (id),
    -- The recipient: a person of the dashboard, or the payer of the transaction.
    user_id        TEXT,
    transaction_id TEXT REFERENCES transactions (id),
    -- The language, where it is not the person's.
    language       TEXT,
    -- The digest_id of alerts; a notice; the period of a report.
    detail         TEXT,
    -- The path of a link, encrypted with the server key; NULL once nothing is sent any more.
    secret         BLOB,
    occurred_at    INTEGER NOT NULL,
    -- After this time it is not sent any more.
    expires_at     INTEGER,
    status         TEXT NOT NULL CHECK (status IN ('WAITING', 'SENT', 'GIVEN_UP', 'MOOT')),
    attempts       INTEGER NOT NULL DEFAULT 0,
    -- When it is sent next; NULL once nothing is sent any more.
    due_at         INTEGER,
    attempted_at   INTEGER,
    -- Why the last attempt failed, or why it is moot, without the address.
    fault          TEXT
) STRICT;

INSERT INTO mail_messages_new SELECT id, kind, account_id, user_id, transaction_id, language, detail, secret, occurred_at,
    expires_at, status, attempts, due_at, attempted_at, fault FROM mail_messages;
DROP TABLE mail_messages;
ALTER TABLE mail_messages_new RENAME TO mail_messages;

CREATE INDEX mail_messages_due ON mail_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mail_messages_by_time ON mail_messages (occurred_at);
CREATE INDEX mail_messages_by_user ON mail_messages (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX mail_messages_alerts ON mail_messages (account_id, occurred_at) WHERE kind = 'ALERTS';
CREATE INDEX mail_messages_given_up ON mail_messages (id) WHERE status = 'GIVEN_UP';
