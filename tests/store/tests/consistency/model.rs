//! The service compared with a simple model: random operations of merchants, payers, operators and
//! clocks, and crashes; the invariants are checked after each.

use proptest::prelude::*;
use serde_json::{Value, json};
use std::{collections::HashMap, sync::Arc};
use tua_domain::TransactionId;
use tua_test_support::{
    ApiClient, Response, TestApp, consistency,
    fake_operator::{CORRECT_CODE, FailureMode, FakeOperator, OrderOutcome},
    idempotency::send_with_key,
    webhook_receiver::Subscriber,
};

/// What a merchant, a payer or an operator does at random.
#[derive(Clone, Debug)]
enum Operation {
    /// A merchant opens a session.
    Open,
    /// A merchant creates a charge or payout with a secret key.
    Pay { payout: bool },
    /// A payer charges a session.
    Charge { session: usize },
    /// A payer or merchant submits a code.
    Code { payment: usize, right: bool },
    /// A request is repeated unchanged.
    Repeat { request: usize },
    /// A payer decides on the phone.
    Decide { payment: usize, outcome: OrderOutcome },
    /// An operator sends a callback for a payment, with or without an outcome.
    CallBack { payment: usize },
    /// Calls to the operator fail like this from now on.
    Fail(FailureMode),
    /// Time passes, and due work is done.
    Wait { seconds: u64 },
    /// The service stops and starts again.
    Restart,
}

fn operations() -> impl Strategy<Value = Operation> {
    // Indices, taken modulo the number of existing items.
    let one = 0..64_usize;
    let modes = [
        FailureMode::Normal,
        FailureMode::Normal,
        FailureMode::RequestLost,
        FailureMode::ResponseLost,
        FailureMode::Panic,
    ];
    prop_oneof![
        2 => Just(Operation::Open),
        2 => any::<bool>().prop_map(|payout| Operation::Pay { payout }),
        5 => one.clone().prop_map(|session| Operation::Charge { session }),
        5 => (one.clone(), any::<bool>())
            .prop_map(|(payment, right)| Operation::Code { payment, right }),
        3 => one.clone().prop_map(|request| Operation::Repeat { request }),
        3 => (one.clone(), prop::sample::select(vec![OrderOutcome::Paid, OrderOutcome::Rejected]))
            .prop_map(|(payment, outcome)| Operation::Decide { payment, outcome }),
        3 => one.prop_map(|payment| Operation::CallBack { payment }),
        2 => prop::sample::select(modes.to_vec()).prop_map(Operation::Fail),
        4 => prop::sample::select(vec![1_u64, 10, 61, 660, 3600, 90_000])
            .prop_map(|seconds| Operation::Wait { seconds }),
        1 => Just(Operation::Restart),
    ]
}

/// A request with a successful response.
struct Sent {
    actor: ApiClient,
    path: &'static str,
    body: String,
    key: String,
    /// Its result: a transaction, or a session's token.
    subject: String,
}

/// A session in the model.
struct Session {
    payer: ApiClient,
    opened_at: u64,
    payments: Vec<usize>,
}

/// The service, and the state of the model.
struct World {
    app: TestApp,
    fake: Arc<FakeOperator>,
    shop: ApiClient,
    sessions: Vec<Session>,
    /// Transactions in the order of creation, and their last observed status.
    payments: Vec<(String, Value)>,
    requests: Vec<Sent>,
    seconds: u64,
    keys: usize,
}

/// The lifetime of a session, in seconds (docs/reference/credentials.md).
const LIFETIME: u64 = 1800;

impl World {
    async fn new() -> Self {
        let fake = Arc::new(FakeOperator::default());
        let operator = fake.clone();
        let app = TestApp::with_stopped_clock(|operators| operators.with_test(operator)).await;
        let merchant = Subscriber::new(&app).await;
        // No server listens there, so deliveries stay in the outbox.
        merchant.add_endpoint(&app, "http://127.0.0.1:9/hooks").await;
        Self {
            app,
            fake,
            shop: merchant.shop,
            sessions: Vec::new(),
            payments: Vec::new(),
            requests: Vec::new(),
            seconds: 0,
            keys: 0,
        }
    }

    async fn run(&mut self, deed: &Operation) {
        match *deed {
            Operation::Open => self.create_session().await,
            Operation::Pay { payout } => self.pay(payout).await,
            Operation::Charge { session } => self.charge(session).await,
            Operation::Code { payment, right } => self.submit_code(payment, right).await,
            Operation::Repeat { request } => self.repeat(request).await,
            Operation::Decide { payment, outcome } => {
                if let Some(reference) = self.reference(payment).await {
                    self.fake.decide(&reference, outcome);
                }
            }
            Operation::CallBack { payment } => {
                if let Some(reference) = self.reference(payment).await {
                    self.app.running().status_queries.refresh_by_reference(&reference).await;
                }
            }
            Operation::Fail(mode) => self.fake.set_failure(mode),
            Operation::Wait { seconds } => {
                self.seconds += seconds;
                self.app.advance(seconds);
                self.app.wait_for_due_work().await;
            }
            Operation::Restart => {
                let operator = self.fake.clone();
                self.app.restart_with(|operators| operators.with_test(operator)).await;
                // A start asks about what is pending, in tasks of its own.
                self.app.wait_for_due_work().await;
            }
        }
    }

