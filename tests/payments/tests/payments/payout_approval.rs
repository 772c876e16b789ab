//! Payouts that a person must approve (docs/reference/payouts.md#approval).

use jiff::SignedDuration;
use reqwest::Method;
use serde_json::json;
use std::time::Duration;
use tua_domain::{
    Generation, Kind, Mode, TransactionId,
    approval::{DecideError, PayoutDecision},
    change::Change,
    payout_controls::ControlsChange,
    ports::{Clock, HandOver, OpenSessions, Route},
    queue::Queue,
};
use tua_test_support::{
    TestApp,
    payout_controls::{Merchant, approval, pay_out, refusal},
    webhook_receiver::{Subscriber, WebhookReceiver},
};

const HOUR: u64 = 3600;

#[tokio::test]
async fn a_payout_above_the_approval_amount_is_not_sent_before_a_person_approves_it() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "100").await;
    let at_once = merchant.pay_out(100.0).await.is(202).id();
    let waits = merchant.pay_out(100.01).await.is(202);
    let shown = waits.json();
    assert_eq!(
        (&shown["status"], &shown["nextAction"]),
        (&json!("PENDING"), &json!("APPROVE_IN_DASHBOARD"))
    );
    assert!(shown["message"].as_str().unwrap().contains("must approve"), "{shown}");
    let id = waits.id();
    assert_eq!(merchant.outcome(&at_once).await.0, "SUCCESSFUL");
    // Nobody asks, and nothing is delayed or flagged, for almost three days.
    for hours in [1, 23, 24, 23] {
        merchant.wait(hours * HOUR).await;
    }
    let row = "SELECT count(*) FROM transactions WHERE next_action = 'APPROVE_IN_DASHBOARD' AND \
        delayed_at IS NULL
                 AND review_at IS NULL AND ask_at IS NULL AND send_at IS NULL AND handed_over_at \
        IS NULL";
    assert_eq!(merchant.app.query_number(row), 1);
    assert_eq!((merchant.operator.count("send"), merchant.operator.count("ask")), (1, 0));

    let approved = merchant.approve(&id).await.unwrap().transaction;
    assert_eq!(approved.state.next_action(), "WAIT");
    merchant.wait(1).await;
    assert_eq!(merchant.operator.each("send"), [1, 1]);
    assert_eq!(merchant.outcome(&id).await, ("SUCCESSFUL".to_owned(), String::new()));
    let refused = merchant.approve(&id).await.unwrap_err();
    assert!(matches!(refused, DecideError::NotWaiting("SUCCESSFUL")), "{refused}");
    let names = merchant.store().events(&TransactionId::new(&*id)).await.unwrap();
    assert!(format!("{names:?}").contains("Esi"), "{names:?}");
}

/// The property that keeps an older node, which does not know approvals, from sending what waits:
/// it leases nothing.
#[tokio::test]
async fn no_worker_leases_a_payout_that_waits() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let id = merchant.begin_unapproved_payout(5.0).await;
    let store = merchant.store();
    let later = merchant.now() + SignedDuration::from_hours(24 * 365);
    store.end_leases(merchant.now(), later).await.unwrap();
    let queue = Queue { mode: Mode::Test, kind: Kind::Payout, operator: None };
    assert_eq!(store.due_queues(vec![queue.clone()], later).await.unwrap(), []);
    let limits = vec![(queue, 100)];
    assert!(store.lease_due(limits, later, later).await.unwrap().is_empty());
    let handed = store
        .hand_over(&TransactionId::new(&*id), Route::Open, later, merchant.now(), Duration::ZERO)
        .await
        .unwrap();
    assert_eq!(handed, HandOver::Nothing);
    // A callback that names its reference is a hint to ask, and there is nothing to ask about.
    let reference = TransactionId::new(&*id).operator_reference();
    merchant.app.running().status_queries.refresh_by_reference(&reference).await;
    assert_eq!((merchant.operator.count("send"), merchant.operator.count("ask")), (0, 0));
    assert_eq!(merchant.shop.status(&id).await["nextAction"], "APPROVE_IN_DASHBOARD");
}

#[tokio::test]
async fn a_payout_that_nobody_approves_ends_after_72_hours() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let id = merchant.begin_unapproved_payout(10.0).await;
    merchant.wait(72 * HOUR - 1).await;
    assert_eq!(merchant.outcome(&id).await.0, "PENDING");
    // From exactly 72 hours on, also before the worker has ended it.
    merchant.app.advance(1);
    let late = merchant.decide(&id, approval()).await;
    assert!(
        matches!(late, Err(DecideError::Expired | DecideError::NotWaiting("FAILED"))),
        "{late:?}"
    );
    merchant.app.wait_for_due_work().await;
    // On PostgreSQL the worker skips a row that somebody decides about, and comes back a second
    // later.
    merchant.wait(1).await;
    assert_eq!(merchant.outcome(&id).await, ("FAILED".to_owned(), "approval_refused".to_owned()));
    merchant.cancel(&id).await.is_problem(409, "not_cancellable");
}

