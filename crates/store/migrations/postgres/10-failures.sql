-- The failed transactions by reason, newest first, with what a filter of failures counts. Only a failed transaction writes it.
CREATE INDEX transactions_failures ON transactions (account_id, mode, failure, created_at, id, kind, network)
    WHERE failure IS NOT NULL;
