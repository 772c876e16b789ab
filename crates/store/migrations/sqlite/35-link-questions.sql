-- What payers of a link answer before they pay; NULL where nothing is asked.
ALTER TABLE payment_links ADD COLUMN question TEXT;
-- What the payer answered, 1 to 100 characters. Charges have the answer of their session.
ALTER TABLE checkouts ADD COLUMN answer TEXT;
ALTER TABLE transactions ADD COLUMN answer TEXT;
