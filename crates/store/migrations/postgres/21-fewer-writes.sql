-- A database of a commit in development has migration 19 without it.
CREATE INDEX IF NOT EXISTS mail_messages_due_by_account ON mail_messages (account_id, due_at, id)
    WHERE due_at IS NOT NULL;
