//! Clients that create payments until they are stopped, and repeat each request until it gets a
//! response.

use crate::{accepted::AcceptedRequest, service::Shop};
use anyhow::{Context, Result, bail};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

/// Test numbers with a final outcome (docs/reference/test-mode.md), all equally likely.
const ENDINGS: [&str; 10] =
    ["4567", "0001", "0002", "0004", "0005", "0006", "0008", "0009", "0010", "0011"];

/// The first amount in pesewas: more than the smallest of every operator.
const FIRST_AMOUNT: i64 = 200;

/// How long a payer waits for an outcome. It may stay open until people decide it: a live operator
/// may not know it, and the sandbox may have lost the order in a kill of the database server.
const MAX_WAIT: Duration = Duration::from_secs(25);

/// The clients that send requests until [`Self::finish`].
#[derive(Debug)]
pub struct Load {
    stop: Arc<AtomicBool>,
    clients: JoinSet<Result<Vec<AcceptedRequest>>>,
}

impl Load {
    /// Starts this number of clients.
    pub fn start(shop: Arc<Shop>, clients: u32, seed: u64) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let payments = Arc::new(AtomicI64::new(FIRST_AMOUNT));
        let mut running = JoinSet::new();
        for client in 0..clients {
            let random = fastrand::Rng::with_seed(seed.wrapping_add(u64::from(client) + 1));
            let client = Payer { payments: payments.clone(), ..Payer::new(shop.clone(), random)? };
            running.spawn(client.run(stop.clone()));
        }
        Ok(Self { stop, clients: running })
    }

    /// Waits until every client has finished its current payment; returns all accepted requests.
    pub async fn finish(mut self) -> Result<Vec<AcceptedRequest>> {
        self.stop.store(true, Ordering::Relaxed);
        let mut accepted = Vec::new();
        while let Some(client) = self.clients.join_next().await {
            accepted.extend(client??);
        }
        Ok(accepted)
    }
}

/// A client that sends requests, and repeats each until it is accepted.
pub struct Payer {
    shop: Arc<Shop>,
    http: Client,
    random: fastrand::Rng,
    /// Gives every payment an amount of its own, so that a duplicate is visible.
    payments: Arc<AtomicI64>,
    /// What was accepted, oldest first.
    pub accepted: Vec<AcceptedRequest>,
}

impl Payer {
    /// A client of this shop. It takes its idempotency keys from `random`.
    pub fn new(shop: Arc<Shop>, random: fastrand::Rng) -> Result<Self> {
        let http = http(&shop)?;
        let payments = Arc::new(AtomicI64::new(FIRST_AMOUNT));
        Ok(Self { shop, http, random, payments, accepted: Vec::new() })
    }

    async fn run(mut self, stop: Arc<AtomicBool>) -> Result<Vec<AcceptedRequest>> {
        while !stop.load(Ordering::Relaxed) {
            match self.random.u8(0..6) {
                0 => self.pay_out().await?,
                1 | 2 => self.charge().await.map(drop)?,
                3 => self.pay_out_batch().await?,
                4 if !self.shop.is_live() => self.refund().await?,
                _ => self.check_out().await?,
            }
        }
        Ok(self.accepted)
    }

    async fn pay_out(&mut self) -> Result<()> {
        let (phone, network) = self.wallet();
        let body = json!({ "amount": self.amount(), "phoneNumber": phone, "network": network });
        let key = self.shop.key.clone();
        self.send_until_accepted("/v1/payout", &key, body).await.map(drop)
    }

    async fn pay_out_batch(&mut self) -> Result<()> {
        let mut line = || {
            let (phone, network) = self.wallet();
            json!({ "amount": self.amount(), "phoneNumber": phone, "network": network })
        };
        let body = json!({ "payouts": [line(), line(), line()] });
        let key = self.shop.key.clone();
        self.send_until_accepted("/v1/payouts/batches", &key, body).await.map(drop)
    }

    /// Returns the response to the charge.
    async fn charge(&mut self) -> Result<Value> {
        let (phone, network) = self.wallet();
        let body = json!({ "amount": self.amount(), "phoneNumber": phone, "network": network });
        let key = self.shop.key.clone();
        let response = self.send_until_accepted("/v1/charge", &key, body).await?;
        self.verify(&key, &response).await?;
        Ok(response)
    }

    /// Charges a wallet, and refunds a part of what it paid, twice.
    async fn refund(&mut self) -> Result<()> {
        let key = self.shop.key.clone();
        let charge =
            self.charge().await?["transactionId"].as_str().context("a transaction")?.to_owned();
        let mut paid = self.read(&key, &format!("/v1/status/{charge}")).await?;
        let begun = Instant::now();
        while paid["status"] == "PENDING" && begun.elapsed() < MAX_WAIT {
            paid = self.read(&key, &format!("/v1/status/{charge}")).await?;
        }
        if paid["status"] == "SUCCESSFUL" {
            for amount in [0.75, 1.25] {
                let body = json!({ "transactionId": charge, "amount": amount });
                self.send_until_accepted("/v1/refunds", &key, body).await?;
            }
        }
        Ok(())
    }

