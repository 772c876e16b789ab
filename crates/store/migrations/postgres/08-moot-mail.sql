-- A message that nobody needs any more is MOOT, not GIVEN_UP.
ALTER TABLE mail_messages DROP CONSTRAINT mail_messages_status_check;
ALTER TABLE mail_messages ADD CONSTRAINT mail_messages_status_check
    CHECK (status IN ('WAITING', 'SENT', 'GIVEN_UP', 'MOOT'));
