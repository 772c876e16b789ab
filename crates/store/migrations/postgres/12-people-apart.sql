-- An address names a person in one account, not in all of them: people of accounts that have nothing to do with each other
-- may have the same one, each with credentials of its own. During a rolling upgrade, an older node cannot add people.
ALTER TABLE users DROP CONSTRAINT users_email;

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
ALTER TABLE payout_controls ADD COLUMN lift_at BIGINT;

-- When the account last lost somebody who could decide about such a change: that person counts for a while after it.
ALTER TABLE accounts ADD COLUMN decider_lost_at BIGINT;
