//! A merchant with limits of payouts, on a clock that the test advances.

use crate::{
    ApiClient, Response, TestApp, failing_plan::Plan, scripted_operator::ScriptedOperator,
};
use jiff::Timestamp;
use serde_json::json;
use std::sync::Arc;
use tua_contract::lifecycle::Observation;
use tua_domain::{
    Scope, SecretKey, TransactionId,
    approval::{DecideError, PayoutDecision},
    change::Change,
    payout_controls::ControlsChange,
    ports::{Clock, DecidedPayout, Store},
    secret::SecretDigest,
};
use tua_system::clock::OffsetClock;

/// A merchant with a v2 test key, and the service with a stopped clock.
#[derive(Debug)]
pub struct Merchant {
    /// The running service, whose clock is stopped.
    pub app: TestApp,
    /// The operator of test mode.
    pub operator: Arc<ScriptedOperator>,
    /// A client that authenticates with the key.
    pub shop: ApiClient,
    /// The key as it is stored.
    pub key: SecretKey,
}

impl Merchant {
    /// A merchant whose payouts succeed at once. It is one o'clock in UTC, and the clock stands
    /// still.
    pub async fn start() -> Self {
        let operator = Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)));
        Self::with_operator(operator).await
    }

    /// As [`Self::start`], with this operator of test mode.
    pub async fn with_operator(operator: Arc<ScriptedOperator>) -> Self {
        Self::with_store(operator, &Plan::default()).await
    }

    /// As [`Self::with_operator`], with a store whose calls fail as in this plan.
    pub async fn with_store(operator: Arc<ScriptedOperator>, plan: &Plan) -> Self {
        let app =
            TestApp::with_store(OffsetClock::stopped(), |_| {}, operator.behind_test(), plan).await;
        app.test_clock.wait_for_workers().await;
        let since_midnight = app.clock.now().as_second().rem_euclid(86_400);
        app.advance(u64::try_from(86_400 + 3600 - since_midnight).unwrap());
        app.wait_for_due_work().await;
        let shop = app.shop().await;
        let key = Self::key_of(&app, &shop).await;
        Self { app, operator, shop, key }
    }

    /// Finds the key with which a client authenticates.
    async fn key_of(app: &TestApp, shop: &ApiClient) -> SecretKey {
        let digest = SecretDigest::of(&shop.credential);
        app.running()
            .store
            .keys(None)
            .await
            .unwrap()
            .into_iter()
            .find(|key| key.digest == digest)
            .unwrap()
    }

    /// The service's store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.app.running().store
    }

    /// The scope of the key: its account, in test mode.
    pub fn scope(&self) -> &Scope {
        &self.key.scope
    }

    /// The time of the service's clock.
    pub fn now(&self) -> Timestamp {
        self.app.clock.now()
    }

    /// Sets limits in cedis. An empty text leaves a limit as it is, and `none` clears it.
    pub async fn set_limits(&self, single: &str, daily: &str, approval_above: &str) {
        let parse_change = |text: &str| match text {
            "" => Change::Keep,
            "none" => Change::Clear,
            text => Change::Set(text.parse().unwrap()),
        };
        let change = ControlsChange {
            limit: parse_change(single),
            daily_limit: parse_change(daily),
            approval_above: parse_change(approval_above),
            ..ControlsChange::default()
        };
        self.store().set_payout_controls(self.scope(), change, &self.app.audit()).await.unwrap();
    }

    /// Begins a payout of so many cedis.
    pub async fn pay_out(&self, amount: f64) -> Response {
        pay_out(&self.shop, amount).await
    }

    /// Begins a payout that waits for an approval. Returns its id.
    pub async fn begin_unapproved_payout(&self, amount: f64) -> String {
        let response = self.pay_out(amount).await.is(202);
        assert_eq!(response.json()["nextAction"], "APPROVE_IN_DASHBOARD", "{response:?}");
        response.id()
    }

    /// Approves or refuses a payout that waits for an approval.
    pub async fn decide(
        &self,
        id: &str,
        decision: PayoutDecision,
    ) -> Result<DecidedPayout, DecideError> {
        let decisions = self.app.running().payouts.decisions.clone();
        decisions
            .about_payout(&TransactionId::new(id), decision, Some(&self.app.audit()), self.now())
            .await
    }

    /// Approves a payout that waits for it.
    pub async fn approve(&self, id: &str) -> Result<DecidedPayout, DecideError> {
        self.decide(id, approval()).await
    }

    /// Sends a request to cancel a payout.
    pub async fn cancel(&self, id: &str) -> Response {
        self.shop.send(reqwest::Method::POST, &format!("/v1/payouts/{id}/cancel"), &[], None).await
    }

    /// Advances the clock, and waits until all due work is done.
    pub async fn wait(&self, seconds: u64) {
        self.app.advance(seconds);
        self.app.wait_for_due_work().await;
    }

    /// The status of a transaction and the code of its failure, which is empty without a failure.
    /// Asserts that its row is the replay of its events.
    pub async fn outcome(&self, id: &str) -> (String, String) {
        let key = TransactionId::new(id);
        let row = self.store().transaction(&key).await.unwrap().unwrap();
        let events = self.store().events(&key).await.unwrap();
        assert_eq!(tua_domain::Transaction::replay(events), Some(row));
        let status = self.shop.status(id).await;
        let failure = status["failure"]["code"].as_str().unwrap_or_default();
        (status["status"].as_str().unwrap().to_owned(), failure.to_owned())
    }
}

/// Begins a payout of so many cedis to a number of MTN.
pub async fn pay_out(shop: &ApiClient, amount: f64) -> Response {
    shop.post(
        "/v1/payout",
        &json!({ "amount": amount, "phoneNumber": "0241234567", "network": "MTN" }),
    )
    .await
}

/// The approval of a payout by a person called Esi.
pub fn approval() -> PayoutDecision {
    PayoutDecision::Approve { by: "Esi".parse().unwrap() }
}

/// The refusal of a payout by a person called Esi, with a note.
pub fn refusal() -> PayoutDecision {
    PayoutDecision::Refuse { by: "Esi".parse().unwrap(), note: "not ours".parse().unwrap() }
}
