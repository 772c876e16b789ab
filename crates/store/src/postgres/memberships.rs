//! The rows of memberships: who has which role in which account.

use super::{db::Db, error::Result, record::at};
use crate::rows::{self, user_columns};
use jiff::Timestamp;
use tokio_postgres::types::ToSql;
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
pub(super) async fn insert(
    db: &Db,
    user: &UserId,
    account: &AccountId,
    role: Role,
    given_by: Option<&str>,
    by: &AuditContext,
) -> Result<()> {
    note_lost_decider(db, user, account, Some(role), by.at).await?;
    let sql = "INSERT INTO memberships (user_id, account_id, role, created_at, given_by) VALUES \
        ($1, $2, $3, $4, $5)
               ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role, given_by = \
        excluded.given_by";
    let values: [&(dyn ToSql + Sync); 5] =
        [&user.as_str(), &account.as_str(), &role.as_str(), &at(by.at), &given_by];
    db.execute(sql, &values).await.map(drop)
}

pub(super) async fn delete(
    db: &Db,
    user: &UserId,
    account: &AccountId,
    by: &AuditContext,
) -> Result<()> {
    note_lost_decider(db, user, account, None, by.at).await?;
    let delete = "DELETE FROM memberships WHERE user_id = $1 AND account_id = $2";
    db.execute(delete, &[&user.as_str(), &account.as_str()]).await.map(drop)
}

/// Stores when the account loses somebody who could decide about a lift of its limits.
async fn note_lost_decider(
    db: &Db,
    user: &UserId,
    account: &AccountId,
    role: Option<Role>,
    lost_at: Timestamp,
) -> Result<()> {
    let member = of_user(db, user).await?.into_iter().find(|one| one.account == *account);
    if member.is_some_and(|member| loses_decider(&member, role)) {
        let update = "UPDATE accounts SET decider_lost_at = $2 WHERE id = $1";
        db.execute(update, &[&account.as_str(), &at(lost_at)]).await?;
    }
    Ok(())
}

/// Locks the account's row: two owners who remove each other must wait for one another, and an
/// address names one person in the account.
pub(super) async fn lock_people_of(db: &Db, account: &AccountId) -> Result<()> {
    db.query("SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE", &[&account.as_str()])
        .await
        .map(drop)
}

pub(super) async fn of_user(db: &Db, user: &UserId) -> Result<Vec<Membership>> {
    let sql = select!("WHERE user_id = $1 ORDER BY account_id");
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::membership).collect()
}

pub(super) async fn of_account(db: &Db, account: &AccountId) -> Result<Vec<Membership>> {
    let sql = select!("WHERE account_id = $1 ORDER BY email COLLATE \"C\"");
    db.query(sql, &[&account.as_str()]).await?.iter().map(rows::membership).collect()
}

/// The memberships of everybody with this address, by person and account.
pub(super) async fn of_address(db: &Db, email: &StaffEmail) -> Result<Vec<Membership>> {
    let sql = select!("WHERE email = $1 ORDER BY user_id, account_id");
    db.query(sql, &[&email.as_str()]).await?.iter().map(rows::membership).collect()
}
