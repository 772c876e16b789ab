//! The rows of memberships: who has which role in which account.

use super::record::Record;
use crate::rows::{self, user_columns};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    AccountId, UserId,
    audit::AuditContext,
    limit_lift::loses_decider,
    people::{Membership, Role, StaffEmail},
};

macro_rules! select {
    ($end:literal) => {
        concat!(
            "SELECT ",
            user_columns!(),
            ", account_id, role, given_by FROM memberships JOIN users ON users.id = user_id ",
            $end
        )
    };
}

/// Inserts or changes a membership. `given_by` is the person of the dashboard who gives the role.
pub(super) fn insert(
    db: &Connection,
    user: &UserId,
    account: &AccountId,
    role: Role,
    given_by: Option<&str>,
    by: &AuditContext,
) -> Result<()> {
    note_lost_decider(db, user, account, Some(role), by.at)?;
    db.prepare_cached(
        "INSERT INTO memberships (user_id, account_id, role, created_at, given_by) VALUES (?1, ?2, \
         ?3, ?4, ?5)
         ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role, given_by = \
         excluded.given_by",
    )?
    .execute((user.as_str(), account.as_str(), role.as_str(), by.at.as_millisecond(), given_by))
    .map(drop)
}

pub(super) fn delete(
    db: &Connection,
    user: &UserId,
    account: &AccountId,
    by: &AuditContext,
) -> Result<()> {
    note_lost_decider(db, user, account, None, by.at)?;
    db.prepare_cached("DELETE FROM memberships WHERE user_id = ?1 AND account_id = ?2")?
        .execute((user.as_str(), account.as_str()))
        .map(drop)
}

/// Stores when the account loses somebody who could decide about a lift of its limits.
fn note_lost_decider(
    db: &Connection,
    user: &UserId,
    account: &AccountId,
    role: Option<Role>,
    at: Timestamp,
) -> Result<()> {
    let member = of_user(db, user)?.into_iter().find(|one| one.account == *account);
    if member.is_some_and(|member| loses_decider(&member, role)) {
        db.prepare_cached("UPDATE accounts SET decider_lost_at = ?2 WHERE id = ?1")?
            .execute((account.as_str(), at.as_millisecond()))?;
    }
    Ok(())
}

/// The memberships of everybody with this address, by person and account.
pub(super) fn of_address(db: &Connection, email: &StaffEmail) -> Result<Vec<Membership>> {
    db.prepare_cached(select!("WHERE email = ?1 ORDER BY user_id, account_id"))?
        .query_map([email.as_str()], |row| rows::membership(&Record::new(row)))?
        .collect()
}

pub(super) fn of_user(db: &Connection, user: &UserId) -> Result<Vec<Membership>> {
    db.prepare_cached(select!("WHERE user_id = ?1 ORDER BY account_id"))?
        .query_map([user.as_str()], |row| rows::membership(&Record::new(row)))?
        .collect()
}

pub(super) fn of_account(db: &Connection, account: &AccountId) -> Result<Vec<Membership>> {
    db.prepare_cached(select!("WHERE account_id = ?1 ORDER BY email"))?
        .query_map([account.as_str()], |row| rows::membership(&Record::new(row)))?
        .collect()
}
