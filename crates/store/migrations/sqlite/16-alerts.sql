-- What people are told about an account: by e-mail (docs/reference/mail.md), and in chats (docs/reference/alerts.md).

-- What a member wants to be told about the account by e-mail: topics, those that are off behind a '-'. NULL: as the role has
-- them.
ALTER TABLE memberships ADD COLUMN alert_topics TEXT;

-- Chats and servers to which alerts of an account and mode are sent.
CREATE TABLE alert_channels (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id),
    mode         TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    service      TEXT NOT NULL,
    -- The address with its secrets, encrypted with the server key.
    target       BLOB NOT NULL,
    -- What people recognise it by, with the last characters of what is secret.
    shown        TEXT NOT NULL,
    -- The language of its messages.
    language     TEXT NOT NULL,
    topics       TEXT NOT NULL,
    -- The kinds of alerts of these topics, each between spaces. A later version that adds a kind adds it here.
    kinds        TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    -- Nothing is sent before this time: a lease, a delay after a failure, or the time between two messages.
    next_at      INTEGER,
    -- The number of failed attempts since the last success.
    attempts     INTEGER NOT NULL DEFAULT 0,
    attempted_at INTEGER,
    -- Why the last attempt failed, without the address; NULL after a success.
    fault        TEXT,
    -- The number of alerts that were given up since the last success.
    given_up     INTEGER NOT NULL DEFAULT 0,
    -- When the last test began; NULL before the first one.
    tested_at    INTEGER
) STRICT;

CREATE INDEX alert_channels_by_scope ON alert_channels (account_id, mode, id);

-- The outbox of channels: alerts that wait. No foreign key: an alert of a payment must not fail or wait because somebody
-- removes a channel.
CREATE TABLE alert_deliveries (
    channel_id  TEXT NOT NULL,
    alert_id    TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    -- The message that is under way with it; NULL before the first attempt.
    message_id  TEXT,
    PRIMARY KEY (channel_id, alert_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_deliveries_by_time ON alert_deliveries (occurred_at);

-- Each alert for the channels that are told about it, in the same database transaction.
CREATE TRIGGER mail_alerts_deliveries AFTER INSERT ON mail_alerts
BEGIN
    INSERT INTO alert_deliveries (channel_id, alert_id, occurred_at)
    SELECT id, NEW.id, NEW.occurred_at FROM alert_channels
    WHERE account_id = NEW.account_id AND mode = NEW.mode AND kinds LIKE '% ' || NEW.kind || ' %'
    ON CONFLICT DO NOTHING;
END;

-- Alerts are also inserted for channels, where the service has no e-mail. Then they wait for no message.
DROP TRIGGER IF EXISTS transactions_review_alert;
CREATE TRIGGER transactions_review_alert AFTER UPDATE OF review_at ON transactions
WHEN OLD.review_at IS NULL AND NEW.review_at IS NOT NULL AND NEW.status = 'PENDING'
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at, digest_id)
    SELECT 'REVIEW ' || NEW.id || ' ' || NEW.review_at, NEW.account_id, NEW.mode, 'REVIEW', NEW.id, NEW.review_at,
           (SELECT 'no mail' WHERE NOT EXISTS (SELECT 1 FROM mail_switch))
    WHERE EXISTS (SELECT 1 FROM mail_switch)
       OR EXISTS (SELECT 1 FROM alert_channels WHERE account_id = NEW.account_id AND mode = NEW.mode);
END;

DROP TRIGGER IF EXISTS transactions_conflict_alert;
CREATE TRIGGER transactions_conflict_alert AFTER UPDATE OF conflict_at ON transactions
WHEN OLD.conflict_at IS NULL AND NEW.conflict_at IS NOT NULL
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at, digest_id)
    SELECT 'CONFLICT ' || NEW.id, NEW.account_id, NEW.mode, 'CONFLICT', NEW.id, NEW.conflict_at,
           (SELECT 'no mail' WHERE NOT EXISTS (SELECT 1 FROM mail_switch))
    WHERE EXISTS (SELECT 1 FROM mail_switch)
       OR EXISTS (SELECT 1 FROM alert_channels WHERE account_id = NEW.account_id AND mode = NEW.mode);
