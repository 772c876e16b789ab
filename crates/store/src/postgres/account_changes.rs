//! Changes of an account: suspension, resumption, name and branding.

use super::{approvals, batch_ops::Lookup, db::Db, error::Result, record::at};
use crate::queries::audit;
use crate::{audit_values, rows};
use tua_domain::{
    Account, AccountId,
    audit::AuditContext,
    branding::{Branding, BrandingChange, LogoName},
    ports::AccountChange,
};

/// Changes an account. `FOR UPDATE` waits for the payments and sessions that are being inserted,
/// whose foreign keys lock the row, and lets later ones wait. These read
/// [`super::accounts::suspended`] afterwards. Lock order: transactions, account.
pub(super) async fn change_account(
    db: &Db,
    id: &AccountId,
    change: &AccountChange,
    by: &AuditContext,
) -> Result<Option<Account>> {
    let unsent = match change {
        AccountChange::Resume => approvals::lock_unsent(db, id).await?,
        AccountChange::Suspend(_)
        | AccountChange::Rename(_)
        | AccountChange::SendReceipts(_)
        | AccountChange::Brand(_) => Vec::new(),
    };
    let sql = "SELECT id, name, accent, logo, receipts, created_at, suspended_at FROM accounts \
        WHERE id = $1 FOR UPDATE";
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
                // Those whose hand-over was withdrawn while this waited for the account. No other
                // is withdrawn until the commit, because that waits for the account. Where this
                // waits for one that waits for the account, the server ends one of both, which is
                // repeated.
                approvals::require(db, approvals::lock_unsent(db, id).await?, by.at).await?;
            }
            db.execute("UPDATE accounts SET suspended_at = NULL WHERE id = $1", &[&id.as_str()])
                .await?
        }
        AccountChange::Rename(name) => {
            db.execute("UPDATE accounts SET name = $2 WHERE id = $1", &[&id.as_str(), name]).await?
        }
        AccountChange::SendReceipts(is_on) => {
            let sql = "UPDATE accounts SET receipts = $2 WHERE id = $1";
            db.execute(sql, &[&id.as_str(), &i64::from(*is_on)]).await?
        }
        AccountChange::Brand(change) => {
            brand(db, id, change, &change.apply(&before.branding)).await?
        }
    };
    let after = AccountId::find(db, &[id]).await?.into_iter().next().flatten();
    if let Some(after) = after.as_ref().filter(|after| **after != before) {
        audit::append(db, by, &audit_values::accounts::account_changed(change, &before, after))
            .await?;
    }
    Ok(after)
}

/// Stores the branding after a change. Returns how many accounts have it.
async fn brand(db: &Db, id: &AccountId, change: &BrandingChange, after: &Branding) -> Result<u64> {
    if let Some(logo) = &change.logo {
        db.execute("DELETE FROM account_logos WHERE account_id = $1", &[&id.as_str()]).await?;
        if let Some(logo) = logo {
            let sql = "INSERT INTO account_logos (account_id, name, png) VALUES ($1, $2, $3)";
            db.execute(sql, &[&id.as_str(), &logo.name.as_str(), &&logo.png[..]]).await?;
        }
    }
    let sql = "UPDATE accounts SET accent = $2, logo = $3 WHERE id = $1";
    let accent = after.accent.map(|accent| accent.to_string());
    db.execute(sql, &[&id.as_str(), &accent, &after.logo.as_ref().map(LogoName::as_str)]).await
}

/// The PNG of a logo. Two accounts with the same picture have the same name for it.
pub(super) async fn logo(db: &Db, name: &LogoName) -> Result<Option<Vec<u8>>> {
    let row = db
        .query_opt("SELECT png FROM account_logos WHERE name = $1 LIMIT 1", &[&name.as_str()])
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
