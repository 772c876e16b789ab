//! People of the dashboard, and the payments that they look at.

use crate::TestService;
use anyhow::{Context, Result, anyhow, ensure};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;
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

/// The password of everybody who enrols.
pub const PASSWORD: &str = "correct horse battery staple";

/// How long one code lasts (RFC 6238, 4.1).
const CODE_LIFETIME: Duration = Duration::from_secs(30);

/// Longer than the sandbox needs for a payment on two busy cores.
const FINAL_STATUS_TIMEOUT: Duration = Duration::from_secs(30);

/// Somebody with a role in the account.
#[derive(Clone, Debug)]
pub struct Person {
    /// The e-mail address, with which the person signs in.
    pub email: String,
    /// The link to enrol with.
    pub invitation: String,
    totp: TotpSecret,
}

impl TestService {
    /// The origin of the dashboard.
    ///
    /// # Errors
    /// The service is stopped.
    pub fn dashboard(&self) -> Result<&str> {
        self.running()?.dashboard_url().context("the dashboard is off")
    }

    /// Invites a person.
    ///
    /// # Errors
    /// Those of the store, and an address that is none.
    pub async fn invite(&self, email: &str, role: Role) -> Result<Person> {
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
        let totp = TotpSecret::of_enrolment(
            &running.idempotency.keys.current(),
            SecretDigest::of(token_of(&path)),
        );
        Ok(Person {
            email: email.to_owned(),
            invitation: format!("{}{path}", self.dashboard()?),
            totp,
        })
    }

    /// Invites a person, who enrols with [`PASSWORD`].
    ///
    /// # Errors
    /// As [`TestService::invite`].
    pub async fn enrol(&self, email: &str, role: Role) -> Result<Person> {
        let person = self.invite(email, role).await?;
        let running = self.running()?;
        let link = running
            .enrolments
            .open(token_of(&person.invitation))
            .await?
            .context("the link has ended")?;
        let answers = EnrolmentForm {
            name: email.to_owned(),
            password: PASSWORD.to_owned(),
            code: self.code(&person)?,
            ..EnrolmentForm::default()
        };
        running.enrolments.complete(link, answers, |_| self.by(running)).await?;
        Ok(person)
    }

    /// The code that the person's app shows now.
    ///
    /// # Errors
    /// None while the clock is after 1970.
    pub fn code(&self, person: &Person) -> Result<String> {
        person.totp.code(self.clock.now()).context("no code at this time")
    }

    /// The code that the person's app shows next, because each works once. Moves the clock to it.
    ///
    /// # Errors
    /// As [`TestService::code`].
    pub fn next_code(&self, person: &Person) -> Result<String> {
        self.advance(CODE_LIFETIME);
        self.code(person)
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

    /// Charges 25.50 cedis with this reference, and waits until they are paid.
    ///
    /// # Errors
    /// A charge that is not paid.
    pub async fn charge(&self, reference: &str) -> Result<String> {
        let order = json!({ "amount": 25.5, "email": "esi@example.com", "reference": reference });
        let session =
            self.call(Method::POST, "/v1/checkout", &self.secret_key, Some(order)).await?;
        let token = session["checkoutToken"].as_str().context("no token")?;
        let wallet = json!({ "phoneNumber": "0241234567", "network": "MTN" });
        let id = id(&self.call(Method::POST, "/v1/charge", token, Some(wallet)).await?)?;
        let status = self.final_status(&id).await?;
        ensure!(status == "SUCCESSFUL", "the charge is {status}");
        Ok(id)
    }

    /// Requests a payout of 5 cedis with this key.
    ///
    /// # Errors
    /// Any response except a success.
    pub async fn pay_out(&self, key: &str) -> Result<String> {
        let payout = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
        id(&self.call(Method::POST, "/v1/payout", key, Some(payout)).await?)
    }

    /// Waits for the final status of a transaction.
    ///
    /// # Errors
    /// A response that is no transaction, or none that is final in time.
    pub async fn final_status(&self, id: &str) -> Result<String> {
        let path = format!("/v1/status/{id}");
        timeout(FINAL_STATUS_TIMEOUT, async {
            loop {
                let found = self.call(Method::GET, &path, &self.secret_key, None).await?;
                match found["status"].as_str().context("no status")? {
                    "PENDING" => {}
                    status => return Ok(status.to_owned()),
                }
            }
        })
        .await
        .with_context(|| format!("{id} is still pending"))?
    }

    /// The amounts of the refunds of a charge, in cedis.
    ///
    /// # Errors
    /// A response that is no list.
    pub async fn refunds(&self, charge: &str) -> Result<Vec<Value>> {
        let path = format!("/v1/refunds?transactionId={charge}");
        let list = self.call(Method::GET, &path, &self.secret_key, None).await?;
        let rows = list["data"].as_array().context("no list")?;
        Ok(rows.iter().map(|row| row["amount"].clone()).collect())
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        credential: &str,
        body: Option<Value>,
    ) -> Result<Value> {
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.origin))
            .header("x-api-key", credential);
        // Only a request for a transaction's status waits.
        request = request.header("prefer", "wait=20");
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{path}: {status} {text}");
        Ok(serde_json::from_str(&text)?)
    }

    fn by(&self, running: &Running) -> AuditContext {
        audit_context(Source::CommandLine, None, &running.idempotency.keys, self.clock.now())
    }
}

/// The token is the last part of the link.
fn token_of(link: &str) -> &str {
    link.rsplit('/').next().unwrap_or_default()
}

fn id(transaction: &Value) -> Result<String> {
    Ok(transaction["transactionId"].as_str().context("no transaction")?.to_owned())
}
