-- The list of payouts that are no line of a batch, newest first.
CREATE INDEX transactions_single_payouts ON transactions (account_id, mode, created_at, id) WHERE kind = 'PAYOUT' AND refund_of IS NULL AND batch_id IS NULL;
