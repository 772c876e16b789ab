//! The port for the people who use the dashboard.

use super::StoreError;
use crate::domain::{
    AccountId, SessionId, UserId,
    audit::AuditContext,
    people::{Membership, Role, Session, StaffEmail, User},
    secret::SecretDigest,
};
use async_trait::async_trait;
use jiff::Timestamp;

/// The people part of the store.
#[async_trait]
pub trait People {
    /// Gives a person this role in an account. Adds the person if nobody has this address. The entry of the audit log is
    /// appended in the same transaction.
    async fn set_role(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        by: &AuditContext,
    ) -> Result<User, StoreError>;
    /// The accounts of a person, by account.
    async fn memberships(&self, user: &UserId) -> Result<Vec<Membership>, StoreError>;
    /// The people of an account, by address.
    async fn members(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError>;

    /// Inserts a session.
    async fn insert_session(&self, session: Session) -> Result<(), StoreError>;
    /// The session with this token. It may have ended.
    async fn session(&self, token: SecretDigest) -> Result<Option<Session>, StoreError>;
    /// Stores when the last request of a session came.
    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Result<(), StoreError>;
    /// Deletes a session of this person. `false` if there is none.
    async fn delete_session(&self, user: &UserId, id: &SessionId) -> Result<bool, StoreError>;
}
