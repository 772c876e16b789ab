-- All migrations of an upgrade are one database transaction, and it must lock tables in the order in which payments write them:
-- payment_links, checkouts, transactions, ledger_entries. Else the two could deadlock.
-- This lock lets statements read while the index is built; the changes of columns after it do not.
LOCK TABLE payment_links, checkouts, transactions, ledger_entries IN SHARE ROW EXCLUSIVE MODE;

-- Lists the newest payments of a link, with what their payers answered, without reading all of them.
CREATE INDEX transactions_by_link_age ON transactions (link_id, created_at, id) WHERE link_id IS NOT NULL;

-- What payers of a link answer before they pay; NULL where nothing is asked.
ALTER TABLE payment_links ADD COLUMN question TEXT;
-- What the payer answered, 1 to 100 characters. Charges have the answer of their session.
ALTER TABLE checkouts ADD COLUMN answer TEXT;
ALTER TABLE transactions ADD COLUMN answer TEXT;

-- 1 where the fee of the transaction became known with this entry, after the transaction had succeeded. NULL for all others, and
-- in entries of older programs.
ALTER TABLE ledger_entries ADD COLUMN is_fee_late BIGINT;
