//! `tua review`: people decide transactions that no operator decides (docs/reference/lifecycle.md).

use reqwest::Method;
use serde_json::{Value, json};
use std::{path::Path, sync::Arc};
use tua_contract::{FailureCode, State, Status, lifecycle::Observation};
use tua_domain::{
    Event, Transaction, TransactionId,
    ports::{Clock, NextStatusQuery, ReviewError, StatusResponse},
    review::{Case, DecisionNote, ReviewVerdict},
};
use tua_metrics::StoreMetrics;
use tua_system::clock::SystemClock;
use tua_test_support::{
    ApiClient, TestApp,
    binary::{RunningService, account, json, not_found, refused, tua},
    scripted_operator::ScriptedOperator,
    test_clock::TestClock,
    test_database,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

/// Test numbers that stay PENDING.
const UNDECIDED: &str = "0241230007";

const FLAGGED: NextStatusQuery = NextStatusQuery { at: None, is_flagged: true };

fn note() -> DecisionNote {
    "seen in the operator's portal by Esi".parse::<DecisionNote>().unwrap()
}

/// Moves the clock by a day without a final status, so that the transaction is flagged.
async fn pass_a_day(app: &TestApp) {
    for _ in 0..2 {
        app.advance(86_400);
        app.wait_for_due_work().await;
    }
}

async fn flagged(app: &TestApp) -> Vec<String> {
    let flagged = app.running().store.flagged(None).await.unwrap();
    flagged.iter().map(|one| one.transaction.order.id.to_string()).collect()
}

#[tokio::test]
async fn a_transaction_pending_for_a_day_is_flagged_and_can_be_reviewed() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let store = app.running().store.clone();
    let payer = app.payer(&shop).await;
    let paid = payer.charge("0241234567", "MTN").await.is(202).id();
    let unpaid = app.payer(&shop).await.charge("0241234568", "MTN").await.is(202).id();
    assert!(flagged(&app).await.is_empty());
    pass_a_day(&app).await;
    assert_eq!(flagged(&app).await.len(), 2);
    let cases: Vec<Case> =
        store.flagged(None).await.unwrap().into_iter().map(|one| one.case).collect();
    assert_eq!(cases, [Case::Undecided; 2]);

    for (id, verdict) in [
        (&paid, ReviewVerdict::Successful),
        (&unpaid, ReviewVerdict::Failed(FailureCode::Unspecified)),
    ] {
        let id = TransactionId::new(id);
        let settled = store.review(&id, verdict, note(), &app.audit()).await.unwrap();
        assert!(settled.state.is_final());
        // The note is stored, and the events rebuild the row.
        let events = store.events(&id).await.unwrap();
        let kinds: Vec<&Event> = events.iter().rev().take(2).map(|(_, event)| event).collect();
        assert_eq!(
            kinds,
            [&Event::moved(settled.state), &Event::Reviewed { by: None, note: note() }]
        );
        assert_eq!(Transaction::replay(events), store.transaction(&id).await.unwrap());
    }
    assert!(flagged(&app).await.is_empty());
    assert_eq!(shop.status(&paid).await["status"], "SUCCESSFUL");
    assert_eq!(shop.status(&unpaid).await["failure"]["code"], "unspecified");
    // It is paid like any other, and no more queries are sent.
    let asked = operator.count("ask");
    pass_a_day(&app).await;
    assert_eq!(operator.count("ask"), asked);
}

