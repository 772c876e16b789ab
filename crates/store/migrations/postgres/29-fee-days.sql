-- What operators charged the merchant for the transactions of a day, by their type: the postings to `fees` of the ledger. The
-- day is that of the transaction's creation, as in transaction_days.
CREATE TABLE fee_days (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    mode       TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    day        BIGINT NOT NULL,
    type       TEXT NOT NULL,
    shard      BIGINT NOT NULL,
    pesewas    BIGINT NOT NULL,
    PRIMARY KEY (account_id, mode, day, type, shard)
);

INSERT INTO fee_days (account_id, mode, day, type, shard, pesewas)
SELECT transactions.account_id, transactions.mode, created_at / 86400000,
       CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END, 0, CAST(sum(fees) AS BIGINT)
FROM ledger_entries JOIN transactions ON transactions.id = transaction_id
WHERE fees <> 0
GROUP BY 1, 2, 3, 4;
