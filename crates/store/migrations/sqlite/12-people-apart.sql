-- An address names a person in one account, not in all of them: people of accounts that have nothing to do with each other
-- may have the same one, each with credentials of its own. SQLite drops a UNIQUE only with a new table. The rows come back
-- under the same ids, so the references to them are checked at the end of the transaction.
PRAGMA defer_foreign_keys = ON;

CREATE TABLE users_before AS SELECT * FROM users;
DROP TABLE users;
CREATE TABLE users (
    id              TEXT PRIMARY KEY,
    -- In lower case. In one account it names one person.
    email           TEXT NOT NULL,
    name            TEXT,
    -- The password in the PHC string format (argon2id); NULL before the person has enrolled.
    password        TEXT,
    -- The key of the one-time codes, encrypted with the server key.
    totp_secret     BLOB,
    -- The time step of the last accepted one-time code. No code of it or of an earlier one is accepted.
    totp_last_step  INTEGER,
    created_at      INTEGER NOT NULL,
    -- The language in which the person last used the dashboard.
    language        TEXT,
    -- How often the person gets a report by e-mail: daily, weekly, or NULL for never.
    report_interval TEXT,
    -- The last day of the newest period that was reported, or that is not to be reported; days since 1970.
    report_day      INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO users SELECT id, email, name, password, totp_secret, totp_last_step, created_at, language, report_interval,
    report_day FROM users_before;
DROP TABLE users_before;

CREATE INDEX users_by_email ON users (email);

-- The address of the person who gave the role in the dashboard. NULL: the command line, the sign-in provider, or before this
-- column was added.
ALTER TABLE memberships ADD COLUMN given_by TEXT;

-- Whether a browser has signed in before, whoever it was.
CREATE INDEX known_browsers_by_digest ON known_browsers (digest);

-- A change that lifts limits, and waits for a second person: the limits as JSON, in pesewas, null to remove one.
ALTER TABLE payout_controls ADD COLUMN lift TEXT;
-- The address of the person who asked for it.
ALTER TABLE payout_controls ADD COLUMN lift_by TEXT;
ALTER TABLE payout_controls ADD COLUMN lift_at INTEGER;

-- When the account last lost somebody who could decide about such a change: that person counts for a while after it.
ALTER TABLE accounts ADD COLUMN decider_lost_at INTEGER;
