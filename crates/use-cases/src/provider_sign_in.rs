//! Sign-in, enrolment and fresh proofs of people whom a sign-in provider has recognised.

use jiff::Timestamp;
use std::{collections::BTreeMap, sync::Arc};
use tua_domain::{
    AccountId,
    audit::AuditContext,
    language::LanguageTag,
    people::{
        Device, IdentityClaims, IdentityRefusal, PROOF_MAX, Role, RoleMapping, Session,
        SessionStart, SessionToken, mapped_roles,
    },
    ports::{Accounts, Clock, Identities, IdentityError, People, StoreError},
    secret::SecretDigest,
};

/// Signs people in with what a provider says about them.
#[derive(Clone, Debug)]
pub struct ProviderSignIn {
    /// Where the identities of people at their sign-in provider are stored.
    pub identities: Arc<dyn Identities>,
    /// Where sessions are renewed after a proof.
    pub people: Arc<dyn People>,
    /// Has the accounts in which the roles of a provider count.
    pub accounts: Arc<dyn Accounts>,
    /// The time at which a renewed session is proven.
    pub clock: Arc<dyn Clock>,
    /// The roles of the provider's groups.
    pub mappings: Arc<[RoleMapping]>,
}

/// The browser of a person.
#[derive(Clone, Debug)]
pub struct Browser {
    /// What is known of it.
    pub device: Device,
    /// The language of the page.
    pub language: Option<LanguageTag>,
}

impl ProviderSignIn {
    /// Signs a person in. Who came by claims gets exactly the roles of the mapping.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn sign_in(
        &self,
        claims: &IdentityClaims,
        browser: Browser,
        by: &AuditContext,
    ) -> Result<SessionToken, IdentityError> {
        let roles = self.roles(claims).await?;
        let (start, token) = start(claims, browser, by.at);
        let session = self.identities.sign_in_with_identity(claims, &roles, &start, by).await?;
        tracing::info!(user = %session.user.id, "signed in to the dashboard with the sign-in \
            provider");
        Ok(token)
    }

    /// Enrols the person of an enrolment link with the provider, and signs the person in.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn enrol(
        &self,
        link: &str,
        claims: &IdentityClaims,
        browser: Browser,
        by: &AuditContext,
    ) -> Result<SessionToken, IdentityError> {
        let (start, token) = start(claims, browser, by.at);
        self.identities.enrol_with_identity(SecretDigest::of(link), claims, &start, by).await?;
        Ok(token)
    }

    /// Links an identity to the person of a session with a fresh proof.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn link(
        &self,
        session: &Session,
        claims: &IdentityClaims,
        by: &AuditContext,
    ) -> Result<(), IdentityError> {
        let is_fresh = session.is_fresh(by.at);
        if is_fresh && self.identities.link_identity(&claims.identity, session, by).await? {
            Ok(())
        } else {
            Err(IdentityRefusal::NotLinked.into())
        }
    }

    /// Proves a session again, with credentials that the person gave to the provider after
    /// `begun_at`. The session gets another token.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn prove(
        &self,
        session: &Session,
        claims: &IdentityClaims,
        begun_at: Timestamp,
    ) -> Result<SessionToken, IdentityError> {
        let own = self.identities.identities(&session.user.id).await?;
        if !own.iter().any(|one| one.identity == claims.identity) {
            return Err(IdentityRefusal::NotLinked.into());
        }
        if session.user.is_managed() && self.roles(claims).await?.is_empty() {
            return Err(IdentityRefusal::NoRole.into());
        }
        if !claims.is_authenticated_since(begun_at) {
            return Err(IdentityRefusal::NotFresh.into());
        }
        let token = SessionToken::generate();
        if self.people.renew_session(&session.id, token.digest(), self.clock.now()).await? {
            Ok(token)
        } else {
            Err(IdentityRefusal::NotLinked.into())
        }
    }

    /// The mapped roles in accounts that exist.
    async fn roles(
        &self,
        claims: &IdentityClaims,
    ) -> Result<BTreeMap<AccountId, Role>, StoreError> {
        let mut roles = mapped_roles(&self.mappings, &claims.groups);
        let accounts = self.accounts.accounts().await?;
        roles.retain(|account, _| {
            let exists = accounts.iter().any(|one| one.id == *account);
            if !exists {
                tracing::warn!(%account, "oidc.roles names an account that does not exist");
            }
            exists
        });
        Ok(roles)
    }
}

/// How the session begins. Its proof is as old as the credentials that the person gave to the
/// provider: who was signed in there already has proven nothing now.
fn start(
    claims: &IdentityClaims,
    Browser { device, language }: Browser,
    now: Timestamp,
) -> (SessionStart, SessionToken) {
    let token = SessionToken::generate();
    let proven_at = claims.authenticated_at.map_or(now - PROOF_MAX, |at| at.min(now));
    (SessionStart { digest: token.digest(), device, language, proven_at }, token)
}
