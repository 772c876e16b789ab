-- How many transactions of the day succeeded with a fee that their operator has reported. Of the others the fee is not known,
-- which is something else than a fee of nought. Counted before the tables are locked, because payments wait for the locks.
CREATE TEMPORARY TABLE known_fees ON COMMIT DROP AS
SELECT account_id, mode, created_at / 86400000 AS day, CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END AS type,
       count(*) AS known
FROM transactions
WHERE status = 'SUCCESSFUL' AND operator_fee IS NOT NULL
GROUP BY 1, 2, 3, 4;

ALTER TABLE fee_days ADD COLUMN known BIGINT NOT NULL DEFAULT 0;

-- Rows of their own: no payment writes this shard.
INSERT INTO fee_days (account_id, mode, day, type, shard, pesewas, known)
SELECT account_id, mode, day, type, -1, 0, known FROM known_fees;

-- Of how many of `payments` the fee is not known. NULL where an older program summed up the day: then the fees of a row without
-- any fee are not known, and those of the others are.
ALTER TABLE ledger_day_sums ADD COLUMN unknown_fees BIGINT;
