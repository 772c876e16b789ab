-- When the person last signed in, and with what: password, passkey or provider. NULL before the first time since this column is there.
ALTER TABLE users ADD COLUMN signed_in_at BIGINT;
ALTER TABLE users ADD COLUMN signed_in_by TEXT;
