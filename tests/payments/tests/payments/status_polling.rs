//! `GET /v1/status/{id}`: returns at once, or after a change (docs/reference/endpoints.md).

use reqwest::Method;
use std::sync::Arc;
use tokio::task::JoinHandle;
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::ports;
use tua_test_support::{ApiClient, Response, TestApp, scripted_operator::ScriptedOperator};

/// Test numbers that stay PENDING.
const UNDECIDED: &str = "0241230007";

/// Polls in a task of its own.
fn poll(actor: &ApiClient, id: &str, headers: &[(&'static str, &str)]) -> JoinHandle<Response> {
    let actor = actor.clone();
    let path = format!("/v1/status/{id}");
    let headers: Vec<_> =
        headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    tokio::spawn(async move {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        actor.send(Method::GET, &path, &headers, None).await
    })
}

/// Waits until this number of polls wait for this number of seconds.
async fn wait_for_polls(app: &TestApp, polls: usize, seconds: i64) {
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(seconds), polls).await;
}

#[tokio::test]
async fn without_prefer_wait_a_status_returns_at_once() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge(UNDECIDED, "MTN").await.is(202).id();
    let answer = poll(&payer, &id, &[]).await.unwrap().is(200);
    assert_eq!(
        (answer.header("preference-applied"), answer.header("cache-control")),
        ("", "no-store")
    );
    assert!(answer.header("etag").starts_with('"'), "{answer:?}");
}

#[tokio::test]
async fn a_poll_returns_when_the_status_changes() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0241234567", "MTN").await.is(202).id();
    let polls = [(); 3].map(|()| poll(&payer, &id, &[("prefer", "wait=25")]));
    wait_for_polls(&app, 3, 25).await;
    app.advance(2);
    for answer in polls {
        let answer = answer.await.unwrap().is(200);
        assert_eq!(answer.json()["status"], "SUCCESSFUL");
        assert_eq!(answer.header("preference-applied"), "wait=25");
    }
}

#[tokio::test]
async fn a_poll_without_a_change_returns_when_its_wait_is_over() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge(UNDECIDED, "MTN").await.is(202).id();
    let waiting = poll(&payer, &id, &[("prefer", "wait=7")]);
    wait_for_polls(&app, 1, 7).await;
    app.advance(6);
    app.wait_for_due_work().await;
    assert!(!waiting.is_finished());
    app.advance(1);
    let answer = waiting.await.unwrap().is(200);
    assert_eq!(
        (answer.json()["status"].as_str(), answer.header("preference-applied")),
        (Some("PENDING"), "wait=7")
    );
}

#[tokio::test]
async fn a_wait_is_at_most_thirty_seconds() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge(UNDECIDED, "MTN").await.is(202).id();
    let waiting = poll(&payer, &id, &[("prefer", "respond-async, wait=86400")]);
    wait_for_polls(&app, 1, 30).await;
    app.advance(30);
    assert_eq!(waiting.await.unwrap().is(200).header("preference-applied"), "wait=30");
}

#[tokio::test]
async fn a_poll_on_a_final_transaction_returns_at_once() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let charge = payer.charge("0241230006", "MTN").await.is(202);
    assert_eq!(charge.json()["status"], "FAILED");
    let answer = poll(&payer, &charge.id(), &[("prefer", "wait=30")]).await.unwrap().is(200);
    assert_eq!(answer.header("preference-applied"), "wait=30");
    let etag = answer.header("etag");
    let headers = [("prefer", "wait=30"), ("if-none-match", etag)];
    let unchanged = poll(&payer, &charge.id(), &headers).await.unwrap().is(304);
    assert_eq!((unchanged.text.as_str(), unchanged.header("etag")), ("", etag));
}

