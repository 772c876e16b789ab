-- Mail servers that owners set up in the dashboard
-- (docs/reference/mail.md#the-mail-server-of-an-account).
CREATE TABLE account_mail_servers (
    account_id     TEXT PRIMARY KEY REFERENCES accounts (id),
    -- Encrypted with the server key, for this account; beside each the host and port that people
    -- see.
    in_force       BLOB,
    in_force_shown TEXT,
    -- The settings that wait for their test.
    waiting        BLOB,
    waiting_shown  TEXT,
    version        INTEGER NOT NULL,
    changed_at     INTEGER NOT NULL,
    tested_at      INTEGER
) STRICT, WITHOUT ROWID;

-- Security notices that are sent through a mail server that is no longer used have its settings in
-- mail_messages.secret.

-- The oldest message of each account that waits.
CREATE INDEX mail_messages_due_by_account ON mail_messages (account_id, due_at, id)
    WHERE due_at IS NOT NULL;

-- 1 if the settings file has an SMTP server, which then sends every message. 0 if only accounts have
-- one.
ALTER TABLE mail_switch ADD COLUMN serves_all INTEGER NOT NULL DEFAULT 1;
