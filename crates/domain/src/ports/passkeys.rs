//! The port for the passkeys of the people who use the dashboard.

use super::StoreError;
use crate::{
    PasskeyId, UserId,
    audit::AuditContext,
    people::{Passkey, PasskeyChallenge, PasskeyRemoval, Session, User},
    secret::SecretDigest,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The passkeys part of the store. What adds or removes one appends its entry of the audit log in
/// the same transaction.
#[async_trait]
pub trait Passkeys: Debug + Send + Sync + 'static {
    /// Inserts a challenge, and deletes those that ended before `now`.
    async fn add_challenge(
        &self,
        challenge: PasskeyChallenge,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Deletes the challenge with this name, and returns it. So of several signatures one counts.
    async fn take_challenge(
        &self,
        name: SecretDigest,
    ) -> Result<Option<PasskeyChallenge>, StoreError>;
    /// Adds a passkey of this session's person. `false` if its credential is known already, if the
    /// person has [`PASSKEYS_MAX`](crate::people::PASSKEYS_MAX), or if the session was
    /// ended meanwhile.
    async fn add_passkey(
        &self,
        passkey: Passkey,
        session: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// The passkey with this credential, and its person.
    async fn passkey(&self, credential_id: &[u8]) -> Result<Option<(Passkey, User)>, StoreError>;
    /// The passkeys of a person, the oldest first.
    async fn passkeys(&self, user: &UserId) -> Result<Vec<Passkey>, StoreError>;
    /// Stores that a passkey was used, and its new counter. A sign-in begins its session in the
    /// same transaction, which is audited. `false`, without a session, if the passkey was removed.
    async fn note_passkey(
        &self,
        id: &PasskeyId,
        credential: String,
        used_at: Timestamp,
        begins: Option<(Session, AuditContext)>,
    ) -> Result<bool, StoreError>;
    /// Removes a passkey of this person, unless it is the only way in. Of the person's identities,
    /// only one at the provider with this issuer identifier is another way in.
    async fn remove_passkey(
        &self,
        user: &User,
        id: &PasskeyId,
        issuer: Option<&str>,
        by: &AuditContext,
    ) -> Result<PasskeyRemoval, StoreError>;
}
