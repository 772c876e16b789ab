-- How many refunds of a day became final, and their sum: the part of the payouts of transaction_days that returned to
-- payers. A refund is counted in both tables.
CREATE TABLE refund_days (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    mode       TEXT   NOT NULL CHECK (mode IN ('test', 'live')),
    day        BIGINT NOT NULL,
    network    TEXT   NOT NULL,
    status     TEXT   NOT NULL,
    shard      BIGINT NOT NULL,
    payments   BIGINT NOT NULL,
    pesewas    BIGINT NOT NULL,
    PRIMARY KEY (account_id, mode, day, network, status, shard)
);

INSERT INTO refund_days (account_id, mode, day, network, status, shard, payments, pesewas)
SELECT account_id, mode, created_at / 86400000, network, status, 0, count(*),
       CAST(sum(CASE WHEN settled_amount IS NULL THEN amount
                     WHEN settled_amount <= amount THEN settled_amount
                     WHEN settled_amount - amount <= coalesce(payer_pays, amount) - amount THEN amount
                     ELSE settled_amount - (coalesce(payer_pays, amount) - amount) END) AS BIGINT)
FROM transactions WHERE refund_of IS NOT NULL AND status <> 'PENDING'
GROUP BY account_id, mode, created_at / 86400000, network, status;

-- The lists of payouts and of refunds. Only a payout or a refund writes them.
CREATE INDEX transactions_payouts_by_age ON transactions (account_id, mode, created_at, id) WHERE kind = 'PAYOUT';
CREATE INDEX transactions_refunds_by_age ON transactions (account_id, mode, created_at, id) WHERE refund_of IS NOT NULL;
