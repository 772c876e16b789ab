//! The people who use the dashboard, and their roles.

use super::{SqliteStore, audit, record::Record, sessions};
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
use rusqlite::{Connection, OptionalExtension, Result};

#[async_trait]
impl People for SqliteStore {
    async fn set_role(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        by: &AuditContext,
    ) -> Result<User, StoreError> {
        let (email, account, by) = (email.clone(), account.clone(), by.clone());
        let minted = UserId::mint();
        self.write(move |db| set_role(db, &minted, &email, &account, role, &by)).await
    }

    async fn memberships(&self, user: &UserId) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| memberships(db, user))
    }

    async fn members(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| {
            let sql = concat!(
                "SELECT ",
                user_columns!(),
                ", account_id, role FROM memberships JOIN users ON users.id = user_id WHERE account_id = ?1 ORDER BY email"
            );
            db.prepare_cached(sql)?
                .query_map([account.as_str()], |row| rows::membership(&Record::new(row)))?
                .collect()
        })
    }

    async fn insert_session(&self, session: Session) -> Result<(), StoreError> {
        self.write(move |db| sessions::insert(db, &session)).await
    }

    async fn session(&self, token: SecretDigest) -> Result<Option<Session>, StoreError> {
        self.readers.read(|db| sessions::by_digest(db, token))
    }

    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |db| sessions::note(db, &id, seen_at)).await
    }

    async fn delete_session(&self, user: &UserId, id: &SessionId) -> Result<bool, StoreError> {
        let (user, id) = (user.clone(), id.clone());
        self.write(move |db| sessions::delete(db, &user, &id)).await
    }
}

fn set_role(
    db: &Connection,
    minted: &UserId,
    email: &StaffEmail,
    account: &AccountId,
    role: Role,
    by: &AuditContext,
) -> Result<User> {
    let now = by.at.as_millisecond();
    db.prepare_cached("INSERT INTO users (id, email, created_at) VALUES (?1, ?2, ?3) ON CONFLICT (email) DO NOTHING")?
        .execute((minted.as_str(), email.as_str(), now))?;
    let user = by_email(db, email)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    let before = memberships(db, &user.id)?.into_iter().find(|one| one.account == *account).map(|one| one.role);
    if before != Some(role) {
        db.prepare_cached(
            "INSERT INTO memberships (user_id, account_id, role, created_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role",
        )?
        .execute((user.id.as_str(), account.as_str(), role.as_str(), now))?;
        audit::append(db, by, &audit_values::role_set(&user, account, before, role))?;
    }
    Ok(user)
}

fn by_email(db: &Connection, email: &StaffEmail) -> Result<Option<User>> {
    db.prepare_cached(concat!("SELECT ", user_columns!(), " FROM users WHERE email = ?1"))?
        .query_row([email.as_str()], |row| rows::user(&Record::new(row)))
        .optional()
}

fn memberships(db: &Connection, user: &UserId) -> Result<Vec<Membership>> {
    let sql = concat!(
        "SELECT ",
        user_columns!(),
        ", account_id, role FROM memberships JOIN users ON users.id = user_id WHERE user_id = ?1 ORDER BY account_id"
    );
    db.prepare_cached(sql)?.query_map([user.as_str()], |row| rows::membership(&Record::new(row)))?.collect()
}
