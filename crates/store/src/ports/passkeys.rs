//! Passkeys of people: the [`Passkeys`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::{
    PasskeyId, UserId,
    audit::AuditContext,
    people::{Passkey, PasskeyChallenge, PasskeyRemoval, Session, User},
    ports::{Passkeys, StoreError},
    secret::SecretDigest,
};
use tua_sql::queries::passkeys;

both_engines! {
    impl Passkeys {
        async fn add_challenge(
            &self,
            challenge: PasskeyChallenge,
            now: Timestamp,
        ) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, challenge, async move |db, challenge| {
                passkeys::add_challenge(db, challenge, now).await
            })
            .await
        }

        async fn take_challenge(
            &self,
            name: SecretDigest,
        ) -> Result<Option<PasskeyChallenge>, StoreError> {
            self.write(InDoubt::Surface, (), async move |db, ()| {
                passkeys::take_challenge(db, name).await
            })
            .await
        }

        async fn add_passkey(
            &self,
            passkey: Passkey,
            session: &Session,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (passkey, session.clone(), by.clone());
            self.write(InDoubt::Surface, input, async |db, (passkey, session, by)| {
                passkeys::add(db, passkey, session, by).await
            })
            .await
        }

        async fn passkey(
            &self,
            credential_id: &[u8],
        ) -> Result<Option<(Passkey, User)>, StoreError> {
            self.read(credential_id.to_vec(), async |db, credential_id| {
                passkeys::by_credential(db, credential_id).await
            })
            .await
        }

        async fn passkeys(&self, user: &UserId) -> Result<Vec<Passkey>, StoreError> {
            self.read(user.clone(), async |db, user| passkeys::of_user(db, user).await).await
        }

        async fn note_passkey(
            &self,
            id: &PasskeyId,
            credential: String,
            used_at: Timestamp,
            begins: Option<(Session, AuditContext)>,
        ) -> Result<bool, StoreError> {
            // A repeated sign-in would begin the same session again.
            let in_doubt = if begins.is_some() { InDoubt::Surface } else { InDoubt::Retry };
            let input = (id.clone(), credential, begins);
            self.write(in_doubt, input, async move |db, (id, credential, begins)| {
                passkeys::note(db, id, credential, used_at, begins.as_ref()).await
            })
            .await
        }

        async fn remove_passkey(
            &self,
            user: &User,
            id: &PasskeyId,
            issuer: Option<&str>,
            by: &AuditContext,
        ) -> Result<PasskeyRemoval, StoreError> {
            let input = (user.clone(), id.clone(), issuer.map(str::to_owned), by.clone());
            self.write(InDoubt::Surface, input, async |db, (user, id, issuer, by)| {
                passkeys::remove(db, user, id, issuer.as_deref(), by).await
            })
            .await
        }
    }
}
