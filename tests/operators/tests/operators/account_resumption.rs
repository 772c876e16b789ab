//! Payments of a suspended account that look unsent, and that an operator has: the database was
//! restored from a backup (docs/operations.md, "Backups").

use serde_json::{Value, json};
use std::sync::Arc;
use tua_config::Config;
use tua_contract::Network;
use tua_domain::{
    AccountId, Generation, Kind, Mode, Scope, Transaction, TransactionId,
    change::Change,
    payout_controls::ControlsChange,
    ports::{AccountChange, Clock, Operator, Order},
    routing::{OperatorEntry, OperatorFingerprint, Operators, PinnedOperator},
};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, TestApp,
    fake_operator::{FailureMode, FakeOperator, OrderOutcome},
    refunds::{read as read_refund, refund, refund_id},
};
use tua_use_cases::account_resumption::{AccountQueries, StatusQuerySummary};

/// A live merchant whose payouts wait for an approval. Everything is routed to the operator `one`;
/// `two` only pays out what is pinned to it.
struct Restored {
    app: TestApp,
    operators: [Arc<FakeOperator>; 2],
    account: AccountId,
    shop: ApiClient,
}

fn entry(name: &str, operator: &Arc<FakeOperator>) -> Arc<OperatorEntry> {
    let pin = PinnedOperator {
        name: name.parse().unwrap(),
        fingerprint: OperatorFingerprint::of(&[name]),
    };
    Arc::new(OperatorEntry::new(pin, Mode::Live, operator.clone()))
}

/// A service with a live key does not start without limits.
fn keep_limits(config: &mut Config) {
    config.limits = Limits::On(Rates::default());
}

impl Restored {
    async fn start() -> Self {
        let operators: [Arc<FakeOperator>; 2] = Default::default();
        let entries = vec![entry("one", &operators[0]), entry("two", &operators[1])];
        let route = |kind: &Kind| ((Mode::Live, Network::Mtn, *kind), vec!["one".parse().unwrap()]);
        let routed = Operators::new(entries, Kind::ALL.iter().map(route).collect());
        let app = TestApp::with_clock(OffsetClock::stopped(), keep_limits, |_| routed).await;
        app.test_clock.wait_for_workers().await;
        let account = app.account("Adom Stores").await;
        let shop = app.key(&account, Mode::Live, Generation::V2).await;
        let above = Change::Set("0".parse().unwrap());
        let change = ControlsChange {
            approval_above: above,
            refund_approval_above: above,
            ..ControlsChange::default()
        };
        let scope = Scope { account: account.clone(), mode: Mode::Live };
        app.running().store.set_payout_controls(&scope, change, &app.audit()).await.unwrap();
        Self { app, operators, account, shop }
    }

    /// A payout that waits for an approval.
    async fn unapproved(&self) -> String {
        let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
        let begun = self.shop.post("/v1/payout", &body).await.is(202);
        assert_eq!(begun.json()["nextAction"], "APPROVE_IN_DASHBOARD");
        begun.id()
    }

    /// Gives an order to an operator, as the service did after the backup, with this outcome.
    async fn sent_after_the_backup(
        &self,
        id: &str,
        operator: usize,
        outcome: Option<OrderOutcome>,
    ) {
        let transaction = self.transaction(id).await;
        let reference = transaction.order.id.operator_reference();
        let order = Order {
            reference: reference.clone(),
            transfer: transaction.order.transfer.clone(),
            merchant: String::new(),
            message: None,
            email: None,
        };
        let permit = self.app.running().gateway.permit();
        self.operators[operator].send(&order, &permit).await;
        if let Some(outcome) = outcome {
            self.operators[operator].decide(&reference, outcome);
        }
    }

    async fn transaction(&self, id: &str) -> Transaction {
        self.app.running().store.transaction(&TransactionId::new(id)).await.unwrap().unwrap()
    }

    async fn change(&self, change: AccountChange) {
        self.app
            .running()
            .store
            .change_account(&self.account, change, &self.app.audit())
            .await
            .unwrap();
    }

    async fn suspend(&self) {
        self.change(AccountChange::Suspend(self.app.clock.now())).await;
    }

    async fn ask(&self) -> StatusQuerySummary {
        let running = self.app.running();
        let queries = AccountQueries {
            gateway: running.gateway.clone(),
            transactions: running.store.clone(),
            reports: running.store.clone(),
            pinned_payments: running.store.clone(),
        };
        queries.query(&self.account, &self.app.audit()).await.unwrap()
    }

