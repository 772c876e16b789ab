//! Sessions of the dashboard. The browser holds a random token; the store holds its digest.

use super::{TillLock, User};
use crate::{
    SessionId, UserId,
    language::LanguageTag,
    secret::{SecretDigest, random_bytes},
    string_enum,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use std::{fmt, net::IpAddr};

string_enum! {
    /// With what a person signed in.
    pub enum SignInWay {
        /// A password and a one-time code or a recovery code.
        Password = "password",
        /// A passkey.
        Passkey = "passkey",
        /// A sign-in provider.
        Provider = "provider",
    }
}

/// When and how a person last signed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastSignIn {
    /// The beginning of the session.
    pub at: Timestamp,
    /// With what the person signed in.
    pub way: SignInWay,
}

/// What people who manage an account see of a member's access to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberAccess {
    /// The member.
    pub user: UserId,
    /// The last sign-in; `None` before the first one.
    pub last_sign_in: Option<LastSignIn>,
    /// Until when the member's link for an enrolment works; `None` without a link. It may have
    /// ended.
    pub link_expires_at: Option<Timestamp>,
}

/// A session without requests for so long ends. One with a PIN is locked instead.
pub const IDLE_MAX: SignedDuration = SignedDuration::from_mins(30);

/// A session ends after this time, whatever happens in it.
pub const AGE_MAX: SignedDuration = SignedDuration::from_hours(12);

/// Money, keys and people ask for a proof that is not older.
pub const PROOF_MAX: SignedDuration = SignedDuration::from_mins(5);

/// How accurately the last request of a session is stored, so that not every page is a write.
const SEEN_ACCURACY: SignedDuration = SignedDuration::from_mins(1);

/// The same for a session with a PIN, whose last request decides when it is locked.
const SEEN_ACCURACY_WITH_PIN: SignedDuration = SignedDuration::from_millis(1);

/// The token in the cookie: 256 random bits in base64url. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    /// A new token of 256 bits from the system's random source.
    #[must_use]
    pub fn generate() -> Self {
        Self(URL_SAFE_NO_PAD.encode(random_bytes::<32>()))
    }

    /// The token as a cookie brings it. It may name no session; the store decides that.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The value of the cookie.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(&self.0)
    }

    /// The token that the forms of this session carry against cross-site request forgery. It
    /// follows from the session's token, and does not reveal it.
    #[must_use]
    pub fn form_token(&self) -> String {
        URL_SAFE_NO_PAD.encode(SecretDigest::of(&format!("tua: forms of the session {}", self.0)).0)
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}

/// For how long a browser is known after its last sign-in.
pub const BROWSER_KEPT: SignedDuration = SignedDuration::from_hours(24 * 400);

/// The browser in which a person signs in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// Browser and system, from the User-Agent header.
    pub name: String,
    /// The digest of the token that the browser keeps.
    pub browser: SecretDigest,
    /// From where. `None` behind a proxy that does not forward it.
    pub address: Option<IpAddr>,
}

/// A session of a person who has given password and code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The session's id, which gives no access.
    pub id: SessionId,
    /// The person who signed in, as stored when the session was read.
    pub user: User,
    /// The digest of its token.
    pub digest: SecretDigest,
    /// Browser and system, from the User-Agent header.
    pub device: String,
    /// The browser of a sign-in that begins it. `None` where it was read, and where the browser
    /// need not be known.
    pub began_on: Option<Device>,
    /// With what the sign-in was that begins it. `None` where it was read.
    pub way: Option<SignInWay>,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When the last request of a person came: accurate to the minute without a PIN, and to the
    /// millisecond with one.
    pub seen_at: Timestamp,
    /// When the person last gave password and code.
    pub proven_at: Timestamp,
    /// The lock of a session that has a PIN.
    pub till_lock: Option<TillLock>,
}

/// How a session begins whose person only the store can find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionStart {
    /// The digest of its token.
    pub digest: SecretDigest,
    /// The browser that signs in, and that is remembered as known.
    pub device: Device,
    /// The language of the page.
    pub language: Option<LanguageTag>,
    /// When the person last gave credentials to the provider.
    pub proven_at: Timestamp,
}

impl SessionStart {
    /// The session of this person.
    #[must_use]
    pub fn begin(&self, user: User, now: Timestamp) -> Session {
        Session {
            id: SessionId::mint(),
            user: User { language: self.language.clone(), ..user },
            digest: self.digest,
            device: self.device.name.clone(),
            began_on: Some(self.device.clone()),
            way: Some(SignInWay::Provider),
            created_at: now,
            seen_at: now,
            proven_at: self.proven_at,
            till_lock: None,
        }
    }
}

