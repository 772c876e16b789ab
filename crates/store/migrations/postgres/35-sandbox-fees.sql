-- The sandbox reports no fees: what the payer bore is the fee, so none of its payments has one that is not known.

-- Rows of their own: no payment writes this shard.
INSERT INTO fee_days (account_id, mode, day, type, shard, pesewas, known)
SELECT account_id, mode, created_at / 86400000, CASE WHEN refund_of IS NULL THEN kind ELSE 'REFUND' END, -2, 0, count(*)
FROM transactions
WHERE status = 'SUCCESSFUL' AND operator_fee IS NULL AND coalesce(operator_fingerprint, '') IN ('', 'sandbox')
GROUP BY 1, 2, 3, 4;

UPDATE ledger_day_sums SET unknown_fees = 0 WHERE operator_fingerprint IN ('', 'sandbox');
