//! Sign-ins and fresh proofs with password and code.

use super::{
    password_check::{Attempt, SignInError},
    sessions::{Proof, Sessions},
};
use std::net::IpAddr;
use tua_domain::{
    language::LanguageTag,
    people::{Device, Session, SessionToken, SignInWay, User},
};

impl Sessions {
    /// Signs a person in. Password and code are checked together, so that there is no half-finished
    /// sign-in.
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
        let user = User { language, ..self.check_sign_in(email, proof, &device).await? };
        let (session, token) = self.begin(user, device, SignInWay::Password).await?;
        tracing::info!(user = %session.user.id, "signed in to the dashboard");
        Ok((session, token))
    }

    /// Proves a session again. The session gets another token.
    ///
    /// # Errors
    /// As [`Self::sign_in`].
    pub async fn prove(
        &self,
        session: &Session,
        proof: Proof,
        address: Option<IpAddr>,
    ) -> Result<SessionToken, SignInError> {
        self.check_proof(session, proof, address).await?;
        let token = self.renew(session).await?;
        token
            .ok_or_else(|| self.refuse(SignInError::Wrong, Attempt::Session(session), address, &[]))
    }
}
