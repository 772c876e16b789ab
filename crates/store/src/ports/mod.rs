//! Ports that both engines implement with the same words.

mod accounts;
mod acme_records;
mod alert_channels;
mod audit_log;
mod books;
mod callback_log;
mod checkouts;
mod closed_days;
mod connected_operators;
mod event_record;
mod exchange_log;
mod hand_overs;
mod identities;
mod ledger;
mod limit_lifts;
mod mail_outbox;
mod mail_servers;
mod outbox;
mod passkeys;
mod payment_links;
mod payout_approvals;
mod payout_batches;
mod people;
mod personal_data;
mod pinned_payments;
mod readiness;
mod reports;
mod reviews;
mod sandbox_clocks;
mod sandbox_orders;
mod schedules;
mod statements;
mod till_pins;

/// Implements a port for both engines: they run the same queries ([`crate::queries`]) through
/// `read`, `read_written`, `read_many`, `read_long`, `write` and `try_write`, which both have; or a
/// method of the same name that each has for what is on the way of every payment.
macro_rules! both_engines {
    (impl $port:ident { $($method:tt)* }) => {
        $crate::fault_injection::port_impl! {
            impl $port for $crate::sqlite::SqliteStore { $($method)* }
        }

        $crate::fault_injection::port_impl! {
            impl $port for $crate::postgres::PostgresStore { $($method)* }
        }
    };
}
use both_engines;