    /// How often each operator executed an order.
    fn executed(&self) -> [usize; 2] {
        let executed = |operator: &Arc<FakeOperator>| {
            operator.orders().values().map(|order| order.executed).sum()
        };
        [executed(&self.operators[0]), executed(&self.operators[1])]
    }
}

#[tokio::test]
async fn a_payout_that_an_operator_has_is_pinned_to_it_and_never_sent_again() {
    let restored = Restored::start().await;
    let paid = restored.unapproved().await;
    let pending = restored.unapproved().await;
    let unsent = restored.unapproved().await;
    restored.suspend().await;
    restored.sent_after_the_backup(&paid, 1, Some(OrderOutcome::Paid)).await;
    restored.sent_after_the_backup(&pending, 0, None).await;
    let asked = restored.ask().await;
    let mut found: Vec<&str> = asked.found.iter().map(TransactionId::as_str).collect();
    found.sort_unstable();
    assert_eq!((asked.asked, asked.changed, found), (3, 2, vec![&*paid, &*pending]));
    assert_eq!(asked.unanswered, []);
    let status = async |id: &str| {
        let status = restored.shop.status(id).await;
        (status["status"].clone(), status["nextAction"].clone(), status["operator"].clone())
    };
    assert_eq!(status(&paid).await, (json!("SUCCESSFUL"), json!("NONE"), json!("two")));
    let unsent_status = (json!("PENDING"), json!("APPROVE_IN_DASHBOARD"), Value::Null);
    assert_eq!(status(&unsent).await, unsent_status);
    assert_eq!(status(&pending).await.2, "one");
    for id in [&paid, &pending, &unsent] {
        let transaction = restored.transaction(id).await;
        let events = restored.app.running().store.events(&transaction.order.id).await.unwrap();
        assert_eq!(Transaction::replay(events).as_ref(), Some(&transaction));
    }
    let audited = "SELECT count(*) FROM audit_log WHERE action = 'payment.found'";
    assert_eq!(restored.app.query_number(audited), 2);

    // Asked again, and resumed: they are not sent, and the one that waits goes on waiting.
    assert_eq!((restored.ask().await.found, restored.executed()), (Vec::new(), [1, 1]));
    restored.change(AccountChange::Resume).await;
    restored.app.advance(60);
    restored.app.wait_for_due_work().await;
    assert_eq!((restored.executed(), status(&unsent).await), ([1, 1], unsent_status));
    let waiting = restored.app.running().store.unapproved(None).await.unwrap();
    assert_eq!(waiting.iter().map(|one| one.order.id.as_str()).collect::<Vec<_>>(), [&*unsent]);
}

#[tokio::test]
async fn a_refund_that_an_operator_has_paid_out_is_pinned_to_it() {
    let restored = Restored::start().await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let charge = restored.shop.post("/v1/charge", &body).await.is(202).id();
    restored.operators[0]
        .decide(&TransactionId::new(&*charge).operator_reference(), OrderOutcome::Paid);
    restored.app.advance(10);
    restored.app.wait_for_due_work().await;
    let id = refund_id(&refund(&restored.shop, json!({ "transactionId": charge })).await.is(202));
    restored.suspend().await;
    restored.sent_after_the_backup(&id, 0, Some(OrderOutcome::Paid)).await;
    assert_eq!(restored.ask().await.found.len(), 1);
    let shown = read_refund(&restored.shop, &id).await;
    assert_eq!(
        (&shown["status"], &shown["method"]),
        (&json!("SUCCESSFUL"), &json!("PAYOUT")),
        "{shown}"
    );
    assert_eq!(restored.shop.status(&charge).await["refundedAmount"], 10.5);
}

#[tokio::test]
async fn a_payout_about_which_an_operator_does_not_respond_is_named() {
    let restored = Restored::start().await;
    let waiting = restored.unapproved().await;
    let found = restored.unapproved().await;
    restored.suspend().await;
    restored.sent_after_the_backup(&found, 0, Some(OrderOutcome::Paid)).await;
    restored.operators[1].set_failure(FailureMode::RequestLost);
    let asked = restored.ask().await;
    assert_eq!(
        asked.unanswered,
        [TransactionId::new(&*waiting)],
        "the other operator has the other one"
    );
    assert_eq!(asked.found, [TransactionId::new(&*found)]);
    restored.operators[1].set_failure(FailureMode::Normal);
    assert_eq!(restored.ask().await.unanswered, []);
}
