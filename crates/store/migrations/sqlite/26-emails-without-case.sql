-- People search by an e-mail address without regard to capitals.
DROP INDEX transactions_by_email;
CREATE INDEX transactions_by_email ON transactions (account_id, mode, lower(email)) WHERE email IS NOT NULL;
