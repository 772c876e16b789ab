-- What people must do about a pending transaction besides entering its outcome (Attention in the domain).
ALTER TABLE transactions ADD COLUMN attention TEXT;
-- The network of a line's wallet, where the file has one: operators' ids are those of networks.
ALTER TABLE statement_lines ADD COLUMN network TEXT;
