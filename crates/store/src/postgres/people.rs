//! The [`People`] port: the people who use the dashboard.

use super::{PostgresStore, buckets, credentials, error::Error, roles, sessions};
use crate::audit_values;
use crate::in_doubt::InDoubt;
use crate::queries::audit;
use crate::queries::{memberships, users};
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    AccountId, SessionId, UserId,
    audit::AuditContext,
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
        self.tx.read(|db| async move { memberships::of_address(&db, email).await }).await
    }

    async fn user_by_email(&self, email: &StaffEmail) -> Stored<Option<User>> {
        self.tx.read(|db| async move { users::by_email(&db, email).await }).await
    }

    async fn user(&self, id: &UserId) -> Stored<Option<User>> {
        self.tx.read(|db| async move { users::by_id(&db, id).await }).await
    }

    async fn memberships(&self, user: &UserId) -> Stored<Vec<Membership>> {
        self.tx.read(|db| async move { memberships::of_user(&db, user).await }).await
    }

    async fn members(&self, account: &AccountId) -> Stored<Vec<Membership>> {
        self.tx.read(|db| async move { memberships::of_account(&db, account).await }).await
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
        let mail = mail.as_ref();
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
                    audit::append(&db, by, &audit_values::people::session_ended(user, id)).await?;
                }
                Ok(is_ended)
            })
            .await
    }
}
