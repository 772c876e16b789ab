-- The PIN that unlocks a session on a shared phone: an argon2id hash in the PHC string format; NULL without one.
ALTER TABLE dashboard_sessions ADD COLUMN pin TEXT COLLATE "C";
-- How many PINs were tried since the session was last unlocked.
ALTER TABLE dashboard_sessions ADD COLUMN pin_tries BIGINT NOT NULL DEFAULT 0;
-- When a person locked the session, if it was not unlocked since.
ALTER TABLE dashboard_sessions ADD COLUMN locked_at BIGINT;
-- When the PIN last unlocked the session: a proof from before is not fresh any more.
ALTER TABLE dashboard_sessions ADD COLUMN unlocked_at BIGINT;
