//! Sessions of the dashboard: sign-in, fresh proofs, and the session of each request.

use crate::domain::{
    PasskeyId, SessionId, UserId,
    audit::{AuditContext, Source, actor_name},
    key_ring::KeyRing,
    language::LanguageTag,
    people::{
        Credentials, Device, IDLE_MAX, PasswordHash, RecoveryCode, SecondFactor, Session, SessionToken, StaffEmail,
        TotpSecret, User,
    },
    persistent_bucket::PersistentBucket,
    ports::{Clock, Store, StoreError},
    rate_limit::{Exceeded, Policy, Rate},
    secret::SecretDigest,
};
use std::{net::IpAddr, sync::Arc};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// How many passwords are hashed at the same time. Each takes 19 MiB.
static HASHES: Semaphore = Semaphore::const_new(4);

/// In how many seconds an empty bucket of attempts refills.
const WINDOW: u32 = 900;

/// Attempts of one person in a window.
const OF_PERSON: u32 = 10;

/// Attempts from one address in a window: several people may share an address.
const OF_ADDRESS: u32 = 50;

/// The sessions of people who sign in.
#[derive(Clone, Debug)]
pub struct Sessions {
    /// Where they are stored.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Decrypts the keys of one-time codes.
    pub keys: KeyRing,
}

/// What a person proves an identity with. `Debug` hides it.
#[derive(Clone)]
pub struct Proof {
    /// The password.
    pub password: String,
    /// A one-time code or a recovery code.
    pub code: String,
}

impl std::fmt::Debug for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Proof(…)")
    }
}

/// Who has sent a request of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestedBy {
    /// A person: the session is in use.
    Person,
    /// A page that refreshes itself. It keeps no session alive in which nobody does anything.
    Page,
}

/// Why nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Address, password or code is wrong, or the code was used before. Which one is not reported.
    #[error("address, password or code is wrong")]
    Wrong,
    /// There were too many attempts.
    #[error(transparent)]
    Limited(#[from] Exceeded),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Runs work that hashes a password outside the threads of the asynchronous runtime. The work goes on if the request is
/// given up, and so keeps its permit.
///
/// # Errors
/// A permanent failure, if the work panicked.
pub(super) async fn hashing<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    let permit = HASHES.acquire().await.map_err(StoreError::failed)?;
    let work = move || {
        let _permit = permit;
        work()
    };
    spawn_blocking(work).await.map_err(StoreError::failed)
}

impl Sessions {
    /// Signs a person in. Password and code are checked together, so that there is no half-finished sign-in.
    ///
    /// # Errors
    /// [`SignInError`]. An unknown address takes as long as a wrong password.
    pub async fn sign_in(
        &self,
        email: &str,
        proof: Proof,
        device: Device,
        language: Option<LanguageTag>,
    ) -> Result<(Session, SessionToken), SignInError> {
        let user = User { language, ..self.check(email, proof, device.address, &device.name).await? };
        Ok(self.begin(user, device).await?)
    }

    /// Begins a session of a person whose identity is proven.
    ///
    /// # Errors
    /// Those of the store.
    async fn begin(&self, user: User, device: Device) -> Result<(Session, SessionToken), StoreError> {
        let now = self.clock.now();
        let (session, token) = Session::begin_on(user, device, now);
        self.store.insert_session(session.clone(), now - IDLE_MAX).await?;
        tracing::info!(user = %session.user.id, "signed in to the dashboard");
        Ok((session, token))
    }

