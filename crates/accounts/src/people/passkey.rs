//! Passkeys (<https://www.w3.org/TR/webauthn-3/>): a key pair of a person's device, which signs a
//! challenge of ours after the device has recognised the person. So one passkey stands for password
//! and code.

use crate::{
    PasskeyId, UserId,
    secret::{SecretDigest, random_bytes},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};

/// How long a person may take between a challenge and the signature.
const CHALLENGE_LIFETIME: SignedDuration = SignedDuration::from_mins(5);

/// The most passkeys of one person.
pub const PASSKEYS_MAX: usize = 20;

/// A passkey as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passkey {
    /// The passkey's id here, which gives no access.
    pub id: PasskeyId,
    /// The person who made it, and who signs in with it.
    pub user: UserId,
    /// The id that the device gave it, at most 1,023 bytes.
    pub credential_id: Vec<u8>,
    /// Its public key and counter, in the JSON of the library that verifies signatures.
    pub credential: String,
    /// The browser and system that made it, so that the person recognises it.
    pub device: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used for a sign-in or a proof.
    pub used_at: Option<Timestamp>,
}

/// What became of the removal of a passkey.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PasskeyRemoval {
    /// It is removed, and signs nobody in any more.
    Removed,
    /// The person has no such passkey.
    Missing,
    /// The person could not sign in without it: there is no password, no other passkey, and no
    /// identity at the configured provider.
    OnlyWayIn,
}

/// A challenge that waits for a signature. It is used once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PasskeyChallenge {
    /// The digest of the name that the page has of it.
    pub digest: SecretDigest,
    /// Who asked for it; `None` for a sign-in and for the first set-up.
    pub user: Option<UserId>,
    /// The state of the ceremony that the WebAuthn library needs to finish it, as JSON.
    pub state: String,
    /// When it ends: five minutes after it was made.
    pub expires_at: Timestamp,
}

impl PasskeyChallenge {
    /// A challenge, and the random name that the page sends back with the signature.
    #[must_use]
    pub fn begin(user: Option<UserId>, state: String, now: Timestamp) -> (Self, String) {
        let name = URL_SAFE_NO_PAD.encode(random_bytes::<32>());
        (
            Self {
                digest: SecretDigest::of(&name),
                user,
                state,
                expires_at: now + CHALLENGE_LIFETIME,
            },
            name,
        )
    }

    /// Whether it is of this person, and has not ended.
    #[must_use]
    pub fn is_open_for(&self, user: Option<&UserId>, now: Timestamp) -> bool {
        self.user.as_ref() == user && now < self.expires_at
    }
}
