//! The port for the people who use the dashboard.

use super::StoreError;
use crate::{
    AccountId, SessionId, UserId,
    audit::AuditContext,
    mail::QueuedMail,
    people::{
        Credentials, Enrolment, EnrolmentLink, Invitation, Invited, MemberAccess, Membership,
        NewPassword, PasswordChange, Role, RoleChanger, RoleRefusal, SecondFactor, Session,
        StaffEmail, User,
    },
    persistent_bucket::PersistentBucket,
    rate_limit::Exceeded,
    secret::SecretDigest,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// Why a role was not changed.
#[derive(Debug, thiserror::Error)]
pub enum RoleError {
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] RoleRefusal),
    /// The store failed. The variant of [`StoreError`] shows whether the role may have changed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an attempt to sign in was not counted.
#[derive(Debug, thiserror::Error)]
pub enum SignInCountError {
    /// There were too many attempts.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The store failed. The variant of [`StoreError`] shows whether the attempt may be counted.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The people part of the store. What changes people appends its entry of the audit log in the same
/// transaction, and the security notices about it.
#[async_trait]
pub trait People: Debug + Send + Sync + 'static {
    /// Gives a person this role in an account, where
    /// [`RoleChange`](crate::people::RoleChange) permits it. Adds the person if the address
    /// is new. Links that a person who has not enrolled got before end: they were made for another
    /// role.
    async fn set_role(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<User, RoleError>;
    /// As [`Self::set_role`], with a link for a person who has not enrolled, and the message with
    /// it. Earlier links of the person end.
    async fn invite(&self, invitation: Invitation, by: &AuditContext)
    -> Result<Invited, RoleError>;
    /// Removes a person from an account, by the same rules. Who is in no account then is deleted,
    /// with credentials and sessions.
    async fn remove_member(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<(), RoleError>;
    /// The memberships of everybody with this address, by person and account.
    async fn memberships_of_address(
        &self,
        email: &StaffEmail,
    ) -> Result<Vec<Membership>, StoreError>;
    /// The first person with this address.
    async fn user_by_email(&self, email: &StaffEmail) -> Result<Option<User>, StoreError>;
    /// The person with this id.
    async fn user(&self, id: &UserId) -> Result<Option<User>, StoreError>;
    /// The accounts of a person, by account.
    async fn memberships(&self, user: &UserId) -> Result<Vec<Membership>, StoreError>;
    /// The people of an account, by address.
    async fn members(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError>;
    /// The last sign-ins of the people of an account, and until when their links work, by id.
    async fn member_access(&self, account: &AccountId) -> Result<Vec<MemberAccess>, StoreError>;
    /// Whether any person has enrolled.
    async fn is_anybody_enrolled(&self) -> Result<bool, StoreError>;

    /// Inserts a link for an enrolment, and the message with it. Earlier links of the same person
    /// end.
    async fn add_link(
        &self,
        link: EnrolmentLink,
        mail: Option<QueuedMail>,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// The link with this token. It may have ended.
    async fn link(
        &self,
        token: SecretDigest,
    ) -> Result<Option<(EnrolmentLink, Option<User>)>, StoreError>;
    /// Enrols a person, and uses up the link. The person's earlier credentials and sessions end.
    /// `None` if the link has ended, if it is for the first set-up and somebody has enrolled, or if
    /// the passkey is of another person.
    async fn enrol(
        &self,
        enrolment: Enrolment,
        by: &AuditContext,
    ) -> Result<Option<User>, StoreError>;
    /// The credentials of everybody with this address who has a password or a passkey, and who has
    /// signed in with this browser.
    async fn credentials(
        &self,
        email: &StaffEmail,
        browser: Option<SecretDigest>,
    ) -> Result<Vec<Credentials>, StoreError>;
    /// Whether anybody has signed in with this browser.
    async fn is_browser_known(&self, browser: SecretDigest) -> Result<bool, StoreError>;
    /// Uses up a second factor. `false` if it was used before: a one-time code is accepted once,
    /// and none of an earlier time step is. The person gets a notice about a recovery code.
    async fn use_second_factor(
        &self,
        user: &UserId,
        factor: SecondFactor,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// Takes a token from each bucket, or from none if one is empty.
    async fn count_sign_in(
        &self,
        buckets: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<(), SignInCountError>;
    /// Changes a person's password, and ends the other sessions. `false` if the session was ended
    /// meanwhile.
    async fn change_password(
        &self,
        change: PasswordChange,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// Gives the session's person a first password, and ends the other sessions. `false` if the
    /// person has one, or if the session was ended meanwhile.
    async fn add_password(
        &self,
        new: NewPassword,
        kept: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// Replaces the recovery codes of the session's person. `false` if the session was ended
    /// meanwhile.
    async fn replace_recovery_codes(
        &self,
        session: &Session,
        codes: Vec<SecretDigest>,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// How many recovery codes a person has left.
    async fn recovery_codes_left(&self, user: &UserId) -> Result<u32, StoreError>;

    /// Inserts a session, and stores the language of its person and the browser. The person gets a
    /// notice about a new browser. The ended sessions of the person (with the last request before
    /// `ended`, or too old) are deleted. A sign-in is audited.
    async fn insert_session(
        &self,
        session: Session,
        ended: Timestamp,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Appends to the audit log that a code was refused behind the right password of this person.
    async fn append_refused_code(&self, user: &User, by: &AuditContext) -> Result<(), StoreError>;
    /// The session with this token. It may have ended.
    async fn session(&self, token: SecretDigest) -> Result<Option<Session>, StoreError>;
    /// The sessions of a person, the newest first. Some may have ended.
    async fn sessions(&self, user: &UserId) -> Result<Vec<Session>, StoreError>;
    /// Stores when the last request of a session came.
    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Result<(), StoreError>;
    /// Gives a session another token, after a fresh proof. `false` if there is no such session.
    async fn renew_session(
        &self,
        id: &SessionId,
        token: SecretDigest,
        proven_at: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Deletes all sessions of this person for another one, where
    /// [`may_sign_out`](crate::people::may_sign_out) permits it, and returns how many there were.
    async fn sign_out(
        &self,
        user: &User,
        changer: &UserId,
        by: &AuditContext,
    ) -> Result<u64, RoleError>;
    /// Inserts a link and its message, with which this person enrols again, for another one who
    /// may sign the person out. All sessions of the person end; the credentials stay valid until
    /// the link is used.
    async fn reset_access(
        &self,
        user: &User,
        changer: &UserId,
        new: (EnrolmentLink, QueuedMail),
        by: &AuditContext,
    ) -> Result<(), RoleError>;
    /// Deletes a session of this person. `false` if there is none.
    async fn delete_session(
        &self,
        user: &User,
        id: &SessionId,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
}
