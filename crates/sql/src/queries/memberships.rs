//! The rows of memberships: who has which role in which account.

use crate::{
    rows::{self, user_columns},
    sql::{RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    AccountId, UserId,
    audit::AuditContext,
    limit_lift::loses_decider,
    people::{MemberAccess, Membership, Role, StaffEmail},
};

macro_rules! select {
    ($clauses:literal) => {
        concat!(
            "SELECT ",
            user_columns!(),
            ", account_id, role, given_by FROM memberships JOIN users ON users.id = user_id ",
            $clauses
        )
    };
}

/// Inserts or changes a membership. `given_by` is the person of the dashboard who gives the role.
pub(crate) async fn insert<S: Sql>(
    db: &S,
    user: &UserId,
    account: &AccountId,
    role: Role,
    given_by: Option<&str>,
    by: &AuditContext,
) -> Result<(), S::Error> {
    note_lost_decider(db, user, account, Some(role), by.at).await?;
    let sql = "INSERT INTO memberships (user_id, account_id, role, created_at, given_by) VALUES \
        ($1, $2, $3, $4, $5)
               ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role, given_by = \
        excluded.given_by";
    db.execute(sql, &[&user.as_str(), &account.as_str(), &role.as_str(), &by.at, &given_by])
        .await
        .map(drop)
}

pub(crate) async fn delete<S: Sql>(
    db: &S,
    user: &UserId,
    account: &AccountId,
    by: &AuditContext,
) -> Result<(), S::Error> {
    note_lost_decider(db, user, account, None, by.at).await?;
    let delete = "DELETE FROM memberships WHERE user_id = $1 AND account_id = $2";
    db.execute(delete, &[&user.as_str(), &account.as_str()]).await.map(drop)
}

/// Stores when the account loses somebody who could decide about a lift of its limits.
async fn note_lost_decider<S: Sql>(
    db: &S,
    user: &UserId,
    account: &AccountId,
    role: Option<Role>,
    lost_at: Timestamp,
) -> Result<(), S::Error> {
    let member = of_user(db, user).await?.into_iter().find(|one| one.account == *account);
    if member.is_some_and(|member| loses_decider(&member, role)) {
        let update = "UPDATE accounts SET decider_lost_at = $2 WHERE id = $1";
        db.execute(update, &[&account.as_str(), &lost_at]).await?;
    }
    Ok(())
}

/// Locks the account's row: two owners who remove each other must wait for one another, and an
/// address names one person in the account.
pub(crate) async fn lock_people_of<S: Sql>(db: &S, account: &AccountId) -> Result<(), S::Error> {
    let sql = "SELECT id FROM accounts WHERE id = $1";
    db.query_locked(sql, RowLock::NoKeyUpdate, &[&account.as_str()]).await.map(drop)
}

/// The roles of a person.
pub async fn of_user<S: Sql>(db: &S, user: &UserId) -> Result<Vec<Membership>, S::Error> {
    let sql = select!("WHERE user_id = $1 ORDER BY account_id");
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::membership).collect()
}

/// The roles of people in an account.
pub async fn of_account<S: Sql>(db: &S, account: &AccountId) -> Result<Vec<Membership>, S::Error> {
    let sql = select!("WHERE account_id = $1 ORDER BY email COLLATE \"C\"");
    db.query(sql, &[&account.as_str()]).await?.iter().map(rows::membership).collect()
}

/// The last sign-ins of the people of an account, and their links for an enrolment.
pub async fn access_of_account<S: Sql>(
    db: &S,
    account: &AccountId,
) -> Result<Vec<MemberAccess>, S::Error> {
    let sql = "SELECT users.id AS user_id, signed_in_at, signed_in_by,
             (SELECT max(expires_at) FROM enrolment_links
              WHERE enrolment_links.user_id = users.id) AS link_expires_at
         FROM memberships JOIN users ON users.id = memberships.user_id
         WHERE account_id = $1 ORDER BY users.id";
    db.query(sql, &[&account.as_str()]).await?.iter().map(rows::member_access).collect()
}

/// The memberships of everybody with this address, by person and account.
pub async fn of_address<S: Sql>(db: &S, email: &StaffEmail) -> Result<Vec<Membership>, S::Error> {
    let sql = select!("WHERE email = $1 ORDER BY user_id, account_id");
    db.query(sql, &[&email.as_str()]).await?.iter().map(rows::membership).collect()
}
