//! Changes of an account: suspension, resumption and name.

use super::{accounts, approvals, audit};
use crate::{
    domain::{Account, AccountId, audit::AuditContext, ports::AccountChange},
    store::audit_values,
};
use rusqlite::{Connection, Result};

pub(super) fn change_account(
    db: &Connection,
    id: &AccountId,
    change: &AccountChange,
    by: &AuditContext,
) -> Result<Option<Account>> {
    let Some(before) = accounts::account(db, id)? else { return Ok(None) };
    match change {
        AccountChange::Suspend(at) => db
            .prepare_cached("UPDATE accounts SET suspended_at = coalesce(suspended_at, ?2) WHERE id = ?1")?
            .execute((id.as_str(), at.as_millisecond()))?,
        AccountChange::Resume => {
            if before.suspended_at.is_some() {
                approvals::require_of_account(db, id, by.at)?;
            }
            db.prepare_cached("UPDATE accounts SET suspended_at = NULL WHERE id = ?1")?.execute([id.as_str()])?
        }
        AccountChange::Rename(name) => {
            db.prepare_cached("UPDATE accounts SET name = ?2 WHERE id = ?1")?.execute((id.as_str(), name))?
        }
    };
    let after = accounts::account(db, id)?;
    if let Some(after) = after.as_ref().filter(|after| **after != before) {
        audit::append(db, by, &audit_values::account_changed(change, &before, after))?;
    }
    Ok(after)
}
