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

-- A notice that a mail server is no longer used has in mail_messages.secret the settings through
-- which it is sent.

-- 1 if the settings file has an SMTP server, which then sends every message. 0 if only accounts have
-- one.
ALTER TABLE mail_switch ADD COLUMN serves_all INTEGER NOT NULL DEFAULT 1;