#[tokio::test]
async fn only_flagged_pending_transactions_can_be_reviewed() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let store = app.running().store.clone();
    let begun_at = app.clock.now();
    let pending =
        TransactionId::new(app.payer(&shop).await.charge(UNDECIDED, "MTN").await.is(202).id());
    let failed =
        TransactionId::new(app.payer(&shop).await.charge("0241230006", "MTN").await.is(202).id());
    let audit = app.audit();
    let review = async |id: &TransactionId| {
        store.review(id, ReviewVerdict::Successful, note(), &audit).await
    };
    let day = jiff::SignedDuration::from_hours(24);
    assert!(
        matches!(review(&pending).await, Err(ReviewError::NotFlagged(at)) if at == begun_at + day)
    );
    assert!(matches!(review(&failed).await, Err(ReviewError::AlreadyFinal(Status::Failed))));
    assert!(matches!(review(&TransactionId::mint()).await, Err(ReviewError::NotFound)));
    pass_a_day(&app).await;
    review(&pending).await.unwrap();
    assert!(matches!(review(&pending).await, Err(ReviewError::AlreadyFinal(Status::Successful))));
    let stored = store.transaction(&pending).await.unwrap().unwrap();
    assert_eq!(
        (stored.state, stored.conflict),
        (State::Successful, None),
        "a review is no conflict"
    );
}

#[tokio::test]
async fn an_operator_response_against_the_review_is_a_conflict() {
    let word = |time| {
        Some(if time < 30 { StatusResponse::known(Observation::StillPending) } else { PAID })
    };
    const PAID: StatusResponse = StatusResponse::known(Observation::Succeeded);
    let operator = Arc::new(ScriptedOperator::new().asks(word));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = TransactionId::new(payer.charge("0241234567", "MTN").await.is(202).id());
    pass_a_day(&app).await;
    let store = app.running().store.clone();
    let verdict = ReviewVerdict::Failed(FailureCode::ApprovalTimeout);
    let settled = store.review(&id, verdict, note(), &app.audit()).await.unwrap();
    while store.transaction(&id).await.unwrap().unwrap().conflict.is_none() {
        assert!(operator.count("ask") < 31, "the operator's response is lost");
        app.running().status_queries.refresh(&settled.order.id).await;
    }
    let status = shop.status(id.as_str()).await;
    assert_eq!(
        (&status["status"], &status["conflict"]["observed"]),
        (&json!("FAILED"), &json!("SUCCESSFUL"))
    );
    let expired = payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired").json();
    assert_eq!(expired["checkout"], "PAID", "the session is closed to new charges");
}

#[tokio::test]
async fn a_waiting_poll_returns_a_review_by_another_process() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge(UNDECIDED, "MTN").await.is(202).id();
    pass_a_day(&app).await;
    let polling = tokio::spawn({
        let shop = shop.clone();
        let path = format!("/v1/status/{id}");
        async move { shop.send(Method::GET, &path, &[("prefer", "wait=20")], None).await }
    });
    start_poll(&app.test_clock, 20).await;
    let beside = app.config.database.open(StoreMetrics::default()).await.unwrap().store;
    beside
        .review(&TransactionId::new(&id), ReviewVerdict::Successful, note(), &app.audit())
        .await
        .unwrap();
    // The clock is stopped, so only the change ends the poll.
    assert_eq!(polling.await.unwrap().is(200).json()["status"], "SUCCESSFUL");
}

async fn start_poll(sleepers: &TestClock, seconds: i64) {
    sleepers.wait_for_sleepers(sleepers.now_plus(seconds), 1).await;
}

#[tokio::test]
async fn a_review_sends_the_same_webhook_as_any_other_outcome() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let body = json!({ "amount": 1, "phoneNumber": UNDECIDED, "network": "MTN" });
    let id = TransactionId::new(merchant.shop.post("/v1/charge", &body).await.is(202).id());
    receiver.wait_for_webhooks(2).await;
    app.running().store.schedule_status_query(&id, 30, FLAGGED, app.clock.now()).await.unwrap();
    let beside = app.config.database.open(StoreMetrics::default()).await.unwrap().store;
    beside.review(&id, ReviewVerdict::Successful, note(), &app.audit()).await.unwrap();
    let heard = receiver.wait_for_webhooks(3).await;
    let last = heard.last().unwrap().json();
    assert_eq!(
        (&last["type"], &last["data"]["status"]),
        (&json!("charge.successful"), &json!("SUCCESSFUL"))
    );
    assert!(!heard.last().unwrap().text.contains(note().as_str()), "the note is internal");
}

