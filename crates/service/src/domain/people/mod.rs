//! The people who use the dashboard: who they are, what they may do in which account, and their sessions
//! (docs/reference/dashboard.md).

mod enrolment;
mod one_time_code;
mod password;
mod role;
mod role_change;
mod session;

pub use enrolment::{Credentials, Enrolment, EnrolmentLink, FirstPerson, PasswordChange, SecondFactor};
pub use one_time_code::{RecoveryCode, TotpSecret};
pub use password::{Password, PasswordHash};
pub use role::{Permission, Role};
pub use role_change::{RoleChange, RoleChanger, RoleRefusal};
pub use session::{AGE_MAX, IDLE_MAX, PROOF_MAX, Session, SessionToken};

use super::{AccountId, UserId};
use email_address::EmailAddress;
use jiff::Timestamp;
use std::{fmt, str::FromStr};

/// The e-mail address by which a person signs in, in lower case.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StaffEmail(String);

impl StaffEmail {
    /// The longest address, in bytes (RFC 5321 section 4.5.3.1.3).
    const MAX_BYTES: usize = 254;

    /// The address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StaffEmail {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim().to_lowercase();
        match text.len() <= Self::MAX_BYTES && EmailAddress::is_valid(&text) {
            true => Ok(Self(text)),
            false => Err("it must be an e-mail address".to_owned()),
        }
    }
}

impl fmt::Display for StaffEmail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A person who uses the dashboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    /// The person's id.
    pub id: UserId,
    /// By which the person signs in.
    pub email: StaffEmail,
    /// The person's name; `None` before the person has enrolled.
    pub name: Option<String>,
    /// When the person was added.
    pub created_at: Timestamp,
    /// Whether the person has a password and one-time codes, so that a sign-in is possible.
    pub is_enrolled: bool,
}

/// What a person may do in an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// Who.
    pub user: User,
    /// In which account.
    pub account: AccountId,
    /// As what.
    pub role: Role,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_in_lower_case() {
        assert_eq!(" Esi@Example.COM ".parse::<StaffEmail>().unwrap().as_str(), "esi@example.com");
        for text in ["", "esi", "esi@", "a@\nb", &format!("{}@example.com", "a".repeat(250))] {
            assert!(text.parse::<StaffEmail>().is_err(), "{text:?}");
        }
    }
}
