//! The [`Identities`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use std::collections::BTreeMap;
use tua_domain::{
    AccountId, IdentityId, UserId,
    audit::AuditContext,
    people::{Identity, IdentityClaims, LinkedIdentity, Role, Session, SessionStart, User},
    ports::{Identities, IdentityError, StoreError},
    secret::SecretDigest,
};
use tua_sql::queries::identities::{self, SignIn};

both_engines! {
    impl Identities {
        async fn sign_in_with_identity(
            &self,
            claims: &IdentityClaims,
            roles: &BTreeMap<AccountId, Role>,
            start: &SessionStart,
            by: &AuditContext,
        ) -> Result<Session, IdentityError> {
            let input = (claims.clone(), roles.clone(), start.clone(), by.clone());
            // A refusal is committed: the person without a role is deleted.
            let write = self.write(InDoubt::Surface, input, async |db, (claims, roles, start, by)| {
                identities::sign_in(db, claims, roles, start, by).await
            });
            match write.await? {
                SignIn::Begun(session) => Ok(*session),
                SignIn::Refused(refusal) => Err(refusal.into()),
            }
        }

        async fn enrol_with_identity(
            &self,
            link: SecretDigest,
            claims: &IdentityClaims,
            start: &SessionStart,
            by: &AuditContext,
        ) -> Result<Session, IdentityError> {
            let input = (claims.clone(), start.clone(), by.clone());
            self.try_write(InDoubt::Surface, input, async move |db, (claims, start, by)| {
                identities::enrol(db, link, claims, start, by).await
            })
            .await
        }

        async fn link_identity(
            &self,
            identity: &Identity,
            session: &Session,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (identity.clone(), session.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (identity, session, by)| {
                identities::link(db, identity, session, by).await
            })
            .await
        }

        async fn identities(&self, user: &UserId) -> Result<Vec<LinkedIdentity>, StoreError> {
            self.read(user.clone(), async |db, user| identities::of_user(db, user).await).await
        }

        async fn remove_identity(
            &self,
            user: &User,
            id: &IdentityId,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (user.clone(), id.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (user, id, by)| {
                identities::remove(db, user, id, by).await
            })
            .await
        }
    }
}