    /// Begins a session of the person whose passkey has signed. `None` if the passkey was removed meanwhile. `credential`
    /// has its new counter.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin_with_passkey(
        &self,
        user: User,
        device: Device,
        passkey: &PasskeyId,
        credential: String,
    ) -> Result<Option<SessionToken>, StoreError> {
        let now = self.clock.now();
        let (session, token) = Session::begin_on(user, device, now);
        let user = session.user.id.clone();
        let is_there = self.store.note_passkey(passkey, credential, now, Some(session)).await?;
        if is_there {
            tracing::info!(%user, "signed in to the dashboard");
        }
        Ok(is_there.then_some(token))
    }

    /// Proves a session again. The session gets another token.
    ///
    /// # Errors
    /// As [`Self::sign_in`].
    pub async fn prove(&self, session: &Session, proof: Proof, address: IpAddr) -> Result<SessionToken, SignInError> {
        self.check(session.user.email.as_str(), proof, address, &session.device).await?;
        self.renew(session).await?.ok_or(SignInError::Wrong)
    }

    /// Gives a session another token, after a proof. `None` if the session was revoked since.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn renew(&self, session: &Session) -> Result<Option<SessionToken>, StoreError> {
        let token = SessionToken::generate();
        let is_renewed = self.store.renew_session(&session.id, token.digest(), self.clock.now()).await?;
        Ok(is_renewed.then_some(token))
    }

    /// Counts an attempt with a passkey or the sign-in provider. The signature decides who it is, so the attempts of an
    /// address are counted.
    ///
    /// # Errors
    /// [`SignInError::Limited`] and those of the store.
    pub async fn count_attempt(&self, address: IpAddr) -> Result<(), SignInError> {
        let buckets = bucket("address", &address.to_string(), OF_ADDRESS).into_iter().collect();
        Ok(self.store.count_sign_in(buckets, self.clock.now()).await??)
    }

    async fn check(&self, email: &str, proof: Proof, address: IpAddr, device: &str) -> Result<User, SignInError> {
        let now = self.clock.now();
        self.store.count_sign_in(buckets(email, address), now).await??;
        let found = match email.parse::<StaffEmail>() {
            Ok(email) => self.store.credentials(&email).await?,
            Err(_) => None,
        };
        let Proof { password, code } = proof;
        let recovery = RecoveryCode::digest_of(&code);
        if let Some(digest) = recovery.filter(|_| password.is_empty()) {
            return self.check_recovery(email, found, digest, (address, device)).await;
        }
        let found = found.and_then(|found| Some((found.password.clone()?, found)));
        let hash = found.as_ref().map(|(hash, _)| hash.clone());
        let is_right = hashing(move || hash.unwrap_or_else(PasswordHash::dummy).matches(&password)).await?;
        let Some((_, found)) = found.filter(|_| is_right) else { return Err(SignInError::Wrong) };
        let factor = match recovery {
            Some(digest) => Some(SecondFactor::Recovery(digest)),
            None => {
                let digits: String = code.chars().filter(|one| !one.is_whitespace()).collect();
                let secret = found.totp.as_ref().and_then(|totp| TotpSecret::decrypt(totp, &self.keys));
                secret.and_then(|secret| secret.step_of(&digits, now)).map(SecondFactor::Totp)
            }
        };
        let by = self.audit(found.user.email.as_str(), address, device);
        match factor {
            Some(factor) if self.store.use_second_factor(&found.user.id, factor, &by).await? => Ok(found.user),
            _ => Err(SignInError::Wrong),
        }
    }

    /// Checks a recovery code without a password, which only people who have only passkeys sign in with. Any other address
    /// takes as long: the same work is done for nobody.
    async fn check_recovery(
        &self,
        email: &str,
        found: Option<Credentials>,
        digest: SecretDigest,
        (address, device): (IpAddr, &str),
    ) -> Result<User, SignInError> {
        hashing(|| PasswordHash::dummy().matches("")).await?;
        let user = found.filter(|found| found.password.is_none()).map(|found| found.user);
        let id = user.as_ref().map_or_else(UserId::mint, |user| user.id.clone());
        let by = self.audit(user.as_ref().map_or(email, |user| user.email.as_str()), address, device);
        let is_used = self.store.use_second_factor(&id, SecondFactor::Recovery(digest), &by).await?;
        user.filter(|_| is_used).ok_or(SignInError::Wrong)
    }

    fn audit(&self, email: &str, address: IpAddr, device: &str) -> AuditContext {
        AuditContext {
            at: self.clock.now(),
            actor: actor_name(email, address),
            source: Source::Dashboard,
            device: Some(device.to_owned()),
            key: self.keys.audit_key(),
        }
    }

    /// The session with this token, if it has not ended. Stores the time of a person's request.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, token: &SessionToken, by: RequestedBy) -> Result<Option<Session>, StoreError> {
        let now = self.clock.now();
        let found = self.store.session(token.digest()).await?.filter(|session| session.is_valid(now));
        if let Some(session) = found.as_ref().filter(|session| by == RequestedBy::Person && session.must_note(now)) {
            self.store.note_session(&session.id, now).await?;
        }
        Ok(found)
    }

    /// The sessions of this person that have not ended, the newest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_person(&self, session: &Session) -> Result<Vec<Session>, StoreError> {
        let now = self.clock.now();
        let mut all = self.store.sessions(&session.user.id).await?;
        all.retain(|one| one.is_valid(now));
        Ok(all)
    }

    /// Ends a session of the person, which is audited. `false` if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn end(&self, session: &Session, id: &SessionId, by: &AuditContext) -> Result<bool, StoreError> {
        self.store.delete_session(&session.user, id, by).await
    }
}

fn buckets(email: &str, address: IpAddr) -> Vec<PersistentBucket> {
    let email = email.trim().to_lowercase();
    [bucket("person", &email, OF_PERSON), bucket("address", &address.to_string(), OF_ADDRESS)]
        .into_iter()
        .flatten()
        .collect()
}

/// Named by a digest, so that no address of a person or machine is stored.
fn bucket(kind: &str, whose: &str, quota: u32) -> Option<PersistentBucket> {
    let digest = hex::encode(SecretDigest::of(&format!("{kind} {whose}")).0);
    Rate::new(quota, WINDOW).map(|rate| PersistentBucket::new(format!("sign-in {digest}"), Policy::SignIn, rate))
}
