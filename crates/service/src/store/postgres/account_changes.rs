//! Changes of an account: suspension, resumption and name.

use super::{approvals, audit, batch_ops::Lookup, db::Db, error::Result, record::at};
use crate::{
    domain::{Account, AccountId, audit::AuditContext, ports::AccountChange},
    store::{audit_values, rows},
};

/// Changes an account. `FOR UPDATE` waits for the payments and sessions that are being inserted, whose foreign keys lock
/// the row, and lets later ones wait. These read [`super::accounts::suspended`] afterwards. Lock order: transactions, account.
pub(super) async fn change_account(
    db: &Db,
    id: &AccountId,
    change: &AccountChange,
    by: &AuditContext,
) -> Result<Option<Account>> {
    let unsent = match change {
        AccountChange::Resume => approvals::lock_unsent(db, id).await?,
        AccountChange::Suspend(_) | AccountChange::Rename(_) => Vec::new(),
    };
    let sql = "SELECT id, name, created_at, suspended_at FROM accounts WHERE id = $1 FOR UPDATE";
    let Some(row) = db.query_opt(sql, &[&id.as_str()]).await? else { return Ok(None) };
    let before = rows::account(&row)?;
    match change {
        AccountChange::Suspend(since) => {
            let sql = "UPDATE accounts SET suspended_at = coalesce(suspended_at, $2) WHERE id = $1";
            db.execute(sql, &[&id.as_str(), &at(*since)]).await?
        }
        AccountChange::Resume => {
            if before.suspended_at.is_some() {
                approvals::require(db, unsent, by.at).await?;
            }
            db.execute("UPDATE accounts SET suspended_at = NULL WHERE id = $1", &[&id.as_str()]).await?
        }
        AccountChange::Rename(name) => {
            db.execute("UPDATE accounts SET name = $2 WHERE id = $1", &[&id.as_str(), name]).await?
        }
    };
    let after = AccountId::find(db, &[id]).await?.into_iter().next().flatten();
    if let Some(after) = after.as_ref().filter(|after| **after != before) {
        audit::append(db, by, &audit_values::account_changed(change, &before, after)).await?;
    }
    Ok(after)
}
