//! The people who use the dashboard, and their roles.

use super::{
    PostgresStore, audit,
    db::Db,
    error::{Error, Result},
    in_doubt::InDoubt,
    record::at,
    sessions,
};
use crate::{
    domain::{
        AccountId, SessionId, UserId,
        audit::AuditContext,
        people::{Membership, Role, Session, StaffEmail, User},
        ports::{People, StoreError},
        secret::SecretDigest,
    },
    store::{
        audit_values,
        rows::{self, user_columns},
    },
};
use async_trait::async_trait;
use jiff::Timestamp;

type Stored<T> = std::result::Result<T, StoreError>;

#[async_trait]
impl People for PostgresStore {
    async fn set_role(&self, email: &StaffEmail, account: &AccountId, role: Role, by: &AuditContext) -> Stored<User> {
        let minted = &UserId::mint();
        self.tx.write(InDoubt::Retry, |db| async move { set_role(&db, minted, email, account, role, by).await }).await
    }

    async fn memberships(&self, user: &UserId) -> Stored<Vec<Membership>> {
        self.tx.read(|db| async move { memberships(&db, user).await }).await
    }

    async fn members(&self, account: &AccountId) -> Stored<Vec<Membership>> {
        let sql = concat!(
            "SELECT ",
            user_columns!(),
            ", account_id, role FROM memberships JOIN users ON users.id = user_id WHERE account_id = $1
             ORDER BY email COLLATE \"C\""
        );
        self.tx
            .read(|db| async move { db.query(sql, &[&account.as_str()]).await?.iter().map(rows::membership).collect() })
            .await
    }

    async fn insert_session(&self, session: Session) -> Stored<()> {
        let session = &session;
        self.tx.write(InDoubt::Surface, |db| async move { sessions::insert(&db, session).await }).await
    }

    async fn session(&self, token: SecretDigest) -> Stored<Option<Session>> {
        self.tx.read(|db| async move { sessions::by_digest(&db, token).await }).await
    }

    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Stored<()> {
        self.tx.write(InDoubt::Retry, |db| async move { sessions::note(&db, id, seen_at).await }).await
    }

    async fn delete_session(&self, user: &UserId, id: &SessionId) -> Stored<bool> {
        self.tx.write(InDoubt::Retry, |db| async move { sessions::delete(&db, user, id).await }).await
    }
}

async fn set_role(
    db: &Db,
    minted: &UserId,
    email: &StaffEmail,
    account: &AccountId,
    role: Role,
    by: &AuditContext,
) -> Result<User> {
    let insert = "INSERT INTO users (id, email, created_at) VALUES ($1, $2, $3) ON CONFLICT (email) DO NOTHING";
    db.execute(insert, &[&minted.as_str(), &email.as_str(), &at(by.at)]).await?;
    let user = by_email(db, email).await?.ok_or(Error::MissingRow)?;
    let sql = "SELECT role FROM memberships WHERE user_id = $1 AND account_id = $2 FOR UPDATE";
    let row = db.query_opt(sql, &[&user.id.as_str(), &account.as_str()]).await?;
    let before = row.map(|row| row.try_get::<_, String>(0)).transpose()?.and_then(|text| Role::parse(&text));
    if before != Some(role) {
        let sql = "INSERT INTO memberships (user_id, account_id, role, created_at) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role";
        db.execute(sql, &[&user.id.as_str(), &account.as_str(), &role.as_str(), &at(by.at)]).await?;
        audit::append(db, by, &audit_values::role_set(&user, account, before, role)).await?;
    }
    Ok(user)
}

async fn by_email(db: &Db, email: &StaffEmail) -> Result<Option<User>> {
    // Locked, so that the person is not removed before this transaction ends.
    let sql = concat!("SELECT ", user_columns!(), " FROM users WHERE email = $1 FOR SHARE");
    db.query_opt(sql, &[&email.as_str()]).await?.as_ref().map(rows::user).transpose()
}

async fn memberships(db: &Db, user: &UserId) -> Result<Vec<Membership>> {
    let sql = concat!(
        "SELECT ",
        user_columns!(),
        ", account_id, role FROM memberships JOIN users ON users.id = user_id WHERE user_id = $1 ORDER BY account_id"
    );
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::membership).collect()
}
