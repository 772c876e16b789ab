//! The operators of payouts and refunds: chosen when they begin, or when a person approves them.

use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tua_config::Config;
use tua_contract::{Network, lifecycle::Observation};
use tua_domain::{
    BatchId, Generation, Kind, Mode, Transaction, TransactionId,
    approval::DecideError,
    capabilities::RefundCapability,
    change::Change,
    payout_controls::ControlsChange,
    ports::{AccountChange, Clock, StatusResponse},
    routing::{OperatorEntry, OperatorFingerprint, Operators, PinnedOperator},
};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
    fake_operator::FakeOperator,
    live_operators::LiveOperators,
    payout_batches::{batch_id, batch_of, begin, read},
    payout_controls::{Merchant, approval},
    refunds::{read as read_refund, refund, refund_id},
    scripted_operator::ScriptedOperator,
};

/// Lets every payout of the live shop wait for an approval.
async fn require_approvals(live: &LiveOperators) {
    let store = &live.app.running().store;
    let scope = store.keys(None).await.unwrap().remove(0).scope;
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    store.set_payout_controls(&scope, change, &live.app.audit()).await.unwrap();
}

async fn approve(live: &LiveOperators, id: &str) -> Result<(), DecideError> {
    let decisions = live.app.running().payouts.decisions.clone();
    let by = live.app.audit();
    let now = live.app.clock.now();
    if id.starts_with(BatchId::PREFIX) {
        decisions.about_batch(&BatchId::new(id), approval(), Some(&by), now).await.map(drop)
    } else {
        decisions.about_payout(&TransactionId::new(id), approval(), Some(&by), now).await.map(drop)
    }
}

fn to_paystack(settings: &str) -> String {
    settings.replace("MTN = [\"mtn\"]", "MTN = [\"paystack\"]")
}

fn to_nobody(settings: &str) -> String {
    settings.replace("MTN = [\"mtn\"]\n", "")
}

#[tokio::test]
async fn the_operator_of_a_payout_that_waits_is_chosen_when_it_is_approved() {
    let mut live = LiveOperators::routed_to("mtn").await;
    require_approvals(&live).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let begun = live.shop.post("/v1/payout", &body).await.is(202);
    assert_eq!(
        (&begun.json()["nextAction"], &begun.json()["operator"]),
        (&json!("APPROVE_IN_DASHBOARD"), &Value::Null)
    );
    let id = begun.id();

    live.reconfigure(to_nobody).await;
    let refused = approve(&live, &id).await.unwrap_err();
    assert!(matches!(refused, DecideError::Unroutable(_)), "{refused}");
    let waiting = live.shop.status(&id).await;
    assert_eq!(
        (&waiting["nextAction"], &waiting["operator"]),
        (&json!("APPROVE_IN_DASHBOARD"), &Value::Null)
    );

    live.reconfigure(to_paystack).await;
    approve(&live, &id).await.unwrap();
    assert_eq!(
        live.shop.status(&id).await["operator"],
        "paystack",
        "it is stored with the approval"
    );
    assert_eq!(live.end_of(&id).await["status"], "SUCCESSFUL");
    assert_eq!(live.orders().len(), 1);
}

/// Two operators of this mode, and the routes of its payouts: to the one with this name, or to
/// nobody.
fn two_operators(mode: Mode, chosen: Option<&str>) -> Operators {
    let entry = |name: &str| {
        let pin = PinnedOperator {
            name: name.parse().unwrap(),
            fingerprint: OperatorFingerprint::of(&[name]),
        };
        Arc::new(OperatorEntry::new(pin, mode, Arc::new(FakeOperator::default())))
    };
    let route =
        chosen.map(|name| ((mode, Network::Mtn, Kind::Payout), vec![name.parse().unwrap()]));
    Operators::new(vec![entry("one"), entry("two")], route.into_iter().collect())
}

/// A service with a live key does not start without limits.
fn keep_limits(config: &mut Config) {
    config.limits = Limits::On(Rates::default());
}

