//! The people who use the dashboard: the port, and their roles.

use super::{
    PostgresStore, audit, buckets, credentials,
    db::Db,
    error::{Error, Result},
    in_doubt::InDoubt,
    record::at,
    security_notices, sessions,
};
use crate::{
    domain::{
        AccountId, SessionId, UserId,
        audit::AuditContext,
        mail::{QueuedMail, SecurityEvent},
        people::{
            Credentials, Enrolment, EnrolmentLink, Membership, NewPassword, PasswordChange, Role, RoleChange,
            RoleChanger, RoleRefusal, SecondFactor, Session, StaffEmail, User,
        },
        persistent_bucket::PersistentBucket,
        ports::{People, RoleError, StoreError},
        rate_limit::Exceeded,
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
type Changed<T> = std::result::Result<T, RoleError>;

#[async_trait]
impl People for PostgresStore {
    async fn set_role(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Changed<User> {
        self.tx
            .try_write(InDoubt::Retry, |db| async move { set_role(&db, email, account, role, changer, by).await })
            .await?
    }

    async fn remove_member(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Changed<()> {
        self.tx.try_write(InDoubt::Surface, |db| async move { remove(&db, email, account, changer, by).await }).await?
    }

    async fn user_by_email(&self, email: &StaffEmail) -> Stored<Option<User>> {
        self.tx.read(|db| async move { by_email(&db, email).await }).await
    }

    async fn user(&self, id: &UserId) -> Stored<Option<User>> {
        self.tx.read(|db| async move { by_id(&db, id).await }).await
    }

    async fn memberships(&self, user: &UserId) -> Stored<Vec<Membership>> {
        self.tx.read(|db| async move { memberships(&db, user).await }).await
    }

    async fn members(&self, account: &AccountId) -> Stored<Vec<Membership>> {
        self.tx.read(|db| async move { members(&db, account).await }).await
    }

    async fn is_anybody_enrolled(&self) -> Stored<bool> {
        self.tx.read(|db| async move { credentials::is_anybody_enrolled(&db).await }).await
    }

    async fn add_link(&self, link: EnrolmentLink, mail: Option<QueuedMail>, by: &AuditContext) -> Stored<()> {
        let (link, mail) = (&link, mail.as_slice());
        self.tx.write(InDoubt::Surface, |db| async move { credentials::add_link(&db, link, mail, by).await }).await
    }

    async fn link(&self, token: SecretDigest) -> Stored<Option<(EnrolmentLink, Option<User>)>> {
        self.tx.read(|db| async move { credentials::link(&db, token).await }).await
    }

    async fn enrol(&self, enrolment: Enrolment, by: &AuditContext) -> Stored<Option<User>> {
        let (enrolment, minted) = (&enrolment, &UserId::mint());
        self.tx.write(InDoubt::Surface, |db| async move { credentials::enrol(&db, minted, enrolment, by).await }).await
    }

    async fn credentials(&self, email: &StaffEmail) -> Stored<Option<Credentials>> {
        self.tx.read(|db| async move { credentials::find(&db, email).await }).await
    }

    async fn use_second_factor(&self, user: &UserId, factor: SecondFactor, by: &AuditContext) -> Stored<bool> {
        self.tx
            .write(InDoubt::Surface, |db| async move { credentials::use_second_factor(&db, user, factor, by).await })
            .await
    }

    async fn count_sign_in(
        &self,
        counted: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Stored<std::result::Result<(), Exceeded>> {
        let counted = &counted;
        self.tx
            .try_write(InDoubt::Surface, |db| async move {
                // A bucket that still had a token gets it back when the transaction is rolled back.
                let empty = buckets::take(&db, counted.iter().map(|bucket| (bucket, now))).await?;
                Ok(empty.into_values().next().map_or(Ok(()), Err))
            })
            .await
    }

    async fn change_password(&self, change: PasswordChange, by: &AuditContext) -> Stored<bool> {
        let change = &change;
        self.tx.write(InDoubt::Retry, |db| async move { credentials::change_password(&db, change, by).await }).await
    }

    async fn add_password(&self, new: NewPassword, kept: &Session, by: &AuditContext) -> Stored<bool> {
        let new = &new;
        self.tx.write(InDoubt::Surface, |db| async move { credentials::add_password(&db, new, kept, by).await }).await
    }

    async fn replace_recovery_codes(
        &self,
        session: &Session,
        codes: Vec<SecretDigest>,
        by: &AuditContext,
    ) -> Stored<bool> {
        let codes = codes.as_slice();
        self.tx
            .write(
                InDoubt::Retry,
                |db| async move { credentials::replace_recovery_codes(&db, session, codes, by).await },
            )
            .await
    }

    async fn recovery_codes_left(&self, user: &UserId) -> Stored<u32> {
        let sql = "SELECT count(*) FROM recovery_codes WHERE user_id = $1";
        self.tx
            .read(|db| async move {
                let row = db.query_opt(sql, &[&user.as_str()]).await?.ok_or(Error::MissingRow)?;
                u32::try_from(row.try_get::<_, i64>(0)?).map_err(|_| Error::MissingRow)
            })
            .await
    }

    async fn insert_session(&self, session: Session, ended: Timestamp) -> Stored<()> {
        let session = &session;
        self.tx.write(InDoubt::Surface, |db| async move { sessions::insert(&db, session, ended).await }).await
    }

    async fn session(&self, token: SecretDigest) -> Stored<Option<Session>> {
        self.tx.read(|db| async move { sessions::by_digest(&db, token).await }).await
    }

    async fn sessions(&self, user: &UserId) -> Stored<Vec<Session>> {
        self.tx.read(|db| async move { sessions::of_user(&db, user).await }).await
    }

    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Stored<()> {
        self.tx.write(InDoubt::Retry, |db| async move { sessions::note(&db, id, seen_at).await }).await
    }

    async fn renew_session(&self, id: &SessionId, token: SecretDigest, proven_at: Timestamp) -> Stored<bool> {
        self.tx.write(InDoubt::Retry, |db| async move { sessions::renew(&db, id, token, proven_at).await }).await
    }

    async fn delete_session(&self, user: &User, id: &SessionId, by: &AuditContext) -> Stored<bool> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                let is_ended = sessions::delete(&db, &user.id, id).await?;
                if is_ended {
                    audit::append(&db, by, &audit_values::session_ended(user, id)).await?;
                }
                Ok(is_ended)
            })
            .await
    }
}

async fn set_role(
    db: &Db,
    email: &StaffEmail,
    account: &AccountId,
    role: Role,
    changer: &RoleChanger,
    by: &AuditContext,
) -> Result<Changed<User>> {
    lock_people_of(db, account).await?;
    let person = locked_by_email(db, email).await?;
    let before = match check(db, person.as_ref(), account, Some(role), changer).await? {
        Ok(before) => before,
        Err(refusal) => return Ok(Err(refusal.into())),
    };
    let user = add(db, &UserId::mint(), email, by).await?;
    if before != Some(role) {
        insert(db, &user, account, role, by).await?;
        audit::append(db, by, &audit_values::role_set(&user, account, before, role)).await?;
        security_notices::tell_role(db, SecurityEvent::RoleSet, &user, account, role, by).await?;
    }
    Ok(Ok(user))
}

/// The role that the person has now, if it may be changed.
async fn check(
    db: &Db,
    person: Option<&User>,
    account: &AccountId,
    role: Option<Role>,
    changer: &RoleChanger,
) -> Result<std::result::Result<Option<Role>, RoleRefusal>> {
    let of_person = match person {
        Some(person) => memberships(db, &person.id).await?,
        None => Vec::new(),
    };
    let of_changer = match changer {
        RoleChanger::CommandLine => None,
        RoleChanger::Person(id) => Some(memberships(db, id).await?),
    };
    let members = members(db, account).await?;
    let change =
        RoleChange { account, members: &members, of_person: &of_person, role, of_changer: of_changer.as_deref() };
    Ok(change.check())
}

/// Adds the person, if the address is new.
pub(super) async fn add(db: &Db, minted: &UserId, email: &StaffEmail, by: &AuditContext) -> Result<User> {
    let insert = "INSERT INTO users (id, email, created_at) VALUES ($1, $2, $3) ON CONFLICT (email) DO NOTHING";
    db.execute(insert, &[&minted.as_str(), &email.as_str(), &at(by.at)]).await?;
    by_email(db, email).await?.ok_or(Error::MissingRow)
}

/// Inserts or changes a membership.
pub(super) async fn insert(db: &Db, user: &User, account: &AccountId, role: Role, by: &AuditContext) -> Result<()> {
    let sql = "INSERT INTO memberships (user_id, account_id, role, created_at) VALUES ($1, $2, $3, $4)
               ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role";
    db.execute(sql, &[&user.id.as_str(), &account.as_str(), &role.as_str(), &at(by.at)]).await.map(drop)
}

async fn remove(
    db: &Db,
    email: &StaffEmail,
    account: &AccountId,
    changer: &RoleChanger,
    by: &AuditContext,
) -> Result<Changed<()>> {
    lock_people_of(db, account).await?;
    let person = locked_by_email(db, email).await?;
    let role = match check(db, person.as_ref(), account, None, changer).await? {
        Ok(role) => role,
        Err(refusal) => return Ok(Err(refusal.into())),
    };
    let (Some(person), Some(role)) = (person, role) else { return Ok(Err(RoleRefusal::NotMember.into())) };
    delete_membership(db, &person.id, account).await?;
    security_notices::tell_role(db, SecurityEvent::RoleRemoved, &person, account, role, by).await?;
    if memberships(db, &person.id).await?.is_empty() {
        delete(db, &person.id).await?;
    }
    audit::append(db, by, &audit_values::role_removed(&person, account, role)).await?;
    Ok(Ok(()))
}

pub(super) async fn delete_membership(db: &Db, user: &UserId, account: &AccountId) -> Result<()> {
    let delete = "DELETE FROM memberships WHERE user_id = $1 AND account_id = $2";
    db.execute(delete, &[&user.as_str(), &account.as_str()]).await.map(drop)
}

/// Deletes a person who is in no account, with credentials and sessions.
pub(super) async fn delete(db: &Db, user: &UserId) -> Result<()> {
    for sql in [
        "DELETE FROM dashboard_sessions WHERE user_id = $1",
        "DELETE FROM recovery_codes WHERE user_id = $1",
        "DELETE FROM enrolment_links WHERE user_id = $1",
        "DELETE FROM mail_messages WHERE user_id = $1",
        "DELETE FROM passkey_challenges WHERE user_id = $1",
        "DELETE FROM known_browsers WHERE user_id = $1",
        "DELETE FROM passkeys WHERE user_id = $1",
        "DELETE FROM identities WHERE user_id = $1",
        "DELETE FROM users WHERE id = $1",
    ] {
        db.execute(sql, &[&user.as_str()]).await?;
    }
    Ok(())
}

/// Locks the account's row: two owners who remove each other must wait for one another.
async fn lock_people_of(db: &Db, account: &AccountId) -> Result<()> {
    db.query("SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE", &[&account.as_str()]).await.map(drop)
}

async fn by_id(db: &Db, id: &UserId) -> Result<Option<User>> {
    let sql = concat!("SELECT ", user_columns!(), " FROM users WHERE id = $1");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::user).transpose()
}

/// The person with this address, whose row is locked: who is removed from the last account is deleted, and another
/// account may add the person at the same time.
pub(super) async fn locked_by_email(db: &Db, email: &StaffEmail) -> Result<Option<User>> {
    let sql = concat!("SELECT ", user_columns!(), " FROM users WHERE email = $1 FOR UPDATE");
    db.query_opt(sql, &[&email.as_str()]).await?.as_ref().map(rows::user).transpose()
}

async fn by_email(db: &Db, email: &StaffEmail) -> Result<Option<User>> {
    let sql = concat!("SELECT ", user_columns!(), " FROM users WHERE email = $1");
    db.query_opt(sql, &[&email.as_str()]).await?.as_ref().map(rows::user).transpose()
}

macro_rules! select {
    ($end:literal) => {
        concat!(
            "SELECT ",
            user_columns!(),
            ", account_id, role FROM memberships JOIN users ON users.id = user_id ",
            $end
        )
    };
}

pub(super) async fn memberships(db: &Db, user: &UserId) -> Result<Vec<Membership>> {
    let sql = select!("WHERE user_id = $1 ORDER BY account_id");
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::membership).collect()
}

async fn members(db: &Db, account: &AccountId) -> Result<Vec<Membership>> {
    let sql = select!("WHERE account_id = $1 ORDER BY email COLLATE \"C\"");
    db.query(sql, &[&account.as_str()]).await?.iter().map(rows::membership).collect()
}
