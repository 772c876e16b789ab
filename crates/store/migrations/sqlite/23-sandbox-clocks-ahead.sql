-- By how many milliseconds the sandbox clocks of accounts are ahead of the clock of the service. An account whose clock was
-- never advanced has no row.
CREATE TABLE sandbox_clocks (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
    ahead_ms   INTEGER NOT NULL CHECK (ahead_ms > 0)
) STRICT, WITHOUT ROWID;
