-- By how many milliseconds the sandbox clock was advanced since a payment of test mode was handed over: as old it is for
-- the events about a delay, and for the review. Its times of the past stay as they are.
ALTER TABLE transactions ADD COLUMN clock_advanced_ms BIGINT NOT NULL DEFAULT 0;

CREATE INDEX transactions_undelayed_advanced ON transactions ((handed_over_at - clock_advanced_ms))
    WHERE status = 'PENDING' AND delayed_at IS NULL AND clock_advanced_ms > 0;
