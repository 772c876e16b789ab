//! Checks password and code of a sign-in or a fresh proof. Attempts are counted by who makes them,
//! so that a stranger who knows an address cannot use up the attempts of its person
//! (docs/reference/dashboard.md#sign-in).

use super::{
    attempt_origin::Origin,
    password_work::{QueueSlot, hash_for_known_person},
    sessions::{Proof, Sessions},
};
use std::net::IpAddr;
use tua_domain::{
    UserId,
    audit::{AuditContext, Source, actor_name},
    ip_prefix::{counted_prefix, counted_site},
    people::{
        Credentials, Device, PasswordHash, RecoveryCode, SecondFactor, Session, StaffEmail,
        TotpSecret, User,
    },
    persistent_bucket::PersistentBucket,
    ports::{SignInCountError, StoreError},
    rate_limit::{Exceeded, Policy, Rate},
    secret::SecretDigest,
};

/// In how many seconds an empty bucket of attempts refills.
const WINDOW: u32 = 900;

/// Attempts in a window of one person from browsers that are not known, of one known browser, and
/// of one session.
const OF_PERSON: u32 = 10;

/// Attempts from one network in a window: several people may share it.
const OF_NETWORK: u32 = 50;

/// Attempts from the IPv6 networks of one site in a window. One customer is usually assigned 65,536
/// of them.
const OF_SITE: u32 = 2 * OF_NETWORK;

/// Why nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Address, password or code is wrong, or the code was used before. Which one is not reported.
    #[error("address, password or code is wrong")]
    Wrong,
    /// There were too many attempts.
    #[error(transparent)]
    Limited(#[from] Exceeded),
    /// Too many others try at the same moment. The attempt was not counted.
    #[error("too many others sign in at this moment")]
    Busy,
    /// The store failed, so nobody was signed in.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SignInCountError> for SignInError {
    fn from(error: SignInCountError) -> Self {
        match error {
            SignInCountError::Exceeded(exceeded) => exceeded.into(),
            SignInCountError::Store(error) => error.into(),
        }
    }
}

impl SignInError {
    /// Its name in metrics and logs; `None` for a fault of the store.
    const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Wrong => Some("wrong"),
            Self::Limited(_) => Some("limited"),
            Self::Busy => Some("busy"),
            Self::Store(_) => None,
        }
    }
}

