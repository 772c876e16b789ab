//! Changes of an account: suspension, resumption, name and branding.

use super::sql::ready;
use super::{accounts, approvals};
use crate::audit_values;
use crate::queries::audit;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    Account, AccountId,
    audit::AuditContext,
    branding::{Branding, BrandingChange, LogoName},
    ports::AccountChange,
};

pub(super) fn change_account(
    db: &Connection,
    id: &AccountId,
    change: &AccountChange,
    by: &AuditContext,
) -> Result<Option<Account>> {
    let Some(before) = accounts::account(db, id)? else { return Ok(None) };
    match change {
        AccountChange::Suspend(at) => db
            .prepare_cached(
                "UPDATE accounts SET suspended_at = coalesce(suspended_at, ?2) WHERE id = ?1",
            )?
            .execute((id.as_str(), at.as_millisecond()))?,
        AccountChange::Resume => {
            if before.suspended_at.is_some() {
                approvals::require_of_account(db, id, by.at)?;
            }
            db.prepare_cached("UPDATE accounts SET suspended_at = NULL WHERE id = ?1")?
                .execute([id.as_str()])?
        }
        AccountChange::Rename(name) => db
            .prepare_cached("UPDATE accounts SET name = ?2 WHERE id = ?1")?
            .execute((id.as_str(), name))?,
        AccountChange::SendReceipts(is_on) => db
            .prepare_cached("UPDATE accounts SET receipts = ?2 WHERE id = ?1")?
            .execute((id.as_str(), is_on))?,
        AccountChange::Brand(change) => brand(db, id, change, &change.apply(&before.branding))?,
    };
    let after = accounts::account(db, id)?;
    if let Some(after) = after.as_ref().filter(|after| **after != before) {
        ready(audit::append(
            db,
            by,
            &audit_values::accounts::account_changed(change, &before, after),
        ))?;
    }
    Ok(after)
}

/// Stores the branding after a change. Returns how many accounts have it.
fn brand(
    db: &Connection,
    id: &AccountId,
    change: &BrandingChange,
    after: &Branding,
) -> Result<usize> {
    if let Some(logo) = &change.logo {
        db.prepare_cached("DELETE FROM account_logos WHERE account_id = ?1")?
            .execute([id.as_str()])?;
        if let Some(logo) = logo {
            db.prepare_cached(
                "INSERT INTO account_logos (account_id, name, png) VALUES (?1, ?2, ?3)",
            )?
            .execute((id.as_str(), logo.name.as_str(), &logo.png[..]))?;
        }
    }
    let accent = after.accent.map(|accent| accent.to_string());
    db.prepare_cached("UPDATE accounts SET accent = ?2, logo = ?3 WHERE id = ?1")?.execute((
        id.as_str(),
        accent,
        after.logo.as_ref().map(LogoName::as_str),
    ))
}

/// The PNG of a logo. Two accounts with the same picture have the same name for it.
pub(super) fn logo(db: &Connection, name: &LogoName) -> Result<Option<Vec<u8>>> {
    db.prepare_cached("SELECT png FROM account_logos WHERE name = ?1 LIMIT 1")?
        .query_row([name.as_str()], |row| row.get(0))
        .optional()
}
