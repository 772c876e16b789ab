//! The port for sessions with a PIN.

use super::StoreError;
use crate::{
    SessionId,
    audit::AuditContext,
    people::{PasswordHash, Session},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The part of the store for the PINs of sessions, and for the locks of sessions that have one.
#[async_trait]
pub trait TillPins: Debug + Send + Sync + 'static {
    /// Gives a session a PIN, or another one. Audited. `false` if the session was ended meanwhile.
    async fn set_till_pin(
        &self,
        session: &Session,
        pin: PasswordHash,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// Removes the PIN of a session. Audited. `false` if there is none.
    async fn remove_till_pin(
        &self,
        session: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// Locks a session that has a PIN. `false` if there is no such session.
    async fn lock_session(&self, id: &SessionId, now: Timestamp) -> Result<bool, StoreError>;
    /// Counts a try of a PIN, before the PIN is compared. Returns how many there were since the
    /// session was last unlocked; `None` if none is left, or if there is no such session.
    async fn count_pin_try(&self, id: &SessionId) -> Result<Option<u32>, StoreError>;
    /// Unlocks a session whose PIN is still this one. The tries begin again, the request counts as
    /// use, and earlier proofs are not fresh any more. `false` if there is no such session.
    async fn unlock_session(
        &self,
        id: &SessionId,
        pin: &PasswordHash,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Ends a session that has no tries left. Audited. `false` if it has some, because the right
    /// PIN was entered meanwhile, or if it has ended.
    async fn end_locked_out(
        &self,
        session: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
}