#[tokio::test]
async fn a_refused_payout_fails_and_its_replay_shows_the_first_response() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "5", "0").await;
    let body = r#"{"amount":5,"phoneNumber":"0241234567","network":"MTN"}"#;
    let key = [("idempotency-key", "salary-3")];
    let send =
        async || merchant.shop.send(Method::POST, "/v1/payout", &key, Some(body)).await.is(202);
    let first = send().await;
    merchant.pay_out(0.01).await.is_problem(422, "payout_limit_exceeded");
    let refused = merchant.decide(&first.id(), refusal()).await.unwrap();
    assert!(refused.before.is_some());
    assert_eq!(
        merchant.outcome(&first.id()).await,
        ("FAILED".to_owned(), "approval_refused".to_owned())
    );
    for decision in [approval(), refusal()] {
        let again = merchant.decide(&first.id(), decision).await.unwrap_err();
        assert!(matches!(again, DecideError::NotWaiting("FAILED")), "{again}");
    }
    assert_eq!(send().await.json(), first.json(), "a replay is the response given then");
    // What was refused does not count towards the day any more.
    merchant.begin_unapproved_payout(5.0).await;
    merchant.wait(HOUR).await;
    assert_eq!(merchant.operator.count("send"), 0);
}

#[tokio::test]
async fn a_payout_is_cancelled_while_it_is_not_sent_and_repeatably() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "100").await;
    let waits = merchant.begin_unapproved_payout(101.0).await;
    let path = format!("/v1/payouts/{waits}/cancel");
    for (body, code) in
        [("{\"reason\":1}", "unknown_field"), ("{", "malformed_json"), ("[1]", "invalid_type")]
    {
        assert_eq!(merchant.shop.post_text(&path, body).await.json()["code"], code);
    }
    assert_eq!(merchant.outcome(&waits).await.0, "PENDING");
    let cancelled = merchant.cancel(&waits).await.is(200).json();
    assert_eq!(
        (&cancelled["status"], &cancelled["failure"]["code"]),
        (&json!("FAILED"), &json!("cancelled"))
    );
    let again = merchant.shop.post_text(&path, "{}").await.is(200).json();
    assert_eq!(again, cancelled);
    assert_eq!(merchant.outcome(&waits).await, ("FAILED".to_owned(), "cancelled".to_owned()));

    // Approved, and not sent yet.
    let approved = merchant.begin_unapproved_payout(101.0).await;
    merchant.approve(&approved).await.unwrap();
    let cancelled = merchant.cancel(&approved).await;
    // The clock stands still, so no worker has seen it.
    assert_eq!(cancelled.is(200).json()["failure"]["code"], "cancelled");
    merchant.wait(HOUR).await;
    assert_eq!(merchant.operator.count("send"), 0);

    let sent = merchant.pay_out(1.0).await.is(202).id();
    merchant.cancel(&sent).await.is_problem(409, "not_cancellable");
    let charge = merchant
        .shop
        .post_text("/v1/charge", r#"{"amount":1,"phoneNumber":"0241234567","network":"MTN"}"#)
        .await;
    merchant.cancel(&charge.is(202).id()).await.is_problem(404, "transaction_not_found");
    let strangers = merchant.begin_unapproved_payout(101.0).await;
    let path = format!("/v1/payouts/{strangers}/cancel");
    let live = merchant.app.key(&merchant.scope().account, Mode::Live, Generation::V2).await;
    for stranger in [merchant.app.shop().await, live] {
        stranger
            .send(Method::POST, &path, &[], None)
            .await
            .is_problem(404, "transaction_not_found");
    }
    let v1 = merchant.app.key(&merchant.scope().account, Mode::Test, Generation::V1).await;
    v1.send(Method::POST, &path, &[], None).await.is_problem(403, "credential_not_allowed");
    assert_eq!(merchant.outcome(&strangers).await.0, "PENDING");
}

