-- The payments of an amount, newest first. In an account with millions of payments, a search would read any other index to
-- its end.
CREATE INDEX transactions_by_amount ON transactions (account_id, mode, amount, created_at, id);

-- It had the amount for these searches.
DROP INDEX transactions_by_age;
CREATE INDEX transactions_by_age ON transactions (account_id, mode, created_at, id);
