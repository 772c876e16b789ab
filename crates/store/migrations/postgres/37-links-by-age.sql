-- Lists the newest payments of a link, with what their payers answered, without reading all of them. Databases that an
-- unreleased program made have it already.
CREATE INDEX IF NOT EXISTS transactions_by_link_age ON transactions (link_id, created_at, id) WHERE link_id IS NOT NULL;
