//! The form with which a person enrols, behind a link.

use tua_domain::{
    line::parse_name,
    people::{StaffEmail, TotpSecret, User},
    secret::SecretDigest,
};

/// A link that has not ended.
#[derive(Clone, Debug)]
pub struct OpenLink {
    /// Who enrols with it; `None` for the first set-up.
    pub user: Option<User>,
    /// Whether the first set-up also makes the first account.
    pub needs_account: bool,
    /// The key of the one-time codes.
    pub totp: TotpSecret,
    /// The digest of the link's token.
    pub digest: SecretDigest,
}

/// The checked name and address of a person who enrols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnrolledPerson {
    /// The person's name, 1 to 80 characters without surrounding white space.
    pub name: String,
    /// The person's own address, or the one typed at the first set-up.
    pub email: StaffEmail,
    /// The merchant's name, where the first set-up makes the first account.
    pub account: Option<String>,
}

impl OpenLink {
    /// Checks what is about the person, and returns every fault.
    pub(super) fn check_person(
        &self,
        form: &EnrolmentForm,
    ) -> (Option<EnrolledPerson>, Vec<EnrolmentFault>) {
        let mut faults = Vec::new();
        let name = parse_name(&form.name).ok();
        if name.is_none() {
            faults.push(EnrolmentFault::Name);
        }
        let email = match &self.user {
            Some(user) => Some(user.email.clone()),
            None => form.email.parse().ok(),
        };
        if email.is_none() {
            faults.push(EnrolmentFault::Email);
        }
        let account = if self.needs_account { parse_name(&form.account).ok() } else { None };
        if self.needs_account && account.is_none() {
            faults.push(EnrolmentFault::Account);
        }
        let person = match (name, email, faults.is_empty()) {
            (Some(name), Some(email), true) => Some(EnrolledPerson { name, email, account }),
            _ => None,
        };
        (person, faults)
    }
}

/// The fields of the form with which a person enrols, as typed.
#[derive(Clone, Default)]
pub struct EnrolmentForm {
    /// The person's name as typed, not checked yet.
    pub name: String,
    /// The address, of the first set-up.
    pub email: String,
    /// The merchant's name, of the first set-up.
    pub account: String,
    /// The new password as typed, not checked yet.
    pub password: String,
    /// A one-time code, which proves that the app has the key.
    pub code: String,
}

impl std::fmt::Debug for EnrolmentForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EnrolmentForm(…)")
    }
}

/// A field of the form that is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnrolmentFault {
    /// The name is empty or too long.
    Name,
    /// The address is none.
    Email,
    /// The merchant's name is empty or too long.
    Account,
    /// The password is too short or too long.
    Password,
    /// The code is not the app's.
    Code,
}