/// A payout that was not sent needs an approval after its account was suspended. It was routed when
/// it began.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_keeps_its_operator_when_it_needs_another_approval() {
    for (mode, first, name) in
        [(Mode::Live, Some("one"), json!("one")), (Mode::Test, None, Value::Null)]
    {
        // Without a route, the sandbox serves test mode.
        let begin_with = |sandboxed: Operators| {
            if first.is_some() { two_operators(mode, first) } else { sandboxed }
        };
        let mut app = TestApp::with_clock(OffsetClock::stopped(), keep_limits, begin_with).await;
        app.test_clock.wait_for_workers().await;
        let account = app.account("Adom Stores").await;
        let shop = app.key(&account, mode, Generation::V2).await;
        let operator = |batch: &Value| batch["payouts"][0]["operator"].clone();
        let begun = begin(&shop, &batch_of(&[2.0])).await.is(202);
        assert_eq!(
            operator(&begun.json()),
            name,
            "a batch that needs no approval has its operators at once"
        );
        let id = batch_id(&begun);
        let now = app.clock.now();
        for change in [AccountChange::Suspend(now), AccountChange::Resume] {
            app.running().store.change_account(&account, change, &app.audit()).await.unwrap();
        }
        assert_eq!(read(&shop, &id).await["payouts"][0]["nextAction"], "APPROVE_IN_DASHBOARD");
        app.restart_with(|_| {
            two_operators(mode, Some("two")).with_test(Arc::new(FakeOperator::default()))
        })
        .await;
        let decisions = app.running().payouts.decisions.clone();
        decisions
            .about_batch(&BatchId::new(&*id), approval(), Some(&app.audit()), now)
            .await
            .unwrap();
        let approved = read(&shop, &id).await;
        assert_eq!(
            (&approved["payouts"][0]["nextAction"], operator(&approved)),
            (&json!("WAIT"), name)
        );
        // The other operator would be chosen for a new one.
        let next = begin(&shop, &batch_of(&[3.0])).await.is(202).json();
        assert_eq!(operator(&next), "two");
    }
}

#[tokio::test]
async fn a_batch_is_approved_only_where_every_line_has_an_operator() {
    let mut live = LiveOperators::routed_to("mtn").await;
    require_approvals(&live).await;
    let id = batch_id(&begin(&live.shop, &batch_of(&[2.0, 3.0])).await.is(202));
    live.reconfigure(to_nobody).await;
    let refused = approve(&live, &id).await.unwrap_err();
    assert!(matches!(refused, DecideError::LineUnroutable { line: 1, .. }), "{refused}");
    live.reconfigure(to_paystack).await;
    approve(&live, &id).await.unwrap();
    let batch = read(&live.shop, &id).await;
    let operators: Vec<&str> = batch["payouts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["operator"].as_str().unwrap())
        .collect();
    assert_eq!(operators, ["paystack", "paystack"]);
}

#[tokio::test]
async fn each_line_of_a_batch_that_is_outside_every_operators_limits_is_named() {
    let live = LiveOperators::routed_to("pawapay").await;
    let limit = async || {
        live.shop.get("/v1/networks").await.is(200).json()["data"][0]["payout"]["max"].clone()
    };
    tua_test_support::eventually("pawaPay's limits are read", async || limit().await.is_u64())
        .await;
    let max = limit().await.as_f64().unwrap();
    let refused = begin(&live.shop, &batch_of(&[1.0, max + 1.0, max, max + 0.01])).await;
    let errors = refused.is_problem(422, "validation_failed").json()["errors"].clone();
    let fault =
        |error: &Value| (error["pointer"].as_str().unwrap().to_owned(), error["code"].clone());
    let faults: Vec<(String, Value)> = errors.as_array().unwrap().iter().map(fault).collect();
    let expected = ["/payouts/1/amount", "/payouts/3/amount"]
        .map(|at| (at.to_owned(), json!("amount_out_of_range")));
    assert_eq!(faults, expected);
    let one = json!({ "amount": max + 1.0, "phoneNumber": "0241234567", "network": "MTN" });
    let refused = live.shop.post("/v1/payout", &one).await;
    let refused = refused.is_problem(422, "amount_out_of_range");
    assert_eq!(refused.json()["errors"][0]["pointer"], "/amount", "{refused:?}");
    assert!(live.orders().is_empty());
}

#[tokio::test]
async fn a_refund_that_waited_for_longer_than_the_operator_refunds_is_paid_out() {
    let operator = ScriptedOperator::new()
        .sends(|_| Some(Observation::Succeeded))
        .asks(|_| Some(StatusResponse::known(Observation::Succeeded)))
        .refunding(RefundCapability::Full { within: Some(Duration::from_secs(24 * 3600)) });
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let above = Change::Set("0".parse().unwrap());
    let change = ControlsChange { refund_approval_above: above, ..ControlsChange::default() };
    merchant
        .store()
        .set_payout_controls(merchant.scope(), change, &merchant.app.audit())
        .await
        .unwrap();
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    for (hours, method) in [(1, "NATIVE"), (25, "PAYOUT")] {
        let charge = merchant.shop.post("/v1/charge", &body).await.is(202).id();
        let waits = refund(&merchant.shop, json!({ "transactionId": charge })).await.is(202);
        assert_eq!(waits.json()["method"], Value::Null);
        let id = refund_id(&waits);
        merchant.wait(hours * 3600).await;
        merchant.approve(&id).await.unwrap();
        let store = merchant.store();
        let key = TransactionId::new(&*id);
        let row = store.transaction(&key).await.unwrap();
        let events = store.events(&key).await.unwrap();
        assert_eq!(Transaction::replay(events), row);
        assert_eq!(read_refund(&merchant.shop, &id).await["method"], method, "after {hours} hours");
    }
}
