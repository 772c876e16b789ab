//! Identities of a store whose methods fail as planned. No test plans a failure of these.

use super::failing_store::FailingStore;
use async_trait::async_trait;
use std::collections::BTreeMap;
use tua_domain::{
    AccountId, IdentityId, UserId,
    audit::AuditContext,
    people::{
        Identity, IdentityClaims, IdentityRefusal, LinkedIdentity, Role, Session, SessionStart,
        User,
    },
    ports::{Identities, StoreError},
    secret::SecretDigest,
};

#[async_trait]
impl Identities for FailingStore {
    async fn sign_in_with_identity(
        &self,
        claims: &IdentityClaims,
        roles: &BTreeMap<AccountId, Role>,
        start: &SessionStart,
        by: &AuditContext,
    ) -> Result<Result<Session, IdentityRefusal>, StoreError> {
        self.inner.sign_in_with_identity(claims, roles, start, by).await
    }

    async fn enrol_with_identity(
        &self,
        link: SecretDigest,
        claims: &IdentityClaims,
        start: &SessionStart,
        by: &AuditContext,
    ) -> Result<Result<Session, IdentityRefusal>, StoreError> {
        self.inner.enrol_with_identity(link, claims, start, by).await
    }

    async fn link_identity(
        &self,
        identity: &Identity,
        session: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.inner.link_identity(identity, session, by).await
    }

    async fn identities(&self, user: &UserId) -> Result<Vec<LinkedIdentity>, StoreError> {
        self.inner.identities(user).await
    }

    async fn remove_identity(
        &self,
        user: &User,
        id: &IdentityId,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.inner.remove_identity(user, id, by).await
    }
}
