//! Enrolment: a link, good for an hour and once, with which a person sets a password and one-time
//! codes, or makes a passkey.

use super::{Passkey, PasswordHash, Session, StaffEmail, User};
use crate::{
    Account, UserId,
    encrypted_secret::EncryptedSecret,
    secret::{SecretDigest, random_bytes},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};

/// How long a link is good.
const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// A link as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnrolmentLink {
    /// The digest of its token.
    pub digest: SecretDigest,
    /// Who enrols with it; `None` for the first set-up, which makes an owner of every account.
    pub user: Option<UserId>,
    /// One hour after the link was made. A newer link of the person ends it earlier.
    pub expires_at: Timestamp,
}

impl EnrolmentLink {
    /// A link, and its path with the token, which is shown once.
    #[must_use]
    pub fn generate(user: Option<UserId>, now: Timestamp) -> (Self, String) {
        let token = URL_SAFE_NO_PAD.encode(random_bytes::<32>());
        let link = Self { digest: SecretDigest::of(&token), user, expires_at: now + LINK_LIFETIME };
        (link, format!("/dashboard/enrol/{token}"))
    }
}

/// What a person sets with a link.
#[derive(Clone, Debug)]
pub struct Enrolment {
    /// The digest of the link's token.
    pub link: SecretDigest,
    /// The person's name as typed, 1 to 80 characters.
    pub name: String,
    /// The person and the new account of the first set-up.
    pub first: Option<FirstPerson>,
    /// What the person signs in with.
    pub credential: NewCredential,
    /// The digests of the recovery codes.
    pub recovery: Vec<SecretDigest>,
}

/// What a person signs in with after an enrolment.
#[derive(Clone, Debug)]
pub enum NewCredential {
    /// A password and one-time codes.
    Password(NewPassword),
    /// A passkey, and no password.
    Passkey(Passkey),
}

impl NewCredential {
    /// The password and the one-time codes, if it is those.
    #[must_use]
    pub fn password(&self) -> Option<&NewPassword> {
        match self {
            Self::Password(password) => Some(password),
            Self::Passkey(_) => None,
        }
    }

    /// The passkey, if it is one.
    #[must_use]
    pub fn passkey(&self) -> Option<&Passkey> {
        match self {
            Self::Password(_) => None,
            Self::Passkey(passkey) => Some(passkey),
        }
    }
}

/// A first password, with one-time codes.
#[derive(Clone, Debug)]
pub struct NewPassword {
    /// The hash of the password.
    pub password: PasswordHash,
    /// The encrypted key of the one-time codes.
    pub totp: EncryptedSecret,
    /// The time step of the code that proved the key.
    pub totp_step: i64,
}

/// The first person of a service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstPerson {
    /// The address by which the person will sign in, from the form of the first set-up.
    pub email: StaffEmail,
    /// The first account, where there is none yet.
    pub account: Option<Account>,
}

/// What is stored of a person who has enrolled.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The person as stored, with name, address and language.
    pub user: User,
    /// The hash of the password; `None` if the person has only passkeys.
    pub password: Option<PasswordHash>,
    /// The encrypted key of the one-time codes; `None` without a password.
    pub totp: Option<EncryptedSecret>,
    /// Whether the person has signed in with the browser that was asked for.
    pub is_browser_known: bool,
}

/// A second factor that was compared, and that the store accepts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondFactor {
    /// A one-time code of this time step.
    Totp(i64),
    /// A recovery code, by its digest; each of them is accepted once.
    Recovery(SecretDigest),
}

/// What a password change leaves.
#[derive(Clone, Debug)]
pub struct PasswordChange {
    /// The argon2id hash of the new password, which replaces the old one.
    pub password: PasswordHash,
    /// The session that goes on. Every other session of the person ends.
    pub kept: Session,
}
