//! People of the dashboard.

use crate::TestService;
use anyhow::{Context, Result, anyhow};
use tua_domain::{
    Mode, Scope,
    audit::{AuditContext, Source},
    change::Change,
    payout_controls::ControlsChange,
    people::{OtherAccess, PROOF_MAX, Role, RoleChanger, StaffEmail, TotpSecret},
    ports::Clock,
    secret::SecretDigest,
};
use tua_service::Running;
use tua_system::actor::audit_context;
use tua_use_cases::{EnrolmentForm, Inviter};

impl TestService {
    /// The origin of the dashboard.
    ///
    /// # Errors
    /// The service is stopped.
    pub fn dashboard(&self) -> Result<&str> {
        self.running()?.dashboard_url().context("the dashboard is off")
    }

    /// Invites a person. Returns the link to enrol with.
    ///
    /// # Errors
    /// Those of the store, and an address that is none.
    pub async fn invite(&self, email: &str, role: Role) -> Result<String> {
        let running = self.running()?;
        let address: StaffEmail = email.parse().map_err(|_| anyhow!("{email} is no address"))?;
        let inviter = Inviter {
            changer: RoleChanger::CommandLine,
            other_access: OtherAccess::Undecided,
            language: None,
        };
        let by = self.by(running);
        let path = running.enrolments.invite(&address, &self.account, role, &inviter, &by).await?;
        let path = path.with_context(|| format!("{email} has enrolled"))?;
        Ok(format!("{}{path}", self.dashboard()?))
    }

    /// Invites a person, who enrols with this password. Returns the link.
    ///
    /// # Errors
    /// As [`TestService::invite`].
    pub async fn enrol(&self, email: &str, role: Role, password: &str) -> Result<String> {
        let invitation = self.invite(email, role).await?;
        let running = self.running()?;
        let link =
            running.enrolments.open(token_of(&invitation)).await?.context("the link has ended")?;
        let answers = EnrolmentForm {
            name: email.to_owned(),
            password: password.to_owned(),
            code: self.code(&invitation)?,
            ..EnrolmentForm::default()
        };
        running.enrolments.complete(link, answers, |_| self.by(running)).await?;
        Ok(invitation)
    }

    /// The code that the app of the invited person shows now.
    ///
    /// # Errors
    /// The service is stopped.
    pub fn code(&self, invitation: &str) -> Result<String> {
        let keys = &self.running()?.idempotency.keys;
        let digest = SecretDigest::of(token_of(invitation));
        let totp = TotpSecret::of_enrolment(&keys.current(), digest);
        totp.code(self.clock.now()).context("no code at this time")
    }

    /// Moves the clock until no person's proof is fresh.
    pub fn expire_proofs(&self) {
        self.advance(PROOF_MAX.unsigned_abs());
    }

    /// Makes every payout of the account wait for an approval.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn require_approvals(&self) -> Result<()> {
        let running = self.running()?;
        let scope = Scope { account: self.account.clone(), mode: Mode::Test };
        let none = "0".parse().map_err(|fault| anyhow!("{fault}"))?;
        let change =
            ControlsChange { approval_above: Change::Set(none), ..ControlsChange::default() };
        running.store.set_payout_controls(&scope, change, &self.by(running)).await?;
        Ok(())
    }

    fn by(&self, running: &Running) -> AuditContext {
        audit_context(Source::CommandLine, None, &running.idempotency.keys, self.clock.now())
    }
}

/// The token is the last part of the link.
fn token_of(link: &str) -> &str {
    link.rsplit('/').next().unwrap_or_default()
}
