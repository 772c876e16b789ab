//! The port for the identities of people at sign-in providers.

use super::StoreError;
use crate::{
    AccountId, IdentityId, UserId,
    audit::AuditContext,
    people::{
        Identity, IdentityClaims, IdentityRefusal, LinkedIdentity, Role, Session, SessionStart,
        User,
    },
    secret::SecretDigest,
};
use async_trait::async_trait;
use std::{collections::BTreeMap, fmt::Debug};

/// Why a provider signed nobody in.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] IdentityRefusal),
    /// The store failed. The variant of [`StoreError`] shows whether something may have been
    /// written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The identities part of the store. What changes people appends its entries of the audit log in
/// the same transaction.
#[async_trait]
pub trait Identities: Debug + Send + Sync + 'static {
    /// Begins a session of the person with this identity. Who came by claims gets exactly these
    /// roles, and without any the person is deleted, and refused. An identity that is linked to
    /// nobody adds a person, if it has roles, and an e-mail address that no person has.
    async fn sign_in_with_identity(
        &self,
        claims: &IdentityClaims,
        roles: &BTreeMap<AccountId, Role>,
        start: &SessionStart,
        by: &AuditContext,
    ) -> Result<Session, IdentityError>;
    /// Enrols the person of an enrolment link with this identity, and begins a session. The
    /// person's earlier credentials, identities and sessions end.
    async fn enrol_with_identity(
        &self,
        link: SecretDigest,
        claims: &IdentityClaims,
        start: &SessionStart,
        by: &AuditContext,
    ) -> Result<Session, IdentityError>;
    /// Links an identity to the person of this session. `false` if the identity is linked to
    /// somebody, if the person has one of the same provider, or if the session has ended.
    async fn link_identity(
        &self,
        identity: &Identity,
        session: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// The identities of a person, the oldest first.
    async fn identities(&self, user: &UserId) -> Result<Vec<LinkedIdentity>, StoreError>;
    /// Removes an identity of this person. `false` if there is none, if it decides the person's
    /// roles, or if the person has no password to sign in with.
    async fn remove_identity(
        &self,
        user: &User,
        id: &IdentityId,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
}
