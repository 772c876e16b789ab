//! The [`People`] port: the people who use the dashboard.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::{
    AccountId, SessionId, UserId,
    audit::AuditContext,
    mail::QueuedMail,
    people::{
        Credentials, Enrolment, EnrolmentLink, Invitation, Invited, MemberAccess, Membership,
        NewPassword, PasswordChange, Role, RoleChanger, SecondFactor, Session, StaffEmail, User,
    },
    persistent_bucket::PersistentBucket,
    ports::{People, RoleError, SignInCountError, StoreError},
    secret::SecretDigest,
};
use tua_sql::queries::{access_reset, credentials, memberships, roles, sessions, users};

both_engines! {
    impl People {
        async fn set_role(
            &self,
            email: &StaffEmail,
            account: &AccountId,
            role: Role,
            changer: &RoleChanger,
            by: &AuditContext,
        ) -> Result<User, RoleError> {
            let input = (email.clone(), account.clone(), changer.clone(), by.clone());
            self.try_write(InDoubt::Retry, input, async move |db, (email, account, changer, by)| {
                roles::set(db, email, account, role, changer, by).await
            })
            .await
        }

        async fn invite(
            &self,
            invitation: Invitation,
            by: &AuditContext,
        ) -> Result<Invited, RoleError> {
            let input = (invitation, by.clone());
            self.try_write(InDoubt::Surface, input, async |db, (invitation, by)| {
                roles::invite(db, invitation, by).await
            })
            .await
        }

        async fn remove_member(
            &self,
            email: &StaffEmail,
            account: &AccountId,
            changer: &RoleChanger,
            by: &AuditContext,
        ) -> Result<(), RoleError> {
            let input = (email.clone(), account.clone(), changer.clone(), by.clone());
            self.try_write(InDoubt::Surface, input, async |db, (email, account, changer, by)| {
                roles::remove(db, email, account, changer, by).await
            })
            .await
        }

        async fn memberships_of_address(
            &self,
            email: &StaffEmail,
        ) -> Result<Vec<Membership>, StoreError> {
            self.read(email.clone(), async |db, email| memberships::of_address(db, email).await)
                .await
        }

        async fn user_by_email(&self, email: &StaffEmail) -> Result<Option<User>, StoreError> {
            self.read(email.clone(), async |db, email| users::by_email(db, email).await).await
        }

        async fn user(&self, id: &UserId) -> Result<Option<User>, StoreError> {
            self.read(id.clone(), async |db, id| users::by_id(db, id).await).await
        }

        async fn memberships(&self, user: &UserId) -> Result<Vec<Membership>, StoreError> {
            self.read(user.clone(), async |db, user| memberships::of_user(db, user).await).await
        }

        async fn members(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError> {
            self.read(account.clone(), async |db, account| {
                memberships::of_account(db, account).await
            })
            .await
        }

        async fn member_access(
            &self,
            account: &AccountId,
        ) -> Result<Vec<MemberAccess>, StoreError> {
            self.read(account.clone(), async |db, account| {
                memberships::access_of_account(db, account).await
            })
            .await
        }

        async fn is_anybody_enrolled(&self) -> Result<bool, StoreError> {
            self.read((), async |db, ()| credentials::is_anybody_enrolled(db).await).await
        }

        async fn add_link(
            &self,
            link: EnrolmentLink,
            mail: Option<QueuedMail>,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (link, mail, by.clone());
            self.write(InDoubt::Surface, input, async |db, (link, mail, by)| {
                credentials::add_link(db, link, mail.as_ref(), by).await
            })
            .await
        }

        async fn link(
            &self,
            token: SecretDigest,
        ) -> Result<Option<(EnrolmentLink, Option<User>)>, StoreError> {
            self.read(token, async |db, token| credentials::link(db, *token).await).await
        }

        async fn enrol(
            &self,
            enrolment: Enrolment,
            by: &AuditContext,
        ) -> Result<Option<User>, StoreError> {
            let input = (UserId::mint(), enrolment, by.clone());
            self.write(InDoubt::Surface, input, async |db, (minted, enrolment, by)| {
                credentials::enrol(db, minted, enrolment, by).await
            })
            .await
        }

        async fn credentials(
            &self,
            email: &StaffEmail,
            browser: Option<SecretDigest>,
        ) -> Result<Vec<Credentials>, StoreError> {
            self.read(email.clone(), async move |db, email| {
                credentials::find(db, email, browser).await
            })
            .await
        }

        async fn is_browser_known(&self, browser: SecretDigest) -> Result<bool, StoreError> {
            self.read(browser, async |db, browser| {
                credentials::is_browser_known(db, *browser).await
            })
            .await
        }

        async fn use_second_factor(
            &self,
            user: &UserId,
            factor: SecondFactor,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (user.clone(), by.clone());
            self.write(InDoubt::Surface, input, async move |db, (user, by)| {
                credentials::use_second_factor(db, user, factor, by).await
            })
            .await
        }

        async fn count_sign_in(
            &self,
            counted: Vec<PersistentBucket>,
            now: Timestamp,
        ) -> Result<(), SignInCountError> {
            self.take_tokens(counted, now).await
        }

        async fn change_password(
            &self,
            change: PasswordChange,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Retry, (change, by.clone()), async |db, (change, by)| {
                credentials::change_password(db, change, by).await
            })
            .await
        }

        async fn add_password(
            &self,
            new: NewPassword,
            kept: &Session,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (new, kept.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (new, kept, by)| {
                credentials::add_password(db, new, kept, by).await
            })
            .await
        }

        async fn replace_recovery_codes(
            &self,
            session: &Session,
            codes: Vec<SecretDigest>,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (session.clone(), codes, by.clone());
            self.write(InDoubt::Retry, input, async |db, (session, codes, by)| {
                credentials::replace_recovery_codes(db, session, codes, by).await
            })
            .await
        }

        async fn recovery_codes_left(&self, user: &UserId) -> Result<u32, StoreError> {
            self.read(user.clone(), async |db, user| {
                credentials::recovery_codes_left(db, user).await
            })
            .await
        }

        async fn insert_session(
            &self,
            session: Session,
            ended: Timestamp,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (session, by.clone());
            self.write(InDoubt::Surface, input, async move |db, (session, by)| {
                sessions::begin(db, session, ended, by).await
            })
            .await
        }

        async fn append_refused_code(
            &self,
            user: &User,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (user.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (user, by)| {
                credentials::append_refused_code(db, user, by).await
            })
            .await
        }

        async fn session(&self, token: SecretDigest) -> Result<Option<Session>, StoreError> {
            self.read(token, async |db, token| sessions::by_digest(db, *token).await).await
        }

        async fn sessions(&self, user: &UserId) -> Result<Vec<Session>, StoreError> {
            self.read(user.clone(), async |db, user| sessions::of_user(db, user).await).await
        }

        async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, id.clone(), async move |db, id| {
                sessions::note(db, id, seen_at).await
            })
            .await
        }

        async fn renew_session(
            &self,
            id: &SessionId,
            token: SecretDigest,
            proven_at: Timestamp,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Retry, id.clone(), async move |db, id| {
                sessions::renew(db, id, token, proven_at).await
            })
            .await
        }

        async fn sign_out(
            &self,
            user: &User,
            changer: &UserId,
            by: &AuditContext,
        ) -> Result<u64, RoleError> {
            let input = (user.clone(), changer.clone(), by.clone());
            self.try_write(InDoubt::Retry, input, async |db, (user, changer, by)| {
                sessions::sign_out(db, user, changer, by).await
            })
            .await
        }

        async fn reset_access(
            &self,
            user: &User,
            changer: &UserId,
            new: (EnrolmentLink, QueuedMail),
            by: &AuditContext,
        ) -> Result<(), RoleError> {
            let input = (user.clone(), changer.clone(), new, by.clone());
            self.try_write(InDoubt::Surface, input, async |db, (user, changer, new, by)| {
                access_reset::reset(db, user, changer, (&new.0, &new.1), by).await
            })
            .await
        }

        async fn delete_session(
            &self,
            user: &User,
            id: &SessionId,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (user.clone(), id.clone(), by.clone());
            self.write(InDoubt::Retry, input, async |db, (user, id, by)| {
                sessions::end(db, user, id, by).await
            })
            .await
        }
    }
}