    /// Sends a request with a new idempotency key; records a success.
    async fn send(&mut self, actor: ApiClient, path: &'static str, body: Value) -> Response {
        self.keys += 1;
        let key = self.keys.to_string();
        let body = body.to_string();
        let answer = send_with_key(&actor, path, &key, &body).await;
        assert!(answer.status.as_u16() < 500, "{path} {body}: {answer:?}");
        if answer.status.is_success() {
            let subject = subject(&answer);
            self.requests.push(Sent { actor, path, body, key, subject });
        }
        answer
    }

    async fn create_session(&mut self) {
        let answer = self
            .send(
                self.shop.clone(),
                "/v1/checkout",
                json!({ "amount": 10.5, "email": "a@b.example" }),
            )
            .await;
        let payer = self.app.actor(&subject(&answer.is(201)));
        self.sessions.push(Session { payer, opened_at: self.seconds, payments: Vec::new() });
    }

    async fn pay(&mut self, payout: bool) {
        let path = if payout { "/v1/payout" } else { "/v1/charge" };
        let body = json!({ "amount": 3, "phoneNumber": "0241234567", "network": "MTN" });
        let answer = self.send(self.shop.clone(), path, body).await.is(202);
        self.payments.push((answer.id(), Value::Null));
    }

    /// A charge of a session is accepted exactly if the model accepts it.
    async fn charge(&mut self, session: usize) {
        if self.sessions.is_empty() {
            return;
        }
        let at = session % self.sessions.len();
        let standings: Vec<String> = self.sessions[at]
            .payments
            .iter()
            .map(|one| text(&self.payments[*one].1, "status"))
            .collect();
        let expected = match () {
            () if self.seconds >= self.sessions[at].opened_at + LIFETIME => {
                "checkout_token_expired"
            }
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

    /// A code is accepted exactly if one is expected.
    async fn submit_code(&mut self, payment: usize, right: bool) {
        if self.payments.is_empty() {
            return;
        }
        let (id, seen) = self.payments[payment % self.payments.len()].clone();
        let body = json!({ "transactionId": id, "otp": if right { CORRECT_CODE } else { "9999" } });
        let answer = self.send(self.shop.clone(), "/v1/submit-otp", body).await;
        let expected = if text(&seen, "nextAction") == "ENTER_OTP" { 200 } else { 409 };
        let used_up = answer.status == 409 && expected == 200;
        assert!(answer.status == expected || used_up, "{seen}: {answer:?}");
    }

    /// A repetition creates nothing, and returns the same result.
    async fn repeat(&mut self, request: usize) {
        if self.requests.is_empty() {
            return;
        }
        let sent = &self.requests[request % self.requests.len()];
        let answer = send_with_key(&sent.actor, sent.path, &sent.key, &sent.body).await;
        if answer.status == 401 {
            return;
        }
        assert!(answer.status.is_success(), "{answer:?}");
        assert_eq!(
            (answer.header("idempotency-replayed"), subject(&answer)),
            ("true", sent.subject.clone())
        );
    }

    async fn reference(&self, payment: usize) -> Option<String> {
        let (id, _) = self.payments.get(payment.checked_rem(self.payments.len())?)?;
        let store = &self.app.running().store;
        Some(
            store
                .transaction(&TransactionId::new(id))
                .await
                .unwrap()?
                .order
                .id
                .operator_reference(),
        )
    }

    /// The invariants after every operation.
    async fn check_invariants(&mut self) {
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
            let paid = session
                .payments
                .iter()
                .filter(|one| text(&self.payments[**one].1, "status") == "SUCCESSFUL")
                .count();
            assert!(
                paid <= 1 && session.payments.len() <= 5,
                "paid {paid} times in {} attempts",
                session.payments.len()
            );
        }
        let count =
            usize::try_from(self.app.query_number("SELECT count(*) FROM transactions")).unwrap();
        assert_eq!(count, self.payments.len(), "an unknown transaction");
        consistency::assert_consistent(&self.app, &self.fake).await;
    }

    /// When the operator works again and the poll schedule has run, every decided payment has its
    /// outcome.
    async fn check_outcomes(&mut self) {
        self.fake.set_failure(FailureMode::Normal);
        for _ in 0..3 {
            self.run(&Operation::Wait { seconds: 3600 }).await;
        }
        self.check_invariants().await;
        let mut ended = HashMap::new();
        for payment in 0..self.payments.len() {
            ended.insert(self.reference(payment).await.unwrap(), payment);
        }
        for (reference, order) in self.fake.orders() {
            let status = text(&self.payments[ended[&reference]].1, "status");
            let flagged = status == "PENDING" && self.seconds >= 86_400;
            let expected = match order.outcome {
                None => "PENDING",
                Some(OrderOutcome::Paid) => "SUCCESSFUL",
                Some(OrderOutcome::Rejected | OrderOutcome::Cancelled) => "FAILED",
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
    #![proptest_config(ProptestConfig {
        cases: 24,
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn invariants_hold_after_any_sequence_of_operations(
        operations in prop::collection::vec(operations(), 1..24),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut world = World::new().await;
            for deed in &operations {
                world.run(deed).await;
                world.check_invariants().await;
            }
            world.check_outcomes().await;
        });
    }
}
