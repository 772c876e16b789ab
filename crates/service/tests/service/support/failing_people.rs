//! People, their passkeys and their personal data, as the failing store has them.

use super::{
    failing_plan::Moment,
    failing_store::{FailingStore, failing},
};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use tua_domain::{
    AccountId, PasskeyId, SessionId, UserId,
    audit::AuditContext,
    mail::QueuedMail,
    people::{
        Credentials, Enrolment, EnrolmentLink, Invitation, Invited, Membership, NewPassword,
        Passkey, PasskeyChallenge, PasskeyRemoval, PasswordChange, Role, RoleChanger, SecondFactor,
        Session, StaffEmail, User,
    },
    persistent_bucket::PersistentBucket,
    ports::{
        EraseError, Erased, Passkeys, People, PersonalData, PersonsData, RoleError, StoreError,
    },
    privacy::Person,
    rate_limit::Exceeded,
    secret::SecretDigest,
};

failing! { People {
    fn set_role(
        &self, email: &StaffEmail, account: &AccountId, role: Role, changer: &RoleChanger,
        by: &AuditContext
    ) -> Result<User, RoleError>;
    fn invite(&self, invitation: Invitation, by: &AuditContext) -> Result<Invited, RoleError>;
    fn memberships_of_address(&self, email: &StaffEmail) -> Result<Vec<Membership>, StoreError>;
    fn is_browser_known(&self, browser: SecretDigest) -> Result<bool, StoreError>;
    fn remove_member(
        &self, email: &StaffEmail, account: &AccountId, changer: &RoleChanger, by: &AuditContext
    ) -> Result<(), RoleError>;
    fn user_by_email(&self, email: &StaffEmail) -> Result<Option<User>, StoreError>;
    fn user(&self, id: &UserId) -> Result<Option<User>, StoreError>;
    fn memberships(&self, user: &UserId) -> Result<Vec<Membership>, StoreError>;
    fn members(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError>;
    fn is_anybody_enrolled(&self) -> Result<bool, StoreError>;
    fn add_link(
        &self, link: EnrolmentLink, mail: Option<QueuedMail>, by: &AuditContext
    ) -> Result<(), StoreError>;
    fn link(
        &self, token: SecretDigest
    ) -> Result<Option<(EnrolmentLink, Option<User>)>, StoreError>;
    fn enrol(&self, enrolment: Enrolment, by: &AuditContext) -> Result<Option<User>, StoreError>;
    fn credentials(
        &self, email: &StaffEmail, browser: Option<SecretDigest>
    ) -> Result<Vec<Credentials>, StoreError>;
    fn use_second_factor(
        &self, user: &UserId, factor: SecondFactor, by: &AuditContext
    ) -> Result<bool, StoreError>;
    fn count_sign_in(
        &self, buckets: Vec<PersistentBucket>, now: Timestamp
    ) -> Result<Result<(), Exceeded>, StoreError>;
    fn change_password(
        &self, change: PasswordChange, by: &AuditContext
    ) -> Result<bool, StoreError>;
    fn add_password(
        &self, new: NewPassword, kept: &Session, by: &AuditContext
    ) -> Result<bool, StoreError>;
    fn replace_recovery_codes(
        &self, session: &Session, codes: Vec<SecretDigest>, by: &AuditContext
    ) -> Result<bool, StoreError>;
    fn recovery_codes_left(&self, user: &UserId) -> Result<u32, StoreError>;
    fn insert_session(&self, session: Session, ended: Timestamp) -> Result<(), StoreError>;
    fn session(&self, token: SecretDigest) -> Result<Option<Session>, StoreError>;
    fn sessions(&self, user: &UserId) -> Result<Vec<Session>, StoreError>;
    fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Result<(), StoreError>;
    fn renew_session(
        &self, id: &SessionId, token: SecretDigest, proven_at: Timestamp
    ) -> Result<bool, StoreError>;
    fn delete_session(
        &self, user: &User, id: &SessionId, by: &AuditContext
    ) -> Result<bool, StoreError>;
} }

failing! { Passkeys {
    fn add_challenge(&self, challenge: PasskeyChallenge, now: Timestamp) -> Result<(), StoreError>;
    fn take_challenge(&self, name: SecretDigest) -> Result<Option<PasskeyChallenge>, StoreError>;
    fn add_passkey(
        &self, passkey: Passkey, session: &Session, by: &AuditContext
    ) -> Result<bool, StoreError>;
    fn passkey(&self, credential_id: &[u8]) -> Result<Option<(Passkey, User)>, StoreError>;
    fn passkeys(&self, user: &UserId) -> Result<Vec<Passkey>, StoreError>;
    fn note_passkey(
        &self, id: &PasskeyId, credential: String, used_at: Timestamp, begins: Option<Session>
    ) -> Result<bool, StoreError>;
    fn remove_passkey(
        &self, user: &User, id: &PasskeyId, issuer: Option<&str>, by: &AuditContext
    ) -> Result<PasskeyRemoval, StoreError>;
} }

failing! { PersonalData {
    fn persons_data(&self, person: &Person) -> Result<PersonsData, StoreError>;
    fn erase_person(
        &self, person: &Person, live: SignedDuration, by: &AuditContext
    ) -> Result<Erased, EraseError>;
    fn scrub(&self, person: &Person) -> Result<bool, StoreError>;
} }
