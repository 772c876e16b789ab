-- A trigger of an insert makes every insert dearer, also where its condition is false. Payments are inserted without the
-- time of their approval, which an update sets; transactions_approval_alert is a trigger of that update.
DROP TRIGGER transactions_new_approval_alert;
-- A database of a commit in development has migration 19 without it.
CREATE INDEX IF NOT EXISTS mail_messages_due_by_account ON mail_messages (account_id, due_at, id)
    WHERE due_at IS NOT NULL;
