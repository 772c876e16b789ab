//! Changes of an account: suspension, resumption, name and branding.

use super::approvals;
use crate::payment_sql::PaymentSql;
use tua_domain::{
    Account, AccountId,
    audit::AuditContext,
    branding::{Branding, BrandingChange, LogoName},
    change::Change,
    ports::AccountChange,
};
use tua_sql::{
    audit_values,
    columns::Columns,
    queries::{
        accounts::{self, account_columns},
        audit,
    },
    rows,
    sql::{RowLock, Sql},
};

/// Changes an account. [`RowLock::Update`] waits for the payments and sessions that are being
/// inserted, whose foreign keys lock the row, and lets later ones wait. These read whether the
/// account is suspended afterwards. Lock order: transactions, account.
pub(crate) async fn change_account<S: PaymentSql>(
    db: &S,
    id: &AccountId,
    change: &AccountChange,
    by: &AuditContext,
) -> Result<Option<Account>, S::Error> {
    let unsent = match change {
        AccountChange::Resume => approvals::lock_unsent_payouts(db, id).await?,
        AccountChange::Suspend(_)
        | AccountChange::Rename(_)
        | AccountChange::SendReceipts(_)
        | AccountChange::Brand(_) => Vec::new(),
    };
    let Some(before) = lock(db, id).await? else { return Ok(None) };
    match change {
        AccountChange::Suspend(since) => {
            let sql = "UPDATE accounts SET suspended_at = coalesce(suspended_at, $2) WHERE id = $1";
            db.execute(sql, &[&id.as_str(), since]).await?;
        }
        AccountChange::Resume => {
            if before.suspended_at.is_some() {
                approvals::require(db, unsent, by.at).await?;
                // Those whose hand-over was withdrawn while this waited for the account. No other
                // is withdrawn until the commit, because that waits for the account. Where this
                // waits for one that waits for the account, the server ends one of both, which is
                // repeated.
                let withdrawn = approvals::lock_unsent_payouts(db, id).await?;
                approvals::require(db, withdrawn, by.at).await?;
            }
            let sql = "UPDATE accounts SET suspended_at = NULL WHERE id = $1";
            db.execute(sql, &[&id.as_str()]).await?;
        }
        AccountChange::Rename(name) => {
            let sql = "UPDATE accounts SET name = $2 WHERE id = $1";
            db.execute(sql, &[&id.as_str(), name]).await?;
        }
        AccountChange::SendReceipts(is_on) => {
            let sql = "UPDATE accounts SET receipts = $2 WHERE id = $1";
            db.execute(sql, &[&id.as_str(), &i64::from(*is_on)]).await?;
        }
        AccountChange::Brand(change) => {
            brand(db, id, change, &change.apply(&before.branding)).await?;
        }
    }
    let after = accounts::account(db, id).await?;
    if let Some(after) = after.as_ref().filter(|after| **after != before) {
        audit::append(db, by, &audit_values::accounts::account_changed(change, &before, after))
            .await?;
    }
    Ok(after)
}

async fn lock<S: Sql>(db: &S, id: &AccountId) -> Result<Option<Account>, S::Error> {
    let sql = concat!("SELECT ", account_columns!(), " FROM accounts WHERE id = $1");
    let found = db.query_locked(sql, RowLock::Update, &[&id.as_str()]).await?;
    found.first().map(rows::account).transpose()
}

/// Stores the branding after a change.
async fn brand<S: Sql>(
    db: &S,
    id: &AccountId,
    change: &BrandingChange,
    after: &Branding,
) -> Result<(), S::Error> {
    if change.logo != Change::Keep {
        db.execute("DELETE FROM account_logos WHERE account_id = $1", &[&id.as_str()]).await?;
    }
    if let Change::Set(logo) = &change.logo {
        let sql = "INSERT INTO account_logos (account_id, name, png) VALUES ($1, $2, $3)";
        db.execute(sql, &[&id.as_str(), &logo.name.as_str(), &&logo.png[..]]).await?;
    }
    let sql = "UPDATE accounts SET accent = $2, logo = $3 WHERE id = $1";
    let accent = after.accent.map(|accent| accent.to_string());
    db.execute(sql, &[&id.as_str(), &accent, &after.logo.as_ref().map(LogoName::as_str)])
        .await
        .map(drop)
}

/// The PNG of a logo. Two accounts with the same picture have the same name for it.
pub(crate) async fn logo<S: Sql>(db: &S, name: &LogoName) -> Result<Option<Vec<u8>>, S::Error> {
    let sql = "SELECT png FROM account_logos WHERE name = $1 LIMIT 1";
    match db.query_opt(sql, &[&name.as_str()]).await? {
        Some(row) => Ok(row.maybe_bytes("png")?.map(<[u8]>::to_vec)),
        None => Ok(None),
    }
}
