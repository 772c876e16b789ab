//! Pending work of every kind, begun under one program and ended under another.

use super::merchant::{Merchant, Surroundings};
use crate::{
    accepted::AcceptedRequest,
    load::{Payer, SUBMIT_CODE, correct_code},
};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tua_domain::TransactionId;

/// A payout above this sum, in cedis, waits for an approval.
const APPROVAL_ABOVE: &str = "50";

/// How long something may take that needs no decision.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A wallet that pays, on each network.
const WALLETS: [(&str, &str); 3] =
    [("MTN", "0241234567"), ("TELECEL", "0201234567"), ("AIRTELTIGO", "0271234567")];

/// What the older program leaves.
pub struct PendingWork {
    live: Payer,
    test: Payer,
    /// The kinds of work that were begun.
    kinds: Vec<&'static str>,
    /// The token of an open checkout session without a charge.
    session: String,
    /// The address of an open payment link.
    link: String,
    /// A payout and a batch that wait for an approval.
    approvals: Vec<String>,
}

/// The requests that began payments.
pub struct EndedWork {
    pub live: Vec<AcceptedRequest>,
    pub test: Vec<AcceptedRequest>,
}

impl PendingWork {
    /// Begins the work at the older program, which must serve.
    pub async fn begin(merchant: &Merchant, services: &Surroundings, seed: u64) -> Result<Self> {
        let older = &merchant.older;
        let account = older.account();
        let limits = ["--payout-approval-above", APPROVAL_ABOVE];
        older.run(
            ["account", "set", "--account", account, "--mode", "live"].iter().chain(&limits),
        )?;
        let random = fastrand::Rng::with_seed;
        let mut work = Self {
            live: Payer::new(Arc::new(older.clone()), random(seed))?,
            test: Payer::new(Arc::new(merchant.test.clone()), random(seed + 1))?,
            kinds: Vec::new(),
            session: String::new(),
            link: String::new(),
            approvals: Vec::new(),
        };
        work.begin_refund(merchant, services).await?;
        work.begin_charges(merchant, services).await?;
        work.begin_payouts(merchant).await?;
        work.open(merchant).await?;
        work.begin_test_payments(merchant, services).await?;
        Ok(work)
    }

    /// The number of kinds of work.
    pub const fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// A refund that its operator has not decided, of a charge that is paid.
    async fn begin_refund(&mut self, merchant: &Merchant, services: &Surroundings) -> Result<()> {
        let key = &merchant.older.key;
        let paid = self.charge(key, "MTN", 12).await?;
        let path = format!("/v1/status/{}", text(&paid["transactionId"])?);
        let begun = Instant::now();
        while self.live.read(key, &path).await?["status"] != "SUCCESSFUL" {
            ensure!(begun.elapsed() < TIMEOUT, "the charge was not paid");
            services.operators.advance(Duration::from_secs(1));
        }
        let body = json!({ "transactionId": paid["transactionId"], "amount": 5 });
        let refund = self.live.send_until_accepted("/v1/refunds", key, body).await?;
        self.expect("a refund at its operator", &refund, &[])
    }

    async fn begin_charges(&mut self, merchant: &Merchant, services: &Surroundings) -> Result<()> {
        let key = &merchant.older.key;
        let waiting = self.charge(key, "MTN", 13).await?;
        self.expect("a charge that waits for its payer", &waiting, &["APPROVE_ON_PHONE"])?;
        let code = self.charge(key, "TELECEL", 14).await?;
        self.expect("a charge that waits for a code", &code, &["ENTER_OTP", "ENTER_VOUCHER"])?;
        services.operators.lose_next_response();
        let unknown = self.charge(key, "MTN", 15).await?;
        self.expect("an order whose response was lost", &unknown, &["WAIT"])?;
        let approved = self.charge(key, "AIRTELTIGO", 16).await?;
        let id = TransactionId::new(text(&approved["transactionId"])?);
        let asked_before = services.operators.questions();
        services.operators.approve_without_answers(&id)?;
        until("the callback was used", || services.operators.questions() > asked_before).await?;
        self.expect("a callback about which the operator was not reached", &approved, &[])
    }

    async fn begin_payouts(&mut self, merchant: &Merchant) -> Result<()> {
        let key = &merchant.older.key;
        let sent = self.live.send_until_accepted("/v1/payout", key, payment("MTN", 17)).await?;
        self.expect("a payout at its operator", &sent, &[])?;
        let held = self.live.send_until_accepted("/v1/payout", key, payment("MTN", 60)).await?;
        self.expect("a payout that waits for an approval", &held, &["APPROVE_IN_DASHBOARD"])?;
        let lines = [("MTN", 26), ("TELECEL", 27), ("AIRTELTIGO", 28)];
        let lines = lines.map(|(network, amount)| payment(network, amount));
        let body = json!({ "payouts": lines });
        let batch = self.live.send_until_accepted("/v1/payouts/batches", key, body).await?;
        let line = &batch["payouts"][0];
        self.expect("a batch that waits for an approval", line, &["APPROVE_IN_DASHBOARD"])?;
        self.approvals = vec![text(&held["transactionId"])?, text(&batch["batchId"])?];
        Ok(())
    }

