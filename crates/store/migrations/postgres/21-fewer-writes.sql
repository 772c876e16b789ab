-- The newest orders are found by their references, which begin with the time of the transaction.
DROP INDEX sandbox_orders_by_time;
-- A database of a commit in development has migration 19 without it.
CREATE INDEX IF NOT EXISTS mail_messages_due_by_account ON mail_messages (account_id, due_at, id)
    WHERE due_at IS NOT NULL;