END;

DROP TRIGGER IF EXISTS transactions_dispute_alert;
CREATE TRIGGER transactions_dispute_alert AFTER UPDATE OF disputed_at ON transactions
WHEN OLD.disputed_at IS NULL AND NEW.disputed_at IS NOT NULL
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at, digest_id)
    SELECT 'DISPUTE ' || NEW.id, NEW.account_id, NEW.mode, 'DISPUTE', NEW.id, NEW.disputed_at,
           (SELECT 'no mail' WHERE NOT EXISTS (SELECT 1 FROM mail_switch))
    WHERE EXISTS (SELECT 1 FROM mail_switch)
       OR EXISTS (SELECT 1 FROM alert_channels WHERE account_id = NEW.account_id AND mode = NEW.mode);
END;

-- What waits for an approval: once for a batch, and once for each other payout or refund. Of the lines of a batch all wait
-- from the same time on.
CREATE TRIGGER transactions_new_approval_alert AFTER INSERT ON transactions
WHEN NEW.approval_due IS NOT NULL
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at, digest_id)
    SELECT 'APPROVAL_WAITING ' || coalesce(NEW.batch_id, NEW.id) || ' ' || NEW.approval_due, NEW.account_id, NEW.mode, 'APPROVAL_WAITING', coalesce(NEW.batch_id, NEW.id), NEW.created_at,
           (SELECT 'no mail' WHERE NOT EXISTS (SELECT 1 FROM mail_switch))
    WHERE EXISTS (SELECT 1 FROM mail_switch)
       OR EXISTS (SELECT 1 FROM alert_channels WHERE account_id = NEW.account_id AND mode = NEW.mode)
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER transactions_approval_alert AFTER UPDATE OF approval_due ON transactions
WHEN OLD.approval_due IS NULL AND NEW.approval_due IS NOT NULL
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at, digest_id)
    SELECT 'APPROVAL_WAITING ' || coalesce(NEW.batch_id, NEW.id) || ' ' || NEW.approval_due, NEW.account_id, NEW.mode, 'APPROVAL_WAITING', coalesce(NEW.batch_id, NEW.id), NEW.updated_at,
           (SELECT 'no mail' WHERE NOT EXISTS (SELECT 1 FROM mail_switch))
    WHERE EXISTS (SELECT 1 FROM mail_switch)
       OR EXISTS (SELECT 1 FROM alert_channels WHERE account_id = NEW.account_id AND mode = NEW.mode)
    ON CONFLICT DO NOTHING;
END;

-- A webhook endpoint that did not accept an event four times, which is after 35 minutes: once a day (UTC).
CREATE TRIGGER webhook_deliveries_failing_alert AFTER UPDATE OF attempts ON webhook_deliveries
WHEN OLD.attempts < 4 AND NEW.attempts = 4 AND NEW.status = 'PENDING'
BEGIN
    INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at, digest_id)
    SELECT 'ENDPOINT_FAILING ' || NEW.endpoint_id || ' ' || (NEW.attempted_at / 86400000), one.account_id, one.mode,
           'ENDPOINT_FAILING', NEW.endpoint_id, NEW.attempted_at,
           (SELECT 'no mail' WHERE NOT EXISTS (SELECT 1 FROM mail_switch))
    FROM webhook_endpoints AS one
    WHERE one.id = NEW.endpoint_id
      AND (EXISTS (SELECT 1 FROM mail_switch)
        OR EXISTS (SELECT 1 FROM alert_channels AS channel
                   WHERE channel.account_id = one.account_id AND channel.mode = one.mode))
    ON CONFLICT DO NOTHING;
END;
