-- With the time, so that the payments before and after one are found among many of one number.
DROP INDEX transactions_by_phone;
CREATE INDEX transactions_by_phone ON transactions (account_id, mode, phone, created_at);
