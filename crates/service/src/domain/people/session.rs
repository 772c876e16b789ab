//! Sessions of the dashboard. The browser holds a random token; the store holds its digest.

use super::User;
use crate::domain::{
    SessionId,
    secret::{SecretDigest, random_bytes},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use std::fmt;

/// A session without requests for so long ends.
pub const IDLE_MAX: SignedDuration = SignedDuration::from_mins(30);

/// A session ends after this time, whatever happens in it.
pub const AGE_MAX: SignedDuration = SignedDuration::from_hours(12);

/// Money, keys and people ask for a proof that is not older.
pub const PROOF_MAX: SignedDuration = SignedDuration::from_mins(5);

/// How accurately the last request of a session is stored, so that not every page is a write.
const SEEN_ACCURACY: SignedDuration = SignedDuration::from_mins(1);

/// The token in the cookie: 256 random bits in base64url. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    /// A new token.
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

    /// The token that the forms of this session carry against cross-site request forgery. It follows from the session's
    /// token, and does not reveal it.
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

/// A session of a person who has given password and code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The session's id, which gives no access.
    pub id: SessionId,
    /// Whose it is.
    pub user: User,
    /// The digest of its token.
    pub digest: SecretDigest,
    /// Browser and system, from the User-Agent header.
    pub device: String,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When the last request came, accurate to the minute.
    pub seen_at: Timestamp,
    /// When the person last gave password and code.
    pub proven_at: Timestamp,
}

impl Session {
    /// A session that begins now.
    #[must_use]
    pub fn begin(user: User, device: String, now: Timestamp) -> (Self, SessionToken) {
        let token = SessionToken::generate();
        let digest = token.digest();
        let id = SessionId::mint();
        (Self { id, user, digest, device, created_at: now, seen_at: now, proven_at: now }, token)
    }

    /// Whether it has not ended.
    #[must_use]
    pub fn is_valid(&self, now: Timestamp) -> bool {
        now < self.seen_at + IDLE_MAX && now < self.created_at + AGE_MAX
    }

    /// Whether the person gave password and code just now.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now < self.proven_at + PROOF_MAX
    }

    /// Whether a request at this time must be stored.
    #[must_use]
    pub fn must_note(&self, now: Timestamp) -> bool {
        now >= self.seen_at + SEEN_ACCURACY
    }
}