/// A pending charge on a running service, flagged as if a day had passed.
async fn flag(folder: &Path, shop: &ApiClient) -> String {
    let body = json!({ "amount": 2.5, "phoneNumber": UNDECIDED, "network": "MTN" });
    let id = shop.post("/v1/charge", &body).await.is(202).id();
    let store = test_database::database(folder).open(StoreMetrics::default()).await.unwrap().store;
    store
        .schedule_status_query(&TransactionId::new(&id), 30, FLAGGED, SystemClock.now())
        .await
        .unwrap();
    id
}

#[tokio::test]
async fn reviews_can_be_listed_and_decided_while_the_service_runs() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (merchant, _, key) = account(folder.path());
    let (other, ..) = account(folder.path());
    let shop = serving.actor(&key);
    let first = flag(folder.path(), &shop).await;
    let second = flag(folder.path(), &shop).await;

    let listed = json(folder.path(), &["review", "list", "--account", &merchant]);
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let one = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["transactionId"] == first.as_str())
        .unwrap();
    assert_eq!((&one["amount"], &one["phoneNumber"]), (&json!("2.5"), &json!("*******007")));
    assert!(one["operatorReference"].is_string() && one["flaggedAt"].is_string(), "{one}");
    assert_eq!(json(folder.path(), &["review", "list", "--account", &other]), json!([]));

    let settle = ["review", "settle", &first, "--as", "successful", "--note", "statement of 3 May"];
    assert_eq!(json(folder.path(), &settle)["status"], "SUCCESSFUL");
    assert_eq!(shop.status(&first).await["status"], "SUCCESSFUL");
    let settle = [
        "review",
        "settle",
        &second,
        "--as",
        "failed",
        "--failure",
        "payer_limit",
        "--note",
        "told so",
    ];
    let settled = json(folder.path(), &settle);
    assert_eq!((&settled["failure"], &settled["note"]), (&json!("payer_limit"), &json!("told so")));
    assert_eq!(shop.status(&second).await["failure"]["code"], "payer_limit");
    assert_eq!(json(folder.path(), &["review", "list"]), Value::Array(Vec::new()));
}

#[tokio::test]
async fn review_reports_each_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (.., key) = account(folder.path());
    let shop = serving.actor(&key);
    let flagged = flag(folder.path(), &shop).await;
    let body = json!({ "amount": 1, "phoneNumber": UNDECIDED, "network": "MTN" });
    let pending = shop.post("/v1/charge", &body).await.is(202).id();
    let long = "n".repeat(501);
    let settle = |id: &str, arguments: &[&str]| {
        let mut command = tua(folder.path());
        command.args(["review", "settle", id]).args(arguments);
        refused(&mut command)
    };
    let yes = ["--as", "successful", "--note", "n"];
    for (id, arguments, part) in [
        (&*pending, &yes[..], "flagged for review at 20"),
        (&flagged, &["--as", "paid", "--note", "n"], "--as"),
        (&flagged, &["--as", "successful"], "--note"),
        (&flagged, &["--as", "successful", "--note", " "], "1 to 500"),
        (&flagged, &["--as", "successful", "--note", &long], "1 to 500"),
        (
            &flagged,
            &["--as", "failed", "--note", "n", "--failure", "bad_luck"],
            "insufficient_funds",
        ),
        (&flagged, &["--as", "successful", "--note", "n", "--failure", "unspecified"], "failure"),
    ] {
        let said = settle(id, arguments);
        assert!(said.contains(part), "{part:?} is not in {said:?}");
    }
    let unknown = ["review", "settle", "txn_none", "--as", "successful", "--note", "n"];
    assert!(not_found(tua(folder.path()).args(unknown)).contains("txn_none"));
    json(folder.path(), &[&["review", "settle", &flagged], &yes[..]].concat());
    assert!(settle(&flagged, &yes).contains("SUCCESSFUL already"));
    assert!(
        not_found(tua(folder.path()).args(["review", "list", "--account", "acc_none"]))
            .contains("acc_none")
    );
}
