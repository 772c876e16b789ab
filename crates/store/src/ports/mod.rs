//! Ports that both engines implement with the same words.

mod accounts;
mod acme_records;
mod audit_log;
mod identities;
mod limit_lifts;
mod mail_outbox;
mod passkeys;
mod payout_approvals;
mod people;
mod reports;

/// Implements a port for both engines: they run the same queries ([`crate::queries`]) through
/// `read`, `read_many`, `write` and `try_write`, which both have.
macro_rules! both_engines {
    (impl $port:ident { $($method:tt)* }) => {
        #[async_trait::async_trait]
        impl $port for $crate::sqlite::SqliteStore { $($method)* }

        #[async_trait::async_trait]
        impl $port for $crate::postgres::PostgresStore { $($method)* }
    };
}
use both_engines;