    async fn check_out(&mut self) -> Result<()> {
        let key = self.shop.key.clone();
        let session = json!({ "amount": self.amount(), "email": "ama@example.com" });
        let opened = self.send_until_accepted("/v1/checkout", &key, session).await?;
        let token = opened["checkoutToken"].as_str().context("a token")?.to_owned();
        let (phone, network) = self.wallet();
        let response = self
            .send_until_accepted(
                "/v1/charge",
                &token,
                json!({ "phoneNumber": phone, "network": network }),
            )
            .await?;
        self.verify(&token, &response).await
    }

    /// Submits the correct code as long as one is expected. A code that was counted when the
    /// process was killed never reached the operator, and is not stored.
    async fn verify(&mut self, credential: &str, charge: &Value) -> Result<()> {
        let id = charge["transactionId"].as_str().context("a transaction")?.to_owned();
        let mut seen = charge.clone();
        let begun = Instant::now();
        while seen["status"] == "PENDING" {
            match seen["nextAction"].as_str() {
                Some("ENTER_OTP" | "ENTER_VOUCHER") => {
                    self.send_until_accepted(SUBMIT_CODE, credential, correct_code(&id)).await?;
                }
                Some("WAIT") if begun.elapsed() > MAX_WAIT => return Ok(()),
                // The process was killed before the operator had responded. The next action is
                // known later.
                Some("WAIT") => {}
                _ => return Ok(()),
            }
            seen = self.read(credential, &format!("/v1/status/{id}")).await?;
        }
        Ok(())
    }

    /// A test number, whose last digits choose the outcome.
    fn wallet(&mut self) -> (String, &'static str) {
        let (prefix, network) = *self
            .random
            .choice(&[("024", "MTN"), ("020", "TELECEL"), ("027", "AIRTELTIGO")])
            .unwrap_or(&("024", "MTN"));
        let ending = self.random.choice(ENDINGS).unwrap_or(ENDINGS[0]);
        (format!("{prefix}123{ending}"), network)
    }

    fn amount(&self) -> Value {
        let pesewas = self.payments.fetch_add(1, Ordering::Relaxed);
        let text = format!("{}.{:02}", pesewas / 100, pesewas % 100);
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    /// Sends a request with one idempotency key until it is accepted, and records it.
    pub async fn send_until_accepted(
        &mut self,
        route: &'static str,
        credential: &str,
        body: Value,
    ) -> Result<Value> {
        let key = format!("{:032x}", self.random.u128(..));
        let mut attempts = 0;
        loop {
            attempts += 1;
            let request =
                self.http.post(format!("{}{route}", self.shop.origin)).bearer_auth(credential);
            let Some((status, response)) =
                send(request.header("idempotency-key", &key).json(&body)).await
            else {
                continue;
            };
            let code =
                serde_json::from_str::<Value>(&response).unwrap_or(Value::Null)["code"].clone();
            match status {
                _ if status.is_success() => {}
                // The code had been accepted, and its response was lost with the process.
                StatusCode::CONFLICT if code == "verification_not_expected" => {
                    return Ok(Value::Null);
                }
                StatusCode::CONFLICT if code == "idempotency_in_progress" => continue,
                StatusCode::SERVICE_UNAVAILABLE => continue,
                _ => bail!("{route} was response {status} {response}"),
            }
            let value = serde_json::from_str(&response)?;
            let credential = credential.to_owned();
            self.accepted.push(AcceptedRequest {
                route,
                credential,
                key,
                body,
                status,
                response,
                attempts,
            });
            return Ok(value);
        }
    }

    /// Reads a path with a credential until the service responds.
    pub async fn read(&self, credential: &str, path: &str) -> Result<Value> {
        loop {
            let request =
                self.http.get(format!("{}{path}", self.shop.origin)).bearer_auth(credential);
            if let Some((status, response)) = send(request.header("prefer", "wait=2")).await {
                match status {
                    StatusCode::OK => return Ok(serde_json::from_str(&response)?),
                    StatusCode::SERVICE_UNAVAILABLE => {}
                    _ => bail!("{path} was response {status} {response}"),
                }
            }
        }
    }
}

/// The route that takes codes.
pub const SUBMIT_CODE: &str = "/v1/submit-otp";

/// The code that every operator accepts.
pub fn correct_code(transaction_id: &str) -> Value {
    json!({ "transactionId": transaction_id, "otp": "123456" })
}

/// An HTTP client. With several nodes it opens a connection for each request, so that each may go
/// to another node.
pub fn http(shop: &Shop) -> Result<Client> {
    let idle = if shop.nodes() > 1 { 0 } else { usize::MAX };
    Ok(Client::builder().pool_max_idle_per_host(idle).build()?)
}

/// Sends a request; returns `None` if the service was killed before the end of the response.
pub async fn send(request: reqwest::RequestBuilder) -> Option<(StatusCode, String)> {
    // So that clients do not spin while no node listens.
    const RETRY_DELAY: Duration = Duration::from_millis(5);
    let read = async {
        let response = request.timeout(Duration::from_secs(30)).send().await.ok()?;
        let status = response.status();
        Some((status, response.text().await.ok()?))
    };
    let response = read.await;
    if response.is_none() {
        tokio::time::sleep(RETRY_DELAY).await;
    }
    response
}
