//! The service under test: the program of `tests/harness`, which is the real service with a clock
//! that tests move.

use crate::program;
use anyhow::{Context, Result, anyhow, ensure};
use reqwest::{Method, Url};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{BufReader, Lines};
use tokio::process::{Child, ChildStdout};
use tokio::time::timeout;

/// The password of everybody who enrols.
pub const PASSWORD: &str = "correct horse battery staple";

/// How long one code of an app lasts (RFC 6238, 4.1).
const CODE_LIFETIME: Duration = Duration::from_secs(30);

/// Longer than the sandbox needs for a payment on two busy cores.
const FINAL_STATUS_TIMEOUT: Duration = Duration::from_secs(30);

/// The service on a port of its own, with one account. Dropping it stops it.
#[derive(Debug)]
pub struct TestService {
    origin: String,
    secret_key: String,
    dashboard: String,
    control: String,
    http: reqwest::Client,
    _process: Child,
}

/// A checkout session as the merchant's server gets it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// The token for the component.
    #[serde(rename = "checkoutToken")]
    pub token: String,
    /// The URL of the hosted page.
    pub url: String,
}

/// Somebody with a role in the account.
#[derive(Clone, Debug)]
pub struct Person {
    /// The link to enrol with.
    pub invitation: String,
}

impl TestService {
    /// Starts it on a free port, with a new database.
    ///
    /// # Errors
    /// The program is missing, or has ended.
    pub async fn start() -> Result<Self> {
        let (process, mut lines) =
            program::start("TUA_HARNESS_BIN", "tua-harness", "tua-harness", &[])?;
        Ok(Self {
            origin: printed(&mut lines, "TUA_TEST_API").await?,
            secret_key: printed(&mut lines, "TUA_TEST_KEY").await?,
            dashboard: printed(&mut lines, "TUA_TEST_DASHBOARD").await?,
            control: printed(&mut lines, "TUA_TEST_CONTROL").await?,
            http: reqwest::Client::new(),
            _process: process,
        })
    }

    /// Its URL, without a trailing slash.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The origin of the dashboard.
    #[must_use]
    pub fn dashboard(&self) -> &str {
        &self.dashboard
    }

    /// Moves its clock forward.
    ///
    /// # Errors
    /// The service has ended.
    pub async fn advance(&self, by: Duration) -> Result<()> {
        self.control("advance", &[("seconds", &by.as_secs().to_string())]).await.map(drop)
    }

    /// Moves the clock until no person's proof is fresh.
    ///
    /// # Errors
    /// The service has ended.
    pub async fn expire_proofs(&self) -> Result<()> {
        self.control("expire-proofs", &[]).await.map(drop)
    }

    /// Stops it. Its data are on disk. Stopping twice is no error.
    ///
    /// # Errors
    /// The program has ended.
    pub async fn stop(&self) -> Result<()> {
        self.control("stop", &[]).await.map(drop)
    }

    /// Starts it again on the same port and database.
    ///
    /// # Errors
    /// Any error of the start.
    pub async fn start_again(&self) -> Result<()> {
        self.control("start", &[]).await.map(drop)
    }

    /// Makes every payout of the account wait for an approval.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn require_approvals(&self) -> Result<()> {
        self.control("require-approvals", &[]).await.map(drop)
    }

    /// Invites a person with this role.
    ///
    /// # Errors
    /// Those of the store, an address or a role that is none.
    pub async fn invite(&self, email: &str, role: &str) -> Result<Person> {
        let invitation = self.control("invite", &[("email", email), ("role", role)]).await?;
        Ok(Person { invitation })
    }

    /// Invites a person, who enrols with [`PASSWORD`].
    ///
    /// # Errors
    /// As [`TestService::invite`].
    pub async fn enrol(&self, email: &str, role: &str) -> Result<Person> {
        let answers = [("email", email), ("role", role), ("password", PASSWORD)];
        let invitation = self.control("enrol", &answers).await?;
        Ok(Person { invitation })
    }

    /// The code that the person's app shows now.
    ///
    /// # Errors
    /// The service is stopped.
    pub async fn code(&self, person: &Person) -> Result<String> {
        self.control("code", &[("invitation", &person.invitation)]).await
    }

    /// The code that the person's app shows next, because each works once. Moves the clock to it.
    ///
    /// # Errors
    /// As [`TestService::code`].
    pub async fn next_code(&self, person: &Person) -> Result<String> {
        self.advance(CODE_LIFETIME).await?;
        self.code(person).await
    }

    /// Creates a checkout session of `amount` cedis, as a merchant's server does.
    ///
    /// # Errors
    /// Any response except a success.
    pub async fn open_checkout(&self, amount: &str) -> Result<Order> {
        let amount: Value = serde_json::from_str(amount).context("the amount is no number")?;
        let body = json!({ "amount": amount, "currency": "GHS", "email": "ama@example.com" });
        let opened = self.call(Method::POST, "/v1/checkout", &self.secret_key, Some(body)).await?;
        Ok(serde_json::from_value(opened)?)
    }

    /// The status of a checkout's latest transaction.
    ///
    /// # Errors
    /// A response without a transaction.
    pub async fn latest_status(&self, token: &str) -> Result<String> {
        let session = self.call(Method::GET, "/v1/checkout", token, None).await?;
        let status = session.pointer("/transaction/status").and_then(Value::as_str);
        status.map(str::to_owned).ok_or_else(|| anyhow!("no transaction in {session}"))
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

    async fn control(&self, action: &str, query: &[(&str, &str)]) -> Result<String> {
        let url = Url::parse_with_params(&format!("{}/{action}", self.control), query)?;
        let response = self.http.post(url).send().await?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{action}: {status} {text}");
        Ok(text)
    }
}

/// The value that the program prints after this name.
async fn printed(lines: &mut Lines<BufReader<ChildStdout>>, name: &str) -> Result<String> {
    let line = lines.next_line().await?.context("the service ended before it was ready")?;
    let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
    value.map(str::to_owned).with_context(|| format!("{line} is no line of {name}"))
}

fn id(transaction: &Value) -> Result<String> {
    Ok(transaction["transactionId"].as_str().context("no transaction")?.to_owned())
}
