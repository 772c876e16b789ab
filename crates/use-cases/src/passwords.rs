//! Passwords of people: the first one, with one-time codes, and a changed one.

use super::{
    enrolments::{EnrolError, EnrolmentFault, Enrolments},
    password_work::hash_for_known_person,
};
use tua_domain::{
    audit::AuditContext,
    people::{
        NewPassword, Password, PasswordChange, PasswordHash, Session, StaffEmail, TotpSecret,
    },
    ports::StoreError,
    secret::SecretDigest,
};

/// A password, and the time step of the code that came with it.
pub(super) type CheckedPassword = (Password, i64);

impl Enrolments {
    /// The key of the one-time codes of somebody who adds a password to passkeys. It is of this
    /// session.
    #[must_use]
    pub fn totp_of(&self, session: &Session) -> TotpSecret {
        let digest = SecretDigest::of(&format!("first password in session {}", session.id));
        TotpSecret::of_enrolment(&self.keys.current(), digest)
    }

    /// Adds a password and one-time codes to the passkeys of the session's person.
    ///
    /// # Errors
    /// [`EnrolError`]; [`EnrolError::LinkEnded`] if there is a password already or the session was
    /// ended.
    pub async fn add_password(
        &self,
        session: &Session,
        password: &str,
        code: &str,
        by: &AuditContext,
    ) -> Result<(), EnrolError> {
        let totp = self.totp_of(session);
        let mut faults = Vec::new();
        let checked = self.check_password(&totp, password, code, &mut faults);
        let Some(checked) = checked else { return Err(EnrolError::Faults(faults)) };
        let new = self.new_password(&session.user.email, checked, &totp).await?;
        if self.people.add_password(new, session, by).await? {
            Ok(())
        } else {
            Err(EnrolError::LinkEnded)
        }
    }

    /// Checks a password and a one-time code, and adds every fault.
    pub(super) fn check_password(
        &self,
        totp: &TotpSecret,
        password: &str,
        code: &str,
        faults: &mut Vec<EnrolmentFault>,
    ) -> Option<CheckedPassword> {
        let password = Password::new(password);
        if password.is_none() {
            faults.push(EnrolmentFault::Password);
        }
        let code: String = code.chars().filter(|one| !one.is_whitespace()).collect();
        let step = totp.step_of(&code, self.clock.now());
        if step.is_none() {
            faults.push(EnrolmentFault::Code);
        }
        Some((password?, step?))
    }

    /// Hashes the password, and encrypts the key of the codes.
    pub(super) async fn new_password(
        &self,
        email: &StaffEmail,
        (password, totp_step): CheckedPassword,
        totp: &TotpSecret,
    ) -> Result<NewPassword, StoreError> {
        let password = self.hash(email, password).await?;
        Ok(NewPassword { password, totp: totp.encrypt(&self.keys.current()), totp_step })
    }

    /// Changes the password of the session's person.
    ///
    /// # Errors
    /// [`EnrolError`]; [`EnrolError::LinkEnded`] if the session was ended.
    pub async fn change_password(
        &self,
        kept: &Session,
        new: &str,
        by: &AuditContext,
    ) -> Result<(), EnrolError> {
        let password =
            Password::new(new).ok_or_else(|| EnrolError::Faults(vec![EnrolmentFault::Password]))?;
        let password = self.hash(&kept.user.email, password).await?;
        let change = PasswordChange { password, kept: kept.clone() };
        if self.people.change_password(change, by).await? {
            Ok(())
        } else {
            Err(EnrolError::LinkEnded)
        }
    }

    /// The hash of a password, with the salt of everybody who has the address.
    async fn hash(
        &self,
        email: &StaffEmail,
        password: Password,
    ) -> Result<PasswordHash, StoreError> {
        let known = self.people.credentials(email, None).await?;
        let known: Vec<PasswordHash> = known.into_iter().filter_map(|one| one.password).collect();
        hash_for_known_person(move || PasswordHash::beside(&password, &known)).await
    }
}