/// Whose attempt it is.
#[derive(Clone, Copy, Debug)]
pub enum Attempt<'a> {
    /// That of a person who is signed in, for a fresh proof.
    Session(&'a Session),
    /// That of a browser, for a sign-in.
    Browser(&'a Device),
}

/// What a password and a code are among those of some people.
enum Compared {
    /// Those of this person.
    Right(User),
    /// Nobody's. These people have the password, and not the code.
    Wrong(Vec<User>),
}

impl Sessions {
    /// The person with this address, password and code. People who have signed in with this browser
    /// are compared first, and their attempts count for the browser.
    pub(super) async fn check_sign_in(
        &self,
        email: &str,
        proof: Proof,
        device: &Device,
    ) -> Result<User, SignInError> {
        let origin = Origin::of(device);
        let attempt = Attempt::Browser(device);
        let address = email.parse::<StaffEmail>().ok();
        let all = match &address {
            Some(email) => self.people.credentials(email, Some(device.browser)).await?,
            None => Vec::new(),
        };
        let people: Vec<UserId> = all.iter().map(|one| one.user.id.clone()).collect();
        let compared = self.compare_by_browser(address.as_ref(), all, proof, device, origin).await;
        let checked = compared.and_then(|compared| self.conclude(compared, origin));
        checked.map_err(|error| self.refuse(error, attempt, device.address, &people))
    }

    async fn compare_by_browser(
        &self,
        email: Option<&StaffEmail>,
        all: Vec<Credentials>,
        proof: Proof,
        device: &Device,
        origin: Origin<'_>,
    ) -> Result<Compared, SignInError> {
        let (known, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|one| one.is_browser_known);
        let mut half_right = Vec::new();
        if !known.is_empty() {
            self.count(vec![of_browser(device)]).await?;
            match self.compare(email, known, proof.clone(), origin, None).await? {
                Compared::Wrong(people) if !others.is_empty() => half_right = people,
                compared => return Ok(compared),
            }
        }
        let slot = self.strangers.enter(device.address).ok_or(SignInError::Busy)?;
        let of_person = email.map(|email| bucket("person", email.as_str(), OF_PERSON));
        // The networks first: where one has no attempts left, no bucket of a person is stored.
        let of_networks = device.address.into_iter().flat_map(of_networks);
        self.count(of_networks.chain([of_person.flatten()]).collect()).await?;
        Ok(match self.compare(email, others, proof, origin, Some(slot)).await? {
            Compared::Wrong(people) => Compared::Wrong([half_right, people].concat()),
            right => right,
        })
    }

    /// Checks the password and code of the session's person.
    pub(super) async fn check_proof(
        &self,
        session: &Session,
        proof: Proof,
        address: Option<IpAddr>,
    ) -> Result<(), SignInError> {
        let origin = Origin { address, device: &session.device };
        let checked = async {
            self.count(vec![of_session(session)]).await?;
            let mut own = self.people.credentials(&session.user.email, None).await?;
            own.retain(|one| one.user.id == session.user.id);
            let compared = self.compare(Some(&session.user.email), own, proof, origin, None);
            self.conclude(compared.await?, origin).map(drop)
        };
        let people = [session.user.id.clone()];
        checked
            .await
            .map_err(|error| self.refuse(error, Attempt::Session(session), address, &people))
    }

    /// Counts an attempt with a passkey or the sign-in provider: by session, by known browser, or
    /// else by network, where the address is known, because only the response says who it is.
    ///
    /// # Errors
    /// [`SignInError::Limited`] and those of the store.
    pub async fn count_attempt(
        &self,
        attempt: Attempt<'_>,
        address: Option<IpAddr>,
    ) -> Result<(), SignInError> {
        let counted = async {
            let buckets = match attempt {
                Attempt::Session(session) => vec![of_session(session)],
                Attempt::Browser(device)
                    if self.people.is_browser_known(device.browser).await? =>
                {
                    vec![of_browser(device)]
                }
                Attempt::Browser(_) => address.into_iter().flat_map(of_networks).collect(),
            };
            self.count(buckets).await
        };
        counted.await.map_err(|error| self.refuse(error, attempt, address, &[]))
    }

    async fn count(&self, buckets: Vec<Option<PersistentBucket>>) -> Result<(), SignInError> {
        let buckets = buckets.into_iter().flatten().collect();
        Ok(self.people.count_sign_in(buckets, self.clock.now()).await?)
    }

    /// Reports a refused attempt in the log and the metrics. `people` are those with the address
    /// that was typed.
    pub fn refuse(
        &self,
        error: SignInError,
        attempt: Attempt<'_>,
        address: Option<IpAddr>,
        people: &[UserId],
    ) -> SignInError {
        let Some(reason) = error.reason() else { return error };
        self.metrics.sign_in_refused(reason);
        let people: Vec<&str> = match attempt {
            Attempt::Session(session) => vec![session.user.id.as_str()],
            Attempt::Browser(_) => people.iter().map(UserId::as_str).collect(),
        };
        let people = people.join(" ");
        let is_proof = matches!(attempt, Attempt::Session(_));
        let address = address.map(tracing::field::display);
        tracing::warn!(address, people, reason, is_proof, "a sign-in to the dashboard was refused");
        error
    }

    /// Whose of these people the password and the code are: the first one's. Takes as long for
    /// nobody.
    async fn compare(
        &self,
        email: Option<&StaffEmail>,
        people: Vec<Credentials>,
        Proof { password, code }: Proof,
        origin: Origin<'_>,
        slot: Option<QueueSlot>,
    ) -> Result<Compared, SignInError> {
        let recovery = RecoveryCode::digest_of(&code);
        let has_password = !password.is_empty() || recovery.is_none();
        let mut hashes: Vec<PasswordHash> =
            people.iter().filter_map(|one| one.password.clone()).collect();
        if hashes.is_empty() || !has_password {
            hashes = vec![PasswordHash::dummy()];
        }
        let work = move || PasswordHash::matching(&hashes, &password);
        let matching = match slot {
            Some(slot) => slot.run(work).await?,
            None => hash_for_known_person(work).await?,
        };
        let with_password = people.iter().filter(|one| one.password.is_some());
        let right: Vec<&Credentials> = if has_password {
            with_password
                .zip(matching)
                .filter(|(_, is_right)| *is_right)
                .map(|(one, _)| one)
                .collect()
        } else {
            // Only people who have only passkeys sign in with a recovery code alone.
            people.iter().filter(|one| one.password.is_none()).collect()
        };
        for one in &right {
            if let Some(factor) = self.factor(one, &code, recovery)
                && self.use_factor(&one.user.id, factor, one.user.email.as_str(), origin).await?
            {
                return Ok(Compared::Right(one.user.clone()));
            }
        }
        if let Some(digest) = recovery.filter(|_| right.is_empty()) {
            // The same work for nobody.
            let email = email.map_or("", StaffEmail::as_str);
            self.use_factor(&UserId::mint(), SecondFactor::Recovery(digest), email, origin).await?;
        }
        let half_right = right.iter().filter(|_| has_password);
        Ok(Compared::Wrong(half_right.map(|one| one.user.clone()).collect()))
    }

    fn factor(
        &self,
        person: &Credentials,
        code: &str,
        recovery: Option<SecretDigest>,
    ) -> Option<SecondFactor> {
        if let Some(digest) = recovery {
            return Some(SecondFactor::Recovery(digest));
        }
        let digits: String = code.chars().filter(|one| !one.is_whitespace()).collect();
        let secret = person.totp.as_ref().and_then(|totp| TotpSecret::decrypt(totp, &self.keys));
        secret.and_then(|secret| secret.step_of(&digits, self.clock.now())).map(SecondFactor::Totp)
    }

    async fn use_factor(
        &self,
        user: &UserId,
        factor: SecondFactor,
        email: &str,
        origin: Origin<'_>,
    ) -> Result<bool, StoreError> {
        let by = self.context(email, origin);
        self.people.use_second_factor(user, factor, &by).await
    }

    /// The person whose password and code are right. Where only a password was, that is appended to
    /// the audit log. The response does not wait for it: how long it takes would tell.
    fn conclude(&self, compared: Compared, origin: Origin<'_>) -> Result<User, SignInError> {
        let half_right = match compared {
            Compared::Right(user) => return Ok(user),
            Compared::Wrong(half_right) => half_right,
        };
        for user in half_right {
            let by = self.context(user.email.as_str(), origin);
            let people = self.people.clone();
            self.tasks.spawn(async move {
                if let Err(error) = people.append_refused_code(&user, &by).await {
                    let user = &user.id;
                    tracing::error!(%error, %user, "a refused code is not in the audit log");
                }
            });
        }
        Err(SignInError::Wrong)
    }

    /// A person of the dashboard with this address, who does something now.
    pub(super) fn context(&self, email: &str, origin: Origin<'_>) -> AuditContext {
        AuditContext {
            at: self.clock.now(),
            actor: actor_name(email, origin.address),
            source: Source::Dashboard,
            device: Some(origin.device.to_owned()),
            key: self.keys.audit_key(),
        }
    }
}

fn of_session(session: &Session) -> Option<PersistentBucket> {
    bucket("session", session.id.as_str(), OF_PERSON)
}

fn of_browser(device: &Device) -> Option<PersistentBucket> {
    bucket("browser", &hex::encode(device.browser.0), OF_PERSON)
}

/// Those of the network, which is counted last: one that its site has no attempts for is not
/// stored.
fn of_networks(address: IpAddr) -> [Option<PersistentBucket>; 2] {
    let named = |kind, network: IpAddr, quota| bucket(kind, &network.to_string(), quota);
    let of_site = counted_site(address).and_then(|site| named("site", site, OF_SITE));
    [of_site, named("network", counted_prefix(address), OF_NETWORK)]
}

/// Named by a digest, so that no address of a person or machine is stored.
fn bucket(kind: &str, whose: &str, quota: u32) -> Option<PersistentBucket> {
    let digest = hex::encode(SecretDigest::of(&format!("{kind} {whose}")).0);
    Rate::new(quota, WINDOW)
        .map(|rate| PersistentBucket::new(format!("sign-in {digest}"), Policy::SignIn, rate))
}