    /// A session and a payment link that nobody has paid yet.
    async fn open(&mut self, merchant: &Merchant) -> Result<()> {
        let older = &merchant.older;
        let body = json!({ "amount": 18, "email": "ama@example.com" });
        let opened = self.live.send_until_accepted("/v1/checkout", &older.key, body).await?;
        self.session = text(&opened["checkoutToken"])?;
        self.kinds.push("an open checkout session");
        let link = ["link", "create", "--account", older.account(), "--mode", "live"];
        let terms = ["--title", "Market day", "--amount", "19"];
        let link = older.run(link.iter().chain(&terms))?;
        self.link = text(&link["url"])?;
        self.kinds.push("an open payment link");
        Ok(())
    }

    /// Orders in the sandbox, and webhooks that the merchant has not accepted yet.
    async fn begin_test_payments(
        &mut self,
        merchant: &Merchant,
        services: &Surroundings,
    ) -> Result<()> {
        services.receiver.refuse();
        let key = &merchant.test.key;
        let charges = [
            json!({ "amount": 3, "phoneNumber": "0241230009", "network": "MTN" }),
            json!({ "amount": 4, "phoneNumber": "0201234567", "network": "TELECEL" }),
        ];
        let webhooks = charges.len();
        for body in charges {
            self.test.send_until_accepted("/v1/charge", key, body).await?;
        }
        self.kinds.push("orders in the sandbox");
        until("each was refused", || services.receiver.refused() >= webhooks).await?;
        // The next attempt follows after five seconds, the one after that would be too late.
        services.receiver.accept();
        self.kinds.push("a webhook that is sent again");
        Ok(())
    }

    /// Does what people do at this program: they approve, pay and let the operators respond.
    pub async fn end(
        mut self,
        merchant: &Merchant,
        services: &Surroundings,
        seed: u64,
    ) -> Result<EndedWork> {
        services.operators.recover();
        let page = reqwest::get(&self.link).await?.status();
        ensure!(page.is_success(), "the page of the payment link responds with {page}");
        let config = merchant.newer.config()?.display().to_string();
        for id in &self.approvals {
            let approval = ["payout", "approve", id, "--as", "Esi", "--config", &config];
            merchant.newer.run(approval)?;
        }
        let random = fastrand::Rng::with_seed(seed + 2);
        let mut payer = Payer::new(Arc::new(merchant.newer.clone()), random)?;
        let body = json!({ "phoneNumber": WALLETS[1].1, "network": WALLETS[1].0 });
        let charge = payer.send_until_accepted("/v1/charge", &self.session, body).await?;
        let code = correct_code(&text(&charge["transactionId"])?);
        payer.send_until_accepted(SUBMIT_CODE, &self.session, code).await?;
        self.live.accepted.append(&mut payer.accepted);
        Ok(EndedWork { live: self.live.accepted, test: self.test.accepted })
    }

    async fn charge(&mut self, key: &str, network: &'static str, cedis: u32) -> Result<Value> {
        self.live.send_until_accepted("/v1/charge", key, payment(network, cedis)).await
    }

    /// Checks that a payment is pending, with one of these next actions if any is given.
    fn expect(&mut self, kind: &'static str, begun: &Value, actions: &[&str]) -> Result<()> {
        let action = begun["nextAction"].as_str().unwrap_or_default();
        let is_expected = actions.is_empty() || actions.contains(&action);
        ensure!(begun["status"] == "PENDING" && is_expected, "{kind}: {begun}");
        self.kinds.push(kind);
        Ok(())
    }
}

/// A payment of a wallet of this network.
fn payment(network: &str, cedis: u32) -> Value {
    let wallet = WALLETS.iter().find(|(name, _)| *name == network).map(|(_, number)| *number);
    json!({ "amount": cedis, "phoneNumber": wallet, "network": network })
}

fn text(value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).with_context(|| format!("no text: {value}"))
}

/// Waits until something that is on its way has happened.
async fn until(what: &str, has_happened: impl Fn() -> bool) -> Result<()> {
    let begun = Instant::now();
    while !has_happened() {
        ensure!(begun.elapsed() < TIMEOUT, "not within {} s: {what}", TIMEOUT.as_secs());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
