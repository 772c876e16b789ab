-- The list of checkout sessions, newest first; and those with one reference.
CREATE INDEX checkouts_by_age ON checkouts (account_id, mode, created_at, id);
CREATE INDEX checkouts_by_reference ON checkouts (account_id, mode, reference, created_at, id);