impl Session {
    /// A session that begins now.
    #[must_use]
    pub fn begin(user: User, device: String, now: Timestamp) -> (Self, SessionToken) {
        let token = SessionToken::generate();
        let digest = token.digest();
        let id = SessionId::mint();
        (
            Self {
                id,
                user,
                digest,
                device,
                began_on: None,
                way: None,
                created_at: now,
                seen_at: now,
                proven_at: now,
                till_lock: None,
            },
            token,
        )
    }

    /// A session that begins now with a sign-in in this browser.
    #[must_use]
    pub fn begin_on(
        user: User,
        device: Device,
        way: SignInWay,
        now: Timestamp,
    ) -> (Self, SessionToken) {
        let (session, token) = Self::begin(user, device.name.clone(), now);
        (Self { began_on: Some(device), way: Some(way), ..session }, token)
    }

    /// Whether it has not ended.
    #[must_use]
    pub fn is_valid(&self, now: Timestamp) -> bool {
        let is_used = self.till_lock.is_some() || now < self.seen_at + IDLE_MAX;
        is_used && now < self.created_at + AGE_MAX
    }

    /// Whether only a PIN opens it.
    #[must_use]
    pub fn is_locked(&self, now: Timestamp) -> bool {
        self.till_lock.as_ref().is_some_and(|lock| lock.is_locked(self.seen_at, now))
    }

    /// Whether the person gave password and code just now. Whoever has unlocked the session since
    /// may be somebody else.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        let lock = self.till_lock.as_ref();
        let is_unlocked_since = lock.is_some_and(|lock| lock.is_unlocked_since(self.proven_at));
        now < self.proven_at + PROOF_MAX && !is_unlocked_since
    }

    /// Whether a request at this time must be stored.
    #[must_use]
    pub fn must_note(&self, now: Timestamp) -> bool {
        let accuracy =
            if self.till_lock.is_some() { SEEN_ACCURACY_WITH_PIN } else { SEEN_ACCURACY };
        now >= self.seen_at + accuracy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        UserId,
        people::{PasswordHash, ProviderUse},
    };

    const fn lock() -> TillLock {
        TillLock {
            pin: PasswordHash::from_column(String::new()),
            tries: 0,
            locked_at: None,
            unlocked_at: None,
        }
    }

    /// A session of the time 0.
    fn session(till_lock: Option<TillLock>) -> Session {
        let user = User {
            id: UserId::new("usr_1"),
            email: "ama@example.com".parse().unwrap(),
            name: None,
            created_at: Timestamp::UNIX_EPOCH,
            is_enrolled: true,
            has_password: true,
            has_passkey: false,
            provider: ProviderUse::None,
            language: None,
        };
        let (session, _) = Session::begin(user, "Firefox on Linux".into(), Timestamp::UNIX_EPOCH);
        Session { till_lock, ..session }
    }

    fn after(minutes: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes)
    }

    #[test]
    fn a_session_with_a_pin_ends_only_by_its_age_and_others_after_half_an_hour_without_use() {
        for (till_lock, minutes) in [(None, 30), (Some(lock()), 12 * 60)] {
            let session = session(till_lock);
            assert!(session.is_valid(after(minutes - 1)), "{session:?}");
            assert!(!session.is_valid(after(minutes)), "{session:?}");
        }
        let used = Session { seen_at: after(12 * 60 - 1), ..session(Some(lock())) };
        assert!(!used.is_valid(after(12 * 60)), "no session is older than 12 hours");
    }

    #[test]
    fn a_session_without_a_pin_is_never_locked() {
        assert!(!session(None).is_locked(after(29)));
        assert!(!session(Some(lock())).is_locked(after(1)));
        assert!(session(Some(lock())).is_locked(after(2)));
    }

    #[test]
    fn a_proof_is_fresh_for_five_minutes_and_not_after_a_pin() {
        let unlocked_at = |minutes| Some(TillLock { unlocked_at: Some(after(minutes)), ..lock() });
        for (till_lock, proven_at, is_fresh) in [
            (None, after(5), true),
            (None, after(0), false),
            (Some(lock()), after(5), true),
            (unlocked_at(4), after(3), false),
            (unlocked_at(4), after(4), false),
            (unlocked_at(4), after(5), true),
        ] {
            let session = Session { proven_at, ..session(till_lock) };
            assert_eq!(session.is_fresh(after(5)), is_fresh, "{session:?}");
        }
    }

    #[test]
    fn requests_are_stored_exactly_where_they_decide_about_a_lock() {
        let moment = Timestamp::UNIX_EPOCH + SignedDuration::from_millis(1);
        assert!(!session(Some(lock())).must_note(Timestamp::UNIX_EPOCH));
        assert!(session(Some(lock())).must_note(moment));
        assert!(!session(None).must_note(moment));
        assert!(session(None).must_note(after(1)));
    }
}
