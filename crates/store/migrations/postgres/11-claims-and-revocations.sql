-- What an operator's callback claimed about a pending transaction, and whether that ends it by itself. A callback is
-- stored before it is acknowledged, so that the claim counts after a crash.
ALTER TABLE transactions ADD COLUMN claimed_failure TEXT;
ALTER TABLE transactions ADD COLUMN claim_is_decisive BIGINT NOT NULL DEFAULT 0;

-- Whether a person approved the payout although the key that asked for it was revoked.
ALTER TABLE transactions ADD COLUMN approved_after_revocation BIGINT NOT NULL DEFAULT 0;
