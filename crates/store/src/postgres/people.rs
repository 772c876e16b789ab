//! The people who use the dashboard: the port, and their roles.

use super::{
    PostgresStore, audit, buckets, credentials,
    db::Db,
    error::{Error, Result},
    in_doubt::InDoubt,
    record::at,
    roles, sessions,
};
use crate::{
    audit_values,
    rows::{self, user_columns},
};
use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::types::ToSql;
use tua_domain::{
    AccountId, SessionId, UserId,
    audit::AuditContext,
    limit_lift::loses_decider,
    mail::QueuedMail,
    people::{
        Credentials, Enrolment, EnrolmentLink, Invitation, Invited, Membership, NewPassword,
        PasswordChange, Role, RoleChanger, SecondFactor, Session, StaffEmail, User,
    },
    persistent_bucket::PersistentBucket,
    ports::{People, RoleError, StoreError},
    rate_limit::Exceeded,
    secret::SecretDigest,
};

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
            .try_write(InDoubt::Retry, |db| async move {
                roles::set(&db, email, account, role, changer, by).await
            })
            .await?
    }

    async fn invite(&self, invitation: Invitation, by: &AuditContext) -> Changed<Invited> {
        let invitation = &invitation;
        self.tx
            .try_write(
                InDoubt::Surface,
                |db| async move { roles::invite(&db, invitation, by).await },
            )
            .await?
    }

    async fn remove_member(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Changed<()> {
        self.tx
            .try_write(InDoubt::Surface, |db| async move {
                roles::remove(&db, email, account, changer, by).await
            })
            .await?
    }

    async fn memberships_of_address(&self, email: &StaffEmail) -> Stored<Vec<Membership>> {
        self.tx.read(|db| async move { memberships_of_address(&db, email).await }).await
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

    async fn add_link(
        &self,
        link: EnrolmentLink,
        mail: Option<QueuedMail>,
        by: &AuditContext,
    ) -> Stored<()> {
        let link = &link;
        let mail = mail.as_slice();
        self.tx
            .write(InDoubt::Surface, |db| async move {
                credentials::add_link(&db, link, mail, by).await
            })
            .await
    }

    async fn link(&self, token: SecretDigest) -> Stored<Option<(EnrolmentLink, Option<User>)>> {
        self.tx.read(|db| async move { credentials::link(&db, token).await }).await
    }

    async fn enrol(&self, enrolment: Enrolment, by: &AuditContext) -> Stored<Option<User>> {
        let enrolment = &enrolment;
        let minted = &UserId::mint();
        self.tx
            .write(InDoubt::Surface, |db| async move {
                credentials::enrol(&db, minted, enrolment, by).await
            })
            .await
    }

    async fn credentials(
        &self,
        email: &StaffEmail,
        browser: Option<SecretDigest>,
    ) -> Stored<Vec<Credentials>> {
        self.tx.read(|db| async move { credentials::find(&db, email, browser).await }).await
    }

    async fn is_browser_known(&self, browser: SecretDigest) -> Stored<bool> {
        let sql = "SELECT 1 FROM known_browsers WHERE digest = $1 LIMIT 1";
        self.tx
            .read(|db| async move { Ok(db.query_opt(sql, &[&&browser.0[..]]).await?.is_some()) })
            .await
    }

    async fn use_second_factor(
        &self,
        user: &UserId,
        factor: SecondFactor,
        by: &AuditContext,
    ) -> Stored<bool> {
        self.tx
            .write(InDoubt::Surface, |db| async move {
                credentials::use_second_factor(&db, user, factor, by).await
            })
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
        self.tx
            .write(InDoubt::Retry, |db| async move {
                credentials::change_password(&db, change, by).await
            })
            .await
    }

    async fn add_password(
        &self,
        new: NewPassword,
        kept: &Session,
        by: &AuditContext,
    ) -> Stored<bool> {
        let new = &new;
        self.tx
            .write(InDoubt::Surface, |db| async move {
                credentials::add_password(&db, new, kept, by).await
            })
            .await
    }

    async fn replace_recovery_codes(
        &self,
        session: &Session,
        codes: Vec<SecretDigest>,
        by: &AuditContext,
    ) -> Stored<bool> {
        let codes = codes.as_slice();
        self.tx
            .write(InDoubt::Retry, |db| async move {
                credentials::replace_recovery_codes(&db, session, codes, by).await
            })
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
        self.tx
            .write(
                InDoubt::Surface,
                |db| async move { sessions::insert(&db, session, ended).await },
            )
            .await
    }

    async fn session(&self, token: SecretDigest) -> Stored<Option<Session>> {
        self.tx.read(|db| async move { sessions::by_digest(&db, token).await }).await
    }

    async fn sessions(&self, user: &UserId) -> Stored<Vec<Session>> {
        self.tx.read(|db| async move { sessions::of_user(&db, user).await }).await
    }

    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Stored<()> {
        self.tx
            .write(InDoubt::Retry, |db| async move { sessions::note(&db, id, seen_at).await })
            .await
    }

    async fn renew_session(
        &self,
        id: &SessionId,
        token: SecretDigest,
        proven_at: Timestamp,
    ) -> Stored<bool> {
        self.tx
            .write(
                InDoubt::Retry,
                |db| async move { sessions::renew(&db, id, token, proven_at).await },
            )
            .await
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

/// Inserts a person who has no role and is not enrolled yet.
pub(super) async fn add(
    db: &Db,
    id: &UserId,
    email: &StaffEmail,
    by: &AuditContext,
) -> Result<User> {
    let insert = "INSERT INTO users (id, email, created_at) VALUES ($1, $2, $3)";
    db.execute(insert, &[&id.as_str(), &email.as_str(), &at(by.at)]).await?;
    by_id(db, id).await?.ok_or(Error::MissingRow)
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

pub(super) async fn delete_membership(
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
    let member = memberships(db, user).await?.into_iter().find(|one| one.account == *account);
    if member.is_some_and(|member| loses_decider(&member, role)) {
        let update = "UPDATE accounts SET decider_lost_at = $2 WHERE id = $1";
        db.execute(update, &[&account.as_str(), &at(lost_at)]).await?;
    }
    Ok(())
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

/// Locks the account's row: two owners who remove each other must wait for one another, and an
/// address names one person in the account.
pub(super) async fn lock_people_of(db: &Db, account: &AccountId) -> Result<()> {
    db.query("SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE", &[&account.as_str()])
        .await
        .map(drop)
}

pub(super) async fn by_id(db: &Db, id: &UserId) -> Result<Option<User>> {
    let sql = concat!("SELECT ", user_columns!(), " FROM users WHERE id = $1");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::user).transpose()
}

/// Locks everybody with this address: who is removed from the last account is deleted, and another
/// account may add the person at the same time.
pub(super) async fn lock_address(db: &Db, email: &StaffEmail) -> Result<()> {
    db.query("SELECT id FROM users WHERE email = $1 ORDER BY id FOR UPDATE", &[&email.as_str()])
        .await
        .map(drop)
}

pub(super) async fn by_email(db: &Db, email: &StaffEmail) -> Result<Option<User>> {
    let sql =
        concat!("SELECT ", user_columns!(), " FROM users WHERE email = $1 ORDER BY id LIMIT 1");
    db.query_opt(sql, &[&email.as_str()]).await?.as_ref().map(rows::user).transpose()
}

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

pub(super) async fn memberships(db: &Db, user: &UserId) -> Result<Vec<Membership>> {
    let sql = select!("WHERE user_id = $1 ORDER BY account_id");
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::membership).collect()
}

pub(super) async fn members(db: &Db, account: &AccountId) -> Result<Vec<Membership>> {
    let sql = select!("WHERE account_id = $1 ORDER BY email COLLATE \"C\"");
    db.query(sql, &[&account.as_str()]).await?.iter().map(rows::membership).collect()
}

/// The memberships of everybody with this address, by person and account.
pub(super) async fn memberships_of_address(db: &Db, email: &StaffEmail) -> Result<Vec<Membership>> {
    let sql = select!("WHERE email = $1 ORDER BY user_id, account_id");
    db.query(sql, &[&email.as_str()]).await?.iter().map(rows::membership).collect()
}
