//! The versions of the schema.

use rusqlite_migration::M;

/// A released migration is never edited; a change is a new migration at the end.
pub(crate) const MIGRATIONS: &[M<'static>] = &[
    M::up(include_str!("../../migrations/sqlite/01-init.sql")),
    M::up(include_str!("../../migrations/sqlite/02-mail.sql")),
    M::up(include_str!("../../migrations/sqlite/03-quotes.sql")),
    M::up(include_str!("../../migrations/sqlite/04-closed-days.sql")),
    M::up(include_str!("../../migrations/sqlite/05-identities.sql")),
    M::up(include_str!("../../migrations/sqlite/06-people.sql")),
    M::up(include_str!("../../migrations/sqlite/07-abandoned-statements.sql")),
    M::up(include_str!("../../migrations/sqlite/08-moot-mail.sql")),
    M::up(include_str!("../../migrations/sqlite/09-closed-accounts.sql")),
    M::up(include_str!("../../migrations/sqlite/10-failures.sql")),
    M::up(include_str!("../../migrations/sqlite/11-claims-and-revocations.sql")),
    M::up(include_str!("../../migrations/sqlite/12-people-apart.sql")),
    M::up(include_str!("../../migrations/sqlite/13-refusals.sql")),
    M::up(include_str!("../../migrations/sqlite/14-statement-days.sql")),
    M::up(include_str!("../../migrations/sqlite/15-refund-days.sql")),
    M::up(include_str!("../../migrations/sqlite/16-alerts.sql")),
    M::up(include_str!("../../migrations/sqlite/17-connected-operators.sql")),
    M::up(include_str!("../../migrations/sqlite/18-ledger-day-sums.sql")),
    M::up(include_str!("../../migrations/sqlite/19-mail-servers.sql")),
    M::up(include_str!("../../migrations/sqlite/20-checkout-lists.sql")),
    M::up(include_str!("../../migrations/sqlite/21-fewer-writes.sql")),
    M::up(include_str!("../../migrations/sqlite/22-sandbox-clock.sql")),
    M::up(include_str!("../../migrations/sqlite/23-sandbox-clocks-ahead.sql")),
    M::up(include_str!("../../migrations/sqlite/24-till-pin.sql")),
    M::up(include_str!("../../migrations/sqlite/25-incomplete-records.sql")),
    M::up(include_str!("../../migrations/sqlite/26-emails-without-case.sql")),
    M::up(include_str!("../../migrations/sqlite/27-webhook-responses.sql")),
    M::up(include_str!("../../migrations/sqlite/28-single-payouts.sql")),
    M::up(include_str!("../../migrations/sqlite/29-fee-days.sql")),
    M::up(include_str!("../../migrations/sqlite/30-unknown-fees.sql")),
    M::up(include_str!("../../migrations/sqlite/31-last-sign-ins.sql")),
    M::up(include_str!("../../migrations/sqlite/32-new-device-alerts.sql")),
];
