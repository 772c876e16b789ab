-- By how many milliseconds the sandbox clocks of accounts are ahead of the clock of the service. An account whose clock was
-- never advanced has no row.
CREATE TABLE sandbox_clocks (
    account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
    ahead_ms   BIGINT NOT NULL CHECK (ahead_ms > 0)
);
