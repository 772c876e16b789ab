//! What the audit log shows of the server: its key, its database, and the erasure of a person.

use super::change::change;
use serde_json::json;
use tua_domain::{
    audit::{Action, AuditChange},
    ports::PersonsDataCounts,
};

pub(crate) fn server_key_rotated(new_version: u32) -> AuditChange {
    let before = json!({ "version": new_version - 1 });
    let after = json!({ "version": new_version });
    change(Action::ServerKeyRotated, "server key", Some(before), Some(after))
}

/// A backup that was restored, and how many accounts are suspended since.
pub fn database_restored(suspended_accounts: u64) -> AuditChange {
    let after = json!({ "suspendedAccounts": suspended_accounts });
    change(Action::DatabaseRestored, "database", None, Some(after))
}

/// The entry has only counts: the log must not name the person who was erased.
pub fn person_erased(counts: PersonsDataCounts) -> AuditChange {
    let PersonsDataCounts { transactions, checkouts, links, orders, counters } = counts;
    let after = json!({
        "transactions": transactions,
        "checkouts": checkouts,
        "links": links,
        "orders": orders,
        "counters": counters,
    });
    change(Action::PrivacyErased, "person", None, Some(after))
}