#[tokio::test]
async fn an_approval_checks_the_limits_again_and_counts_on_its_own_day() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "100", "50").await;
    let waits = merchant.begin_unapproved_payout(60.0).await;
    // Waiting, it counts on the day of its creation.
    merchant.pay_out(40.0).await.is(202);
    merchant.pay_out(0.01).await.is_problem(422, "payout_limit_exceeded");
    // The next day it counts nowhere until it is approved.
    merchant.wait(24 * HOUR).await;
    merchant.pay_out(50.0).await.is(202);
    let exceeded = merchant.approve(&waits).await.unwrap_err();
    assert!(
        matches!(exceeded, DecideError::Exceeded(_))
            && exceeded.to_string().contains("GHS 50 are left"),
        "{exceeded}"
    );
    assert_eq!(
        merchant.shop.status(&waits).await["nextAction"],
        "APPROVE_IN_DASHBOARD",
        "it goes on waiting"
    );
    merchant.set_limits("59", "110", "").await;
    assert!(matches!(merchant.approve(&waits).await, Err(DecideError::Exceeded(_))));
    merchant.set_limits("60", "", "").await;
    merchant.approve(&waits).await.unwrap();
    merchant.pay_out(0.01).await.is_problem(422, "payout_limit_exceeded");
    merchant.wait(1).await;
    assert_eq!(merchant.outcome(&waits).await.0, "SUCCESSFUL");
}

#[tokio::test]
async fn revoking_a_key_refuses_its_payouts_and_an_expired_key_does_not_matter() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let of_other = merchant.begin_unapproved_payout(2.0).await;
    let other = merchant.app.key(&merchant.scope().account, Mode::Test, Generation::V2).await;
    let of_revoked = pay_out(&other, 1.0).await.is(202).id();
    let keys = merchant.store().keys(None).await.unwrap();
    let revoked = keys.iter().find(|key| key.id != merchant.key.id).unwrap();
    merchant
        .store()
        .revoke_key(&revoked.id, OpenSessions::Close, &merchant.app.audit())
        .await
        .unwrap();
    assert_eq!(
        merchant.outcome(&of_revoked).await,
        ("FAILED".to_owned(), "approval_refused".to_owned())
    );
    assert_eq!(merchant.outcome(&of_other).await.0, "PENDING");

    // Rotated, and expired.
    let (successor, text) = merchant.key.successor(merchant.now());
    merchant
        .store()
        .rotate_key(&merchant.key.id, successor, merchant.now(), &merchant.app.audit())
        .await
        .unwrap()
        .unwrap();
    merchant.shop.get("/v1/transactions").await.is_problem(401, "invalid_credentials");
    merchant.approve(&of_other).await.unwrap();
    merchant.wait(1).await;
    let status = merchant.app.actor(&text).status(&of_other).await;
    assert_eq!(status["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_payout_that_waits_sends_pending_at_once_and_its_outcome_later() {
    let app = TestApp::start().await;
    let subscriber = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    subscriber.add_endpoint(&app, &receiver.url).await;
    let key = app.running().store.keys(None).await.unwrap().remove(0);
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    app.running().store.set_payout_controls(&key.scope, change, &app.audit()).await.unwrap();
    let id = pay_out(&subscriber.shop, 5.0).await.is(202).id();
    let pending = receiver.wait_for_webhooks(1).await.remove(0).json();
    assert_eq!(
        (&pending["type"], &pending["data"]["nextAction"]),
        (&json!("payout.pending"), &json!("APPROVE_IN_DASHBOARD"))
    );
    let now = app.clock.now();
    let decisions = app.running().payouts.decisions.clone();
    decisions.about_payout(&TransactionId::new(&*id), approval(), None, now).await.unwrap();
    subscriber
        .shop
        .until(&id, |status| status["nextAction"] == "WAIT" || status["status"] == "SUCCESSFUL")
        .await;
    app.advance(5);
    subscriber.shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    receiver.wait_for_webhooks(2).await;
    app.wait_for_tasks().await;
    assert_eq!(
        receiver.types(),
        ["payout.pending", "payout.successful"],
        "an approval sends nothing of its own"
    );
}

#[tokio::test]
async fn limits_and_decisions_of_people_are_in_the_audit_log() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let approved = merchant.begin_unapproved_payout(2.0).await;
    let refused = merchant.begin_unapproved_payout(3.0).await;
    let cancelled = merchant.begin_unapproved_payout(4.0).await;
    merchant.approve(&approved).await.unwrap();
    merchant.decide(&refused, refusal()).await.unwrap();
    merchant.decide(&refused, refusal()).await.unwrap_err();
    merchant.decide(&cancelled, PayoutDecision::Cancel).await.unwrap();
    let log = merchant.store().audit_entries(0, 100).await.unwrap();
    let logged = log.iter().filter(|entry| entry.action.starts_with("payout"));
    let logged: Vec<(&str, &str)> = logged.map(|entry| (&*entry.action, &*entry.subject)).collect();
    let limits = format!("{} test", merchant.scope().account.as_str());
    let expected = [
        ("payout_limits.changed", &*limits),
        ("payout.approved", &approved),
        ("payout.refused", &refused),
        ("payout.cancelled", &cancelled),
    ];
    assert_eq!(logged, expected);
}
