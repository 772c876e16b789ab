//! Passkeys of people: the challenges that a device signs, and the passkeys that are stored.

use std::sync::Arc;
use tua_domain::{
    PasskeyId, UserId,
    audit::AuditContext,
    people::{Passkey, PasskeyChallenge, PasskeyRemoval, Session, User},
    ports::{self, Clock, StoreError},
    secret::SecretDigest,
};

/// Stores challenges and passkeys. Who calls it verifies the signatures.
#[derive(Clone, Debug)]
pub struct Passkeys {
    /// Where challenges and passkeys are stored.
    pub store: Arc<dyn ports::Passkeys>,
    /// Decides which challenges have ended, and dates the use of passkeys.
    pub clock: Arc<dyn Clock>,
}

impl Passkeys {
    /// Stores a challenge for a person or a sign-in, with the state of its
    /// verification. Returns its name, which the form brings back.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin_challenge(
        &self,
        user: Option<&UserId>,
        verification: String,
    ) -> Result<String, StoreError> {
        let now = self.clock.now();
        let (challenge, name) = PasskeyChallenge::begin(user.cloned(), verification, now);
        self.store.add_challenge(challenge, now).await?;
        Ok(name)
    }

    /// Uses up the challenge with this name. `None` if there is none of this person that has not
    /// ended.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn take_challenge(
        &self,
        user: Option<&UserId>,
        name: &str,
    ) -> Result<Option<PasskeyChallenge>, StoreError> {
        let taken = self.store.take_challenge(SecretDigest::of(name)).await?;
        Ok(taken.filter(|taken| taken.is_open_for(user, self.clock.now())))
    }

    /// The passkeys of a person, the oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_person(&self, user: &UserId) -> Result<Vec<Passkey>, StoreError> {
        self.store.passkeys(user).await
    }

    /// The passkey with this credential, and its person.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, credential_id: &[u8]) -> Result<Option<(Passkey, User)>, StoreError> {
        self.store.passkey(credential_id).await
    }

    /// Adds a passkey of the session's person, which is audited. `false` if its credential is known
    /// already, if the person has as many as permitted, or if the session was ended meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn add(
        &self,
        passkey: Passkey,
        session: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.store.add_passkey(passkey, session, by).await
    }

    /// Stores that a passkey has signed a proof. `credential` has its new counter. `false` if the
    /// passkey was removed meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn record_use(&self, id: &PasskeyId, credential: String) -> Result<bool, StoreError> {
        self.store.note_passkey(id, credential, self.clock.now(), None).await
    }

    /// Removes a passkey of this person, which is audited, unless it is the only way in. `issuer`
    /// is the issuer identifier of the sign-in provider.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn remove(
        &self,
        user: &User,
        id: &PasskeyId,
        issuer: Option<&str>,
        by: &AuditContext,
    ) -> Result<PasskeyRemoval, StoreError> {
        self.store.remove_passkey(user, id, issuer, by).await
    }
}
