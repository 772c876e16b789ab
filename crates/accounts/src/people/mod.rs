//! The people who use the dashboard: who they are, what they may do in which account, and their
//! sessions (docs/reference/dashboard.md).

mod enrolment;
mod identity;
mod invitation;
mod one_time_code;
mod passkey;
mod password;
mod role;
mod role_change;
mod session;
mod till_pin;

pub use enrolment::{
    Credentials, Enrolment, EnrolmentLink, FirstPerson, NewCredential, NewPassword, PasswordChange,
    SecondFactor,
};
pub use identity::{
    Identity, IdentityClaims, IdentityRefusal, LinkedIdentity, RoleMapping, mapped_roles,
    role_changes,
};
pub use invitation::{Invitation, Invited, LinkDelivery};
pub use one_time_code::{RecoveryCode, TotpSecret};
pub use passkey::{PASSKEYS_MAX, Passkey, PasskeyChallenge, PasskeyRemoval};
pub use password::{Password, PasswordHash};
pub use role::{Permission, Role};
pub use role_change::{
    OtherAccess, RoleChange, RoleChanger, RoleRefusal, RoleTarget, may_sign_out,
};
pub use session::{
    AGE_MAX, BROWSER_KEPT, Device, IDLE_MAX, LastSignIn, MemberAccess, PROOF_MAX, Session,
    SessionStart, SessionToken, SignInWay,
};
pub use till_pin::{LOCK_AFTER, MAX_PIN_TRIES, TillLock, TillPin, TillPinFault};

use super::{AccountId, UserId, bare_address::mailbox, language::LanguageTag};
use jiff::Timestamp;
use std::{fmt, str::FromStr};

/// The e-mail address by which a person signs in, in lower case and with the domain in ASCII
/// (`xn--…`). It names one person in an account. People of accounts that have nothing to do with
/// each other may have the same one.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StaffEmail(String);

impl StaffEmail {
    /// The address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StaffEmail {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mailbox = mailbox(text.trim()).map(Self);
        mailbox.ok_or_else(|| "it must be an e-mail address, without a name".to_owned())
    }
}

impl fmt::Display for StaffEmail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a sign-in provider is for a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProviderUse {
    /// The person does not use it.
    None,
    /// The person may sign in with it. The roles are given here.
    SignIn,
    /// The person came by its claims. Each sign-in sets exactly the mapped roles.
    Roles,
}

/// A person who uses the dashboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    /// `usr_…`, minted when the person is first invited or set up.
    pub id: UserId,
    /// By which the person signs in.
    pub email: StaffEmail,
    /// The person's name; `None` before the person has enrolled.
    pub name: Option<String>,
    /// When the person was added.
    pub created_at: Timestamp,
    /// Whether a sign-in is possible: with a password and one-time codes, with a passkey, or with a
    /// sign-in provider.
    pub is_enrolled: bool,
    /// Whether the person has a password.
    pub has_password: bool,
    /// Whether the person has a passkey.
    pub has_passkey: bool,
    /// What a sign-in provider is for the person.
    pub provider: ProviderUse,
    /// The language in which the person last used the dashboard.
    pub language: Option<LanguageTag>,
}

impl User {
    /// Whether a sign-in provider decides the person's roles.
    #[must_use]
    pub fn is_managed(&self) -> bool {
        self.provider == ProviderUse::Roles
    }

    /// Whether the person has no password, and signs in with a provider.
    #[must_use]
    pub fn needs_provider(&self) -> bool {
        !self.has_password && self.provider != ProviderUse::None
    }

    /// Whether the person signs in with passkeys, and has neither password nor provider.
    #[must_use]
    pub fn has_only_passkeys(&self) -> bool {
        self.has_passkey && !self.has_password && self.provider == ProviderUse::None
    }
}

/// What a person may do in an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// The person who has the role, as stored now.
    pub user: User,
    /// The account in which the role is valid.
    pub account: AccountId,
    /// What the person may do in this account alone.
    pub role: Role,
    /// The address of the person who gave the role in the dashboard. `None`: the command line or
    /// the sign-in provider.
    pub given_by: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_in_lower_case() {
        assert_eq!(" Esi@Example.COM ".parse::<StaffEmail>().unwrap().as_str(), "esi@example.com");
        for text in [
            "",
            "esi",
            "esi@",
            "a@\nb",
            "owner@a.example (x) <y@evil.example>",
            &format!("{}@example.com", "a".repeat(250)),
        ] {
            assert!(text.parse::<StaffEmail>().is_err(), "{text:?}");
        }
    }
}
