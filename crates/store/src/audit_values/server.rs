//! What the audit log shows of the server: its key, its database, and the erasure of a person.

use super::change::change;
use serde_json::json;
use tua_domain::{
    audit::{Action, AuditChange},
    ports::Erased,
};

pub(crate) fn server_key_rotated(next: u32) -> AuditChange {
    let before = json!({ "version": next - 1 });
    let after = json!({ "version": next });
    change(Action::ServerKeyRotated, "server key", Some(before), Some(after))
}

pub(crate) fn database_restored(suspended_accounts: u64) -> AuditChange {
    let after = json!({ "suspendedAccounts": suspended_accounts });
    change(Action::DatabaseRestored, "database", None, Some(after))
}

/// Without whose data it was.
pub(crate) fn person_erased(erased: Erased) -> AuditChange {
    let Erased { transactions, checkouts, links, orders, counters } = erased;
    let after = json!({
        "transactions": transactions,
        "checkouts": checkouts,
        "links": links,
        "orders": orders,
        "counters": counters,
    });
    change(Action::PrivacyErased, "person", None, Some(after))
}
