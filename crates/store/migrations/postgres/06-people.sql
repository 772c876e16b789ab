-- The browsers in which people have signed in to the dashboard: each keeps a random token. A sign-in in another one is
-- reported to the person.
CREATE TABLE known_browsers (
    user_id TEXT COLLATE "C" NOT NULL,
    -- SHA-256 of the token.
    digest  BYTEA NOT NULL,
    -- The last sign-in.
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, digest)
);

-- How often the person gets a report by e-mail: daily, weekly, or NULL for never.
ALTER TABLE users ADD COLUMN report_interval TEXT;
-- The last day of the newest period that was reported, or that is not to be reported; days since 1970.
ALTER TABLE users ADD COLUMN report_day BIGINT;

-- Messages that were given up, for those who look after the service.
CREATE INDEX mail_messages_given_up ON mail_messages (id) WHERE status = 'GIVEN_UP';

-- A search by the sum that the payer paid, where that is not the amount.
CREATE INDEX transactions_by_payer_pays ON transactions (account_id, mode, payer_pays) WHERE payer_pays IS NOT NULL;
