//! The [`People`] port: the people who use the dashboard.

use super::sql::ready;
use super::{SqliteStore, buckets, credentials, roles, sessions};
use crate::audit_values;
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

#[async_trait]
impl People for SqliteStore {
    async fn set_role(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<User, RoleError> {
        let (email, account, changer, by) =
            (email.clone(), account.clone(), changer.clone(), by.clone());
        self.writer
            .write(move |db| roles::set(db, &email, &account, role, &changer, &by))
            .await?
            .map_err(Into::into)
    }

    async fn invite(
        &self,
        invitation: Invitation,
        by: &AuditContext,
    ) -> Result<Invited, RoleError> {
        let by = by.clone();
        self.writer.write(move |db| roles::invite(db, &invitation, &by)).await?.map_err(Into::into)
    }

    async fn remove_member(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<(), RoleError> {
        let (email, account, changer, by) =
            (email.clone(), account.clone(), changer.clone(), by.clone());
        self.writer
            .write(move |db| roles::remove(db, &email, &account, &changer, &by))
            .await?
            .map_err(Into::into)
    }

    async fn memberships_of_address(
        &self,
        email: &StaffEmail,
    ) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| ready(memberships::of_address(db, email)))
    }

    async fn user_by_email(&self, email: &StaffEmail) -> Result<Option<User>, StoreError> {
        self.readers.read(|db| ready(users::by_email(db, email)))
    }

    async fn user(&self, id: &UserId) -> Result<Option<User>, StoreError> {
        self.readers.read(|db| ready(users::by_id(db, id)))
    }

    async fn memberships(&self, user: &UserId) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| ready(memberships::of_user(db, user)))
    }

    async fn members(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| ready(memberships::of_account(db, account)))
    }

    async fn is_anybody_enrolled(&self) -> Result<bool, StoreError> {
        self.readers.read(credentials::is_anybody_enrolled)
    }

    async fn add_link(
        &self,
        link: EnrolmentLink,
        mail: Option<QueuedMail>,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let by = by.clone();
        self.writer.write(move |db| credentials::add_link(db, &link, mail.as_ref(), &by)).await
    }

    async fn link(
        &self,
        token: SecretDigest,
    ) -> Result<Option<(EnrolmentLink, Option<User>)>, StoreError> {
        self.readers.read(|db| credentials::link(db, token))
    }

    async fn enrol(
        &self,
        enrolment: Enrolment,
        by: &AuditContext,
    ) -> Result<Option<User>, StoreError> {
        let by = by.clone();
        let minted = UserId::mint();
        self.writer.write(move |db| credentials::enrol(db, &minted, &enrolment, &by)).await
    }

    async fn credentials(
        &self,
        email: &StaffEmail,
        browser: Option<SecretDigest>,
    ) -> Result<Vec<Credentials>, StoreError> {
        self.readers.read(|db| credentials::find(db, email, browser))
    }

    async fn is_browser_known(&self, browser: SecretDigest) -> Result<bool, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT 1 FROM known_browsers WHERE digest = ?1")?.exists([browser.0])
        })
    }

    async fn use_second_factor(
        &self,
        user: &UserId,
        factor: SecondFactor,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let user = user.clone();
        let by = by.clone();
        self.writer.write(move |db| credentials::use_second_factor(db, &user, factor, &by)).await
    }

    async fn count_sign_in(
        &self,
        counted: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Result<(), Exceeded>, StoreError> {
        self.writer.write(move |db| buckets::take(db, &counted, now)).await
    }

    async fn change_password(
        &self,
        change: PasswordChange,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let by = by.clone();
        self.writer.write(move |db| credentials::change_password(db, &change, &by)).await
    }

    async fn add_password(
        &self,
        new: NewPassword,
        kept: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let kept = kept.clone();
        let by = by.clone();
        self.writer.write(move |db| credentials::add_password(db, &new, &kept, &by)).await
    }

    async fn replace_recovery_codes(
        &self,
        session: &Session,
        codes: Vec<SecretDigest>,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        let by = by.clone();
        self.writer
            .write(move |db| credentials::replace_recovery_codes(db, &session, &codes, &by))
            .await
    }

    async fn recovery_codes_left(&self, user: &UserId) -> Result<u32, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT count(*) FROM recovery_codes WHERE user_id = ?1")?
                .query_row([user.as_str()], |row| row.get(0))
        })
    }

    async fn insert_session(&self, session: Session, ended: Timestamp) -> Result<(), StoreError> {
        self.writer.write(move |db| sessions::insert(db, &session, ended)).await
    }

    async fn session(&self, token: SecretDigest) -> Result<Option<Session>, StoreError> {
        self.readers.read(|db| sessions::by_digest(db, token))
    }

    async fn sessions(&self, user: &UserId) -> Result<Vec<Session>, StoreError> {
        self.readers.read(|db| sessions::of_user(db, user))
    }

    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.writer.write(move |db| sessions::note(db, &id, seen_at)).await
    }

    async fn renew_session(
        &self,
        id: &SessionId,
        token: SecretDigest,
        proven_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.writer.write(move |db| sessions::renew(db, &id, token, proven_at)).await
    }

    async fn delete_session(
        &self,
        user: &User,
        id: &SessionId,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let user = user.clone();
        let id = id.clone();
        let by = by.clone();
        self.writer
            .write(move |db| {
                let is_ended = sessions::delete(db, &user.id, &id)?;
                if is_ended {
                    ready(audit::append(
                        db,
                        &by,
                        &audit_values::people::session_ended(&user, &id),
                    ))?;
                }
                Ok(is_ended)
            })
            .await
    }
}
