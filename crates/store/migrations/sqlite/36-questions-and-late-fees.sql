-- What payers of a link answer before they pay; NULL where nothing is asked.
ALTER TABLE payment_links ADD COLUMN question TEXT;
-- What the payer answered, 1 to 100 characters. Charges have the answer of their session.
ALTER TABLE checkouts ADD COLUMN answer TEXT;
ALTER TABLE transactions ADD COLUMN answer TEXT;

-- 1 where the fee of the transaction became known with this entry, after the transaction had succeeded. NULL for all others, and
-- in entries of older programs.
ALTER TABLE ledger_entries ADD COLUMN is_fee_late INTEGER;
