//! The whole service against a simple model: random deeds of merchants, payers, operators, clocks and
//! crashes, and after each of them what must always be so.

use crate::support::{
    ApiClient, Response, TestApp, consistency,
    fake_operator::{Ended, FakeOperator, Mood, RIGHT},
    idempotency::keyed,
    webhook_receiver::Subscriber,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::{collections::HashMap, sync::Arc};
use tua_service::domain::TransactionId;

/// What somebody does.
#[derive(Clone, Debug)]
enum Deed {
    /// A merchant opens a session.
    Open,
    /// A merchant charges or pays out by key.
    Pay { payout: bool },
    /// A payer charges a session.
    Charge { session: usize },
    /// Somebody enters a code.
    Code { payment: usize, right: bool },
    /// A request is sent again, as it was.
    Repeat { request: usize },
    /// A payer decides on the phone.
    Decide { payment: usize, ended: Ended },
    /// An operator calls back about a payment, decided or not.
    CallBack { payment: usize },
    /// How operators are from now on.
    Mood(Mood),
    /// Time passes, and due work is done.
    Wait { seconds: u64 },
    /// The service stops and starts again.
    Restart,
}

fn deeds() -> impl Strategy<Value = Deed> {
    // Which of those that there are, modulo how many.
    let one = 0..64_usize;
    let moods = [Mood::Well, Mood::Well, Mood::Unheard, Mood::Unanswered, Mood::Panics];
    prop_oneof![
        2 => Just(Deed::Open),
        2 => any::<bool>().prop_map(|payout| Deed::Pay { payout }),
        5 => one.clone().prop_map(|session| Deed::Charge { session }),
        5 => (one.clone(), any::<bool>()).prop_map(|(payment, right)| Deed::Code { payment, right }),
        3 => one.clone().prop_map(|request| Deed::Repeat { request }),
        3 => (one.clone(), prop::sample::select(vec![Ended::Paid, Ended::Refused]))
            .prop_map(|(payment, ended)| Deed::Decide { payment, ended }),
        3 => one.prop_map(|payment| Deed::CallBack { payment }),
        2 => prop::sample::select(moods.to_vec()).prop_map(Deed::Mood),
        4 => prop::sample::select(vec![1_u64, 10, 61, 660, 3600, 90_000]).prop_map(|seconds| Deed::Wait { seconds }),
        1 => Just(Deed::Restart),
    ]
}

/// A request that was answered with success.
struct Sent {
    actor: ApiClient,
    path: &'static str,
    body: String,
    key: String,
    /// What came of it: a transaction, or a session's token.
    subject: String,
}

/// A session, as the model has it.
struct Session {
    payer: ApiClient,
    opened_at: u64,
    payments: Vec<usize>,
}

/// The service, and what the model knows of it.
struct World {
    app: TestApp,
    till: Arc<FakeOperator>,
    shop: ApiClient,
    sessions: Vec<Session>,
    /// Transactions in the order of their beginning, and the last status that was seen.
    payments: Vec<(String, Value)>,
    requests: Vec<Sent>,
    seconds: u64,
    keys: usize,
}

/// The life of a session, in seconds (docs/reference/credentials.md).
const LIFETIME: u64 = 1800;

impl World {
    async fn new() -> Self {
        let till = Arc::new(FakeOperator::default());
        let operator = till.clone();
        let app = TestApp::still(|operators| operators.with_test(operator)).await;
        let merchant = Subscriber::new(&app).await;
        // Nobody listens there, so deliveries stay in the outbox.
        merchant.subscribes(&app, "http://127.0.0.1:9/hooks").await;
        Self {
            app,
            till,
            shop: merchant.shop,
            sessions: Vec::new(),
            payments: Vec::new(),
            requests: Vec::new(),
            seconds: 0,
            keys: 0,
        }
    }

    async fn does(&mut self, deed: &Deed) {
        match *deed {
            Deed::Open => self.open().await,
            Deed::Pay { payout } => self.pay(payout).await,
            Deed::Charge { session } => self.charge(session).await,
            Deed::Code { payment, right } => self.enter(payment, right).await,
            Deed::Repeat { request } => self.repeat(request).await,
            Deed::Decide { payment, ended } => {
                if let Some(reference) = self.reference(payment).await {
                    self.till.decide(&reference, ended);
                }
            }
            Deed::CallBack { payment } => {
                if let Some(reference) = self.reference(payment).await {
                    tua_service::domain::settle::check_now(self.app.running().app.clone(), reference).await;
                }
            }
            Deed::Mood(mood) => self.till.is(mood),
            Deed::Wait { seconds } => {
                self.seconds += seconds;
                self.app.advance(seconds);
                self.app.work_is_done().await;
            }
            Deed::Restart => {
                let operator = self.till.clone();
                self.app.restart_with(|operators| operators.with_test(operator)).await;
                self.app.sleepers.work_is_looked_for().await;
            }
        }
    }

    /// Sends a request under a new key; a success is remembered.
    async fn send(&mut self, actor: ApiClient, path: &'static str, body: Value) -> Response {
        self.keys += 1;
        let (key, body) = (self.keys.to_string(), body.to_string());
        let answer = keyed(&actor, path, &key, &body).await;
        assert!(answer.status.as_u16() < 500, "{path} {body}: {answer:?}");
        if answer.status.is_success() {
            let subject = subject(&answer);
            self.requests.push(Sent { actor, path, body, key, subject });
        }
        answer
    }

    async fn open(&mut self) {
        let answer =
            self.send(self.shop.clone(), "/v1/checkout", json!({ "amount": 10.5, "email": "a@b.example" })).await;
        let payer = self.app.actor(&subject(&answer.is(201)));
        self.sessions.push(Session { payer, opened_at: self.seconds, payments: Vec::new() });
    }

    async fn pay(&mut self, payout: bool) {
        let path = if payout { "/v1/payout" } else { "/v1/charge" };
        let body = json!({ "amount": 3, "phoneNumber": "0241234567", "network": "MTN" });
        let answer = self.send(self.shop.clone(), path, body).await.is(202);
        self.payments.push((answer.id(), Value::Null));
    }

    /// A charge of a session is taken exactly where the model would take it.
    async fn charge(&mut self, session: usize) {
        if self.sessions.is_empty() {
            return;
        }
        let at = session % self.sessions.len();
        let standings: Vec<String> =
            self.sessions[at].payments.iter().map(|one| text(&self.payments[*one].1, "status")).collect();
        let expected = match () {
            () if self.seconds >= self.sessions[at].opened_at + LIFETIME => "checkout_token_expired",
            () if standings.iter().any(|one| one == "SUCCESSFUL") => "checkout_already_paid",
            () if standings.iter().any(|one| one == "PENDING") => "charge_in_progress",
            () if standings.len() >= 5 => "attempts_exhausted",
            () => "",
        };
        let body = json!({ "phoneNumber": "0201234567", "network": "TELECEL" });
        let answer = self.send(self.sessions[at].payer.clone(), "/v1/charge", body).await;
        assert_eq!(answer.json()["code"].as_str().unwrap_or(""), expected, "{answer:?}");
        if expected.is_empty() {
            self.sessions[at].payments.push(self.payments.len());
            self.payments.push((answer.is(202).id(), Value::Null));
        }
    }

    /// A code is taken exactly where one is waited for.
    async fn enter(&mut self, payment: usize, right: bool) {
        if self.payments.is_empty() {
            return;
        }
        let (id, seen) = self.payments[payment % self.payments.len()].clone();
        let body = json!({ "transactionId": id, "otp": if right { RIGHT } else { "9999" } });
        let answer = self.send(self.shop.clone(), "/v1/submit-otp", body).await;
        let expected = if text(&seen, "nextAction") == "ENTER_OTP" { 200 } else { 409 };
        let used_up = answer.status == 409 && expected == 200;
        assert!(answer.status == expected || used_up, "{seen}: {answer:?}");
    }

    /// A repetition begins nothing, and names the same.
    async fn repeat(&mut self, request: usize) {
        if self.requests.is_empty() {
            return;
        }
        let sent = &self.requests[request % self.requests.len()];
        let answer = keyed(&sent.actor, sent.path, &sent.key, &sent.body).await;
        if answer.status == 401 {
            return;
        }
        assert!(answer.status.is_success(), "{answer:?}");
        assert_eq!((answer.header("idempotency-replayed"), subject(&answer)), ("true", sent.subject.clone()));
    }

    async fn reference(&self, payment: usize) -> Option<String> {
        let (id, _) = self.payments.get(payment.checked_rem(self.payments.len())?)?;
        let store = &self.app.running().app.store;
        Some(store.transaction(&TransactionId::new(id)).await.unwrap()?.begun.id.operator_reference())
    }

    /// What must be so after everything.
    async fn holds(&mut self) {
        for (id, seen) in &mut self.payments {
            let now = self.shop.status(id).await;
            let was = text(seen, "status");
            if was == "SUCCESSFUL" || was == "FAILED" {
                assert_eq!(
                    (&now["status"], &now["failure"]),
                    (&seen["status"], &seen["failure"]),
                    "a final state moved"
                );
            }
            *seen = now;
        }
        for session in &self.sessions {
            let paid =
                session.payments.iter().filter(|one| text(&self.payments[**one].1, "status") == "SUCCESSFUL").count();
            assert!(
                paid <= 1 && session.payments.len() <= 5,
                "paid {paid} times in {} attempts",
                session.payments.len()
            );
        }
        let count = usize::try_from(self.app.number("SELECT count(*) FROM transactions")).unwrap();
        assert_eq!(count, self.payments.len(), "a transaction that nobody was told of");
        consistency::holds(&self.app, &self.till).await;
    }

    /// Once operators are well and the ladder was climbed, everything that was decided has ended so.
    async fn settles(&mut self) {
        self.till.is(Mood::Well);
        for _ in 0..3 {
            self.does(&Deed::Wait { seconds: 3600 }).await;
        }
        self.holds().await;
        let mut ended = HashMap::new();
        for payment in 0..self.payments.len() {
            ended.insert(self.reference(payment).await.unwrap(), payment);
        }
        for (reference, order) in self.till.orders() {
            let status = text(&self.payments[ended[&reference]].1, "status");
            let flagged = status == "PENDING" && self.seconds >= 86_400;
            let expected = match order.ended {
                None => "PENDING",
                Some(Ended::Paid) => "SUCCESSFUL",
                Some(Ended::Refused | Ended::Cancelled) => "FAILED",
            };
            assert!(status == expected || flagged, "{order:?} is {status}");
        }
    }
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

fn subject(answer: &Response) -> String {
    let json = answer.json();
    let subject = json.get("checkoutToken").unwrap_or(&json["transactionId"]);
    subject.as_str().unwrap().to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_after_any_sequence_of_operations(deeds in prop::collection::vec(deeds(), 1..24)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut world = World::new().await;
            for deed in &deeds {
                world.does(deed).await;
                world.holds().await;
            }
            world.settles().await;
        });
    }
}
