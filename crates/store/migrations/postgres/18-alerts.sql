-- What a member wants to be told about the account by e-mail: topics, those that are off behind a '-'. NULL: as the role has
-- them.
ALTER TABLE memberships ADD COLUMN alert_topics TEXT;

-- What waits for an approval: once for a batch, and once for each other payout or refund. Of the lines of a batch all wait
-- from the same time on.
CREATE FUNCTION insert_approval_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at)
    SELECT 'APPROVAL_WAITING ' || coalesce(NEW.batch_id, NEW.id) || ' ' || NEW.approval_due, NEW.account_id, NEW.mode,
           'APPROVAL_WAITING', coalesce(NEW.batch_id, NEW.id), NEW.updated_at
    FROM mail_switch ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER transactions_new_approval_alert AFTER INSERT ON transactions FOR EACH ROW
WHEN (NEW.approval_due IS NOT NULL)
EXECUTE FUNCTION insert_approval_alert();

CREATE TRIGGER transactions_approval_alert AFTER UPDATE OF approval_due ON transactions FOR EACH ROW
WHEN (OLD.approval_due IS NULL AND NEW.approval_due IS NOT NULL)
EXECUTE FUNCTION insert_approval_alert();

-- A webhook endpoint that did not take an event four times, which is after 35 minutes: once a day (UTC).
CREATE FUNCTION insert_failing_endpoint_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at)
    SELECT 'ENDPOINT_FAILING ' || NEW.endpoint_id || ' ' || (NEW.attempted_at / 86400000), account_id, mode,
           'ENDPOINT_FAILING', NEW.endpoint_id, NEW.attempted_at
    FROM webhook_endpoints CROSS JOIN mail_switch WHERE id = NEW.endpoint_id ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER webhook_deliveries_failing_alert AFTER UPDATE OF attempts ON webhook_deliveries FOR EACH ROW
WHEN (OLD.attempts < 4 AND NEW.attempts = 4 AND NEW.status = 'PENDING')
EXECUTE FUNCTION insert_failing_endpoint_alert();