#[tokio::test]
async fn a_change_between_two_polls_returns_at_once() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let charge = payer.charge("0201234567", "TELECEL").await.is(202);
    let first = poll(&payer, &charge.id(), &[]).await.unwrap();
    let etag = first.header("etag");
    let headers = [("prefer", "wait=30"), ("if-none-match", etag)];
    let wrong = serde_json::json!({ "transactionId": charge.id(), "otp": "000000" });
    payer.post("/v1/submit-otp", &wrong).await.is(200);
    let told = poll(&payer, &charge.id(), &headers).await.unwrap().is(200);
    assert_eq!(told.json()["codeAttemptsLeft"], 4);
    assert_ne!(told.header("etag"), etag);
}

#[tokio::test]
async fn a_poll_with_a_matching_etag_waits_and_returns_304() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge(UNDECIDED, "MTN").await.is(202).id();
    let first = poll(&payer, &id, &[]).await.unwrap();
    let etag = first.header("etag");
    poll(&payer, &id, &[("if-none-match", etag)]).await.unwrap().is(304);
    let waiting = poll(&payer, &id, &[("prefer", "wait=9"), ("if-none-match", etag)]);
    wait_for_polls(&app, 1, 9).await;
    app.advance(9);
    let unchanged = waiting.await.unwrap().is(304);
    assert_eq!((unchanged.text.as_str(), unchanged.header("etag")), ("", etag));
    assert_eq!(unchanged.header("preference-applied"), "wait=9");
}

#[tokio::test]
async fn an_operator_response_without_a_change_ends_no_poll() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0241234567", "MTN").await.is(202).id();
    let waiting = poll(&payer, &id, &[("prefer", "wait=29")]);
    let end = app.test_clock.now_plus(29);
    app.test_clock.wait_for_sleepers(end, 1).await;
    app.advance(11);
    operator.called("ask", 1).await;
    app.wait_for_due_work().await;
    // A notification of another node may have made it read the status again.
    app.test_clock.wait_for_sleepers(end, 1).await;
    assert!(!waiting.is_finished());
    app.advance(18);
    waiting.await.unwrap().is(200);
}

#[tokio::test]
async fn a_poll_returns_a_change_that_is_not_final() {
    let prompt_again = ports::StatusResponse::known(Observation::Awaits(Step::Wait));
    let operator = Arc::new(ScriptedOperator::new().asks(move |_| Some(prompt_again.clone())));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0241234567", "MTN").await.is(202).id();
    let waiting = poll(&payer, &id, &[("prefer", "wait=30")]);
    wait_for_polls(&app, 1, 30).await;
    let transaction = tua_domain::TransactionId::new(&id);
    let stored = app.running().store.transaction(&transaction).await.unwrap().unwrap();
    app.running().status_queries.refresh(&stored.order.id).await;
    assert_eq!(waiting.await.unwrap().is(200).json()["nextAction"], "WAIT");
}

#[tokio::test]
async fn waiting_polls_return_at_once_on_shutdown() {
    let mut app = TestApp::with_stopped_clock(|operators| operators).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge(UNDECIDED, "MTN").await.is(202).id();
    let polls = [(); 8].map(|()| poll(&payer, &id, &[("prefer", "wait=30")]));
    wait_for_polls(&app, 8, 30).await;
    app.running.take().unwrap().stop().await;
    for answer in polls {
        assert_eq!(answer.await.unwrap().is(200).json()["status"], "PENDING");
    }
    assert!(
        payer.http.get(&app.origin).send().await.is_err(),
        "the service still accepts connections"
    );
}

#[tokio::test]
async fn a_poll_on_another_accounts_transaction_is_404_at_once() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let other = app.shop().await;
    let payer = app.payer(&shop).await;
    let neighbour = app.payer(&shop).await;
    let id = payer.charge(UNDECIDED, "MTN").await.is(202).id();
    for stranger in [other, neighbour] {
        let answer = poll(&stranger, &id, &[("prefer", "wait=30")]).await.unwrap();
        answer.is_problem(404, "transaction_not_found");
    }
}
