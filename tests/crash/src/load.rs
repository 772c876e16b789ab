//! Clients that pay without end, and repeat each request until they have an answer.

use crate::{ledger::Promise, service::Shop};
use anyhow::{Context, Result, bail};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};
use tokio::task::JoinSet;

/// Every kind of outcome that ends by itself (docs/reference/test-mode.md), each as likely as another.
const ENDINGS: [&str; 10] = ["4567", "0001", "0002", "0004", "0005", "0006", "0008", "0009", "0010", "0011"];

/// Running clients.
#[derive(Debug)]
pub struct Load {
    stop: Arc<AtomicBool>,
    clients: JoinSet<Result<Vec<Promise>>>,
}

impl Load {
    /// Starts so many clients.
    pub fn start(shop: Arc<Shop>, clients: u32, seed: u64) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let payments = Arc::new(AtomicI64::new(1));
        let mut running = JoinSet::new();
        for client in 0..clients {
            let random = fastrand::Rng::with_seed(seed.wrapping_add(u64::from(client) + 1));
            let client = Payer {
                shop: shop.clone(),
                http: http(&shop)?,
                random,
                payments: payments.clone(),
                promises: Vec::new(),
            };
            running.spawn(client.run(stop.clone()));
        }
        Ok(Self { stop, clients: running })
    }

    /// Lets every client finish what it is doing, and returns what they were promised.
    pub async fn finish(mut self) -> Result<Vec<Promise>> {
        self.stop.store(true, Ordering::Relaxed);
        let mut promises = Vec::new();
        while let Some(client) = self.clients.join_next().await {
            promises.extend(client??);
        }
        Ok(promises)
    }
}

struct Payer {
    shop: Arc<Shop>,
    http: Client,
    random: fastrand::Rng,
    /// Gives every payment an amount of its own, so that a doubled one cannot hide.
    payments: Arc<AtomicI64>,
    promises: Vec<Promise>,
}

impl Payer {
    async fn run(mut self, stop: Arc<AtomicBool>) -> Result<Vec<Promise>> {
        while !stop.load(Ordering::Relaxed) {
            match self.random.u8(0..4) {
                0 => self.pay_out().await?,
                1 | 2 => self.charge().await?,
                _ => self.check_out().await?,
            }
        }
        Ok(self.promises)
    }

    async fn pay_out(&mut self) -> Result<()> {
        let (phone, network) = self.wallet();
        let body = json!({ "amount": self.amount(), "phoneNumber": phone, "network": network });
        let key = self.shop.key.clone();
        self.insist("/v1/payout", &key, body).await.map(drop)
    }

    async fn charge(&mut self) -> Result<()> {
        let (phone, network) = self.wallet();
        let body = json!({ "amount": self.amount(), "phoneNumber": phone, "network": network });
        let key = self.shop.key.clone();
        let answer = self.insist("/v1/charge", &key, body).await?;
        self.verify(&key, &answer).await
    }

    async fn check_out(&mut self) -> Result<()> {
        let key = self.shop.key.clone();
        let session = json!({ "amount": self.amount(), "email": "ama@example.com" });
        let opened = self.insist("/v1/checkout", &key, session).await?;
        let token = opened["checkoutToken"].as_str().context("a token")?.to_owned();
        let (phone, network) = self.wallet();
        let answer = self.insist("/v1/charge", &token, json!({ "phoneNumber": phone, "network": network })).await?;
        self.verify(&token, &answer).await
    }

    /// Enters the right code for as long as one is asked for: a code that was counted when the
    /// process died never reached the operator, and is kept nowhere.
    async fn verify(&mut self, credential: &str, charge: &Value) -> Result<()> {
        let id = charge["transactionId"].as_str().context("a transaction")?.to_owned();
        let mut seen = charge.clone();
        while seen["status"] == "PENDING" {
            match seen["nextAction"].as_str() {
                Some("ENTER_OTP" | "ENTER_VOUCHER") => {
                    let code = json!({ "transactionId": id, "otp": "123456" });
                    self.insist("/v1/submit-otp", credential, code).await?;
                }
                // The process died before the operator had answered: what is to be done is told later.
                Some("WAIT") => {}
                _ => return Ok(()),
            }
            seen = self.read(credential, &format!("/v1/status/{id}")).await?;
        }
        Ok(())
    }

    /// A wallet whose last digits choose the outcome.
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

    /// Sends a request under one key until it is answered, and keeps the answer.
    async fn insist(&mut self, route: &'static str, credential: &str, body: Value) -> Result<Value> {
        let key = format!("{:032x}", self.random.u128(..));
        let mut requests = 0;
        loop {
            requests += 1;
            let request = self.http.post(format!("{}{route}", self.shop.origin)).bearer_auth(credential);
            let Some((status, answer)) = answered(request.header("idempotency-key", &key).json(&body)).await else {
                continue;
            };
            let code = serde_json::from_str::<Value>(&answer).unwrap_or(Value::Null)["code"].clone();
            match status {
                _ if status.is_success() => {}
                // A code whose answer was lost with the process had been taken after all.
                StatusCode::CONFLICT if code == "verification_not_expected" => return Ok(Value::Null),
                StatusCode::CONFLICT if code == "idempotency_in_progress" => continue,
                StatusCode::SERVICE_UNAVAILABLE => continue,
                _ => bail!("{route} was answered {status} {answer}"),
            }
            let value = serde_json::from_str(&answer)?;
            let credential = credential.to_owned();
            self.promises.push(Promise { route, credential, key, body, status, answer, requests });
            return Ok(value);
        }
    }

    async fn read(&self, credential: &str, path: &str) -> Result<Value> {
        loop {
            let request = self.http.get(format!("{}{path}", self.shop.origin)).bearer_auth(credential);
            if let Some((status, answer)) = answered(request.header("prefer", "wait=2")).await {
                match status {
                    StatusCode::OK => return Ok(serde_json::from_str(&answer)?),
                    StatusCode::SERVICE_UNAVAILABLE => {}
                    _ => bail!("{path} was answered {status} {answer}"),
                }
            }
        }
    }
}

/// A client; where there are many nodes each of its requests may go to another one.
pub fn http(shop: &Shop) -> Result<Client> {
    let idle = if shop.nodes() > 1 { 0 } else { usize::MAX };
    Ok(Client::builder().pool_max_idle_per_host(idle).build()?)
}

/// The whole answer, or nothing where the service died before its end.
pub async fn answered(request: reqwest::RequestBuilder) -> Option<(StatusCode, String)> {
    // So that clients do not spin while nobody listens.
    const PAUSE: Duration = Duration::from_millis(5);
    let read = async {
        let response = request.timeout(Duration::from_secs(30)).send().await.ok()?;
        let status = response.status();
        Some((status, response.text().await.ok()?))
    };
    let answer = read.await;
    if answer.is_none() {
        tokio::time::sleep(PAUSE).await;
    }
    answer
}
