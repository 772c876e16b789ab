//! Requests whose process crashed between the work and the response: a repetition returns the
//! result of the work, and nothing is done twice (docs/reference/idempotency.md).

use serde_json::json;
use tua_test_support::{
    TestApp,
    idempotency::{count, send_with_key},
    test_database,
};

/// Deletes the stored response, as if the process had crashed after the work and before the
/// response.
fn delete_responses(app: &TestApp) {
    assert_eq!(
        test_database::execute(
            app.folder.path(),
            "UPDATE attempts SET version = NULL, verdict = NULL"
        ),
        1
    );
}

#[tokio::test]
async fn repeating_an_interrupted_charge_or_payout_returns_its_current_state() {
    let body = r#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#;
    for path in ["/v1/charge", "/v1/payout"] {
        let mut app = TestApp::start().await;
        let shop = app.shop().await;
        let first = send_with_key(&shop, path, "k", body).await.is(202);
        assert_eq!(first.json()["status"], "PENDING");
        delete_responses(&app);
        app.restart().await;
        app.advance(60);
        shop.until(&first.id(), |status| status["status"] == "SUCCESSFUL").await;
        let revived = send_with_key(&shop, path, "k", body).await.is(202);
        assert_eq!(revived.header("idempotency-replayed"), "true");
        assert_eq!((revived.id(), &revived.json()["status"]), (first.id(), &json!("SUCCESSFUL")));
        assert_eq!(
            send_with_key(&shop, path, "k", body).await.text,
            revived.text,
            "the response is stored now"
        );
        let other = body.replace("10.5", "10.6");
        send_with_key(&shop, path, "k", &other).await.is_problem(422, "idempotency_key_reused");
        assert_eq!(count(&app, "transactions"), 1);
    }
}

#[tokio::test]
async fn repeating_an_interrupted_session_returns_its_token() {
    let mut app = TestApp::start().await;
    let shop = app.shop().await;
    let body = r#"{"amount":10.5,"email":"ama@example.com"}"#;
    let first = send_with_key(&shop, "/v1/checkout", "k", body).await.is(201);
    delete_responses(&app);
    app.restart().await;
    let revived = send_with_key(&shop, "/v1/checkout", "k", body).await.is(201);
    assert_eq!((&revived.text, revived.header("idempotency-replayed")), (&first.text, "true"));
    assert_eq!(count(&app, "checkouts"), 1);
}

#[tokio::test]
async fn repeating_an_interrupted_code_does_not_submit_it_again() {
    let mut app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    let body = json!({ "transactionId": id, "otp": "000000" }).to_string();
    send_with_key(&payer, "/v1/submit-otp", "k", &body).await.is(200);
    delete_responses(&app);
    app.restart().await;
    let revived = send_with_key(&payer, "/v1/submit-otp", "k", &body).await;
    assert!(revived.status.is_success(), "{revived:?}");
    assert_eq!((revived.id(), revived.header("idempotency-replayed")), (id.clone(), "true"));
    assert_eq!(payer.status(&id).await["codeAttemptsLeft"], 4);
}

#[tokio::test]
async fn repeating_a_request_whose_response_was_not_stored_returns_at_once() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let body = r#"{"amount":10.5,"phoneNumber":"0241230007","network":"MTN"}"#;
    let first = send_with_key(&shop, "/v1/charge", "k", body).await.is(202);
    delete_responses(&app);
    assert_eq!(send_with_key(&shop, "/v1/charge", "k", body).await.is(202).id(), first.id());
    assert_eq!(count(&app, "transactions"), 1);
}
