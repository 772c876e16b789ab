//! `Idempotency-Key`: a repeated request gets the first response, and is executed once
//! (docs/reference/idempotency.md).

use serde_json::{Value, json};
use std::{fs, sync::Arc};
use tokio::sync::Notify;
use tua_domain::ports::Clock;
use tua_test_support::{
    TestApp,
    idempotency::{CHECKOUT, PAYMENT, assert_first, assert_replay, count, send_with_key},
    live_operators::LiveOperators,
    payment_bodies::payment_with,
    payout_batches, refunds,
    scripted_operator::ScriptedOperator,
};

#[tokio::test]
async fn every_route_replays_its_first_response() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (path, body) in
        [("/v1/charge", PAYMENT), ("/v1/payout", PAYMENT), ("/v1/checkout", CHECKOUT)]
    {
        let first = send_with_key(&shop, path, "one", body).await;
        assert_first(&first);
        app.advance(5);
        for _ in 0..2 {
            assert_replay(send_with_key(&shop, path, "one", body).await, &first);
        }
        let other = send_with_key(&shop, path, "two", body).await;
        assert_first(&other);
        assert_ne!(other.text, first.text);
    }
    let payer = app.payer(&shop).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    let wrong = json!({ "transactionId": id, "otp": "zQ7xW2kP" }).to_string();
    let first = send_with_key(&payer, "/v1/submit-otp", "one", &wrong).await;
    assert_first(&first);
    assert_replay(send_with_key(&payer, "/v1/submit-otp", "one", &wrong).await, &first);
    assert_replay(
        send_with_key(&payer, "/v1/submit-otp", "one", &wrong.replace("zQ7xW2kP", " zQ7xW2kP "))
            .await,
        &first,
    );
    assert_eq!(
        payer.status(&id).await["codeAttemptsLeft"],
        4,
        "a repetition does not count as an attempt"
    );
    let right = json!({ "transactionId": id, "otp": "123456" }).to_string();
    send_with_key(&payer, "/v1/submit-otp", "one", &right)
        .await
        .is_problem(422, "idempotency_key_reused");
    assert_eq!((count(&app, "transactions"), count(&app, "checkouts")), (5, 3));
}

/// The link has ended, the session has expired, and the code and the refund are no longer possible.
#[tokio::test]
async fn a_replay_does_not_depend_on_the_time() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let charge = refunds::charge(&app, &shop, "0241234567").await;
    let telecel = json!({ "amount": 10.5, "phoneNumber": "0201234567", "network": "TELECEL" });
    let waiting = shop.post("/v1/charge", &telecel).await.is(202).id();
    let expires_at = (app.clock.now() + jiff::SignedDuration::from_hours(1)).to_string();
    let link = json!({ "title": "Dinner", "amount": 10.5, "expiresAt": expires_at }).to_string();
    let refund = json!({ "transactionId": charge }).to_string();
    let batch = payout_batches::batch_of(&[1.0, 2.0]).to_string();
    let code = json!({ "transactionId": waiting, "otp": "zQ7xW2kP" }).to_string();
    let requests = [
        ("/v1/charge", PAYMENT),
        ("/v1/payout", PAYMENT),
        ("/v1/checkout", CHECKOUT),
        ("/v1/links", &link),
        ("/v1/refunds", &refund),
        ("/v1/payouts/batches", &batch),
        ("/v1/submit-otp", &code),
    ];
    let mut firsts = Vec::new();
    for (path, body) in requests {
        let first = send_with_key(&shop, path, "one", body).await;
        assert_first(&first);
        firsts.push(first);
    }
    app.advance(2 * 60 * 60);
    app.wait_for_due_work().await;
    for ((path, body), first) in requests.into_iter().zip(&firsts) {
        assert_replay(send_with_key(&shop, path, "one", body).await, first);
    }
    let late = send_with_key(&shop, "/v1/links", "two", &link)
        .await
        .is_problem(422, "invalid_time")
        .json();
    assert_eq!(late["errors"][0]["pointer"], "/expiresAt");
    assert_eq!(count(&app, "payment_links"), 1);
}

#[tokio::test]
async fn an_equivalent_body_is_the_same_request() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let first = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await;
    for same in [
        r#" { "payeeNote" : "\u0061", "network":"MTN", "phoneNumber":"0241230007", "amount": 10.50 } "#,
        r#"{"amount":1.05e1,"phoneNumber":"0241230007","network":"MTN","payeeNote":"a","currency":"GHS"}"#,
    ] {
        assert_replay(send_with_key(&shop, "/v1/charge", "k", same).await, &first);
    }
    let first = send_with_key(&shop, "/v1/checkout", "k", CHECKOUT).await;
    let same = r#"{"metadata":{"b":[2],"a":1},"email":"ama@example.com","amount":10.5}"#;
    assert_replay(send_with_key(&shop, "/v1/checkout", "k", same).await, &first);
}

#[tokio::test]
async fn a_different_request_with_the_same_key_is_rejected() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let first = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await;
    send_with_key(&shop, "/v1/checkout", "k", CHECKOUT).await.is(201);
    for (field, raw) in [
        ("amount", "10.51"),
        ("phoneNumber", r#""0241230008""#),
        ("network", r#""TELECEL""#),
        ("payeeNote", r#""b""#),
        ("payeeNote", "null"),
        ("payerMessage", r#""a""#),
        ("reference", r#""a""#),
    ] {
        let mut other: Value = serde_json::from_str(PAYMENT).unwrap();
        other[field] = serde_json::from_str(raw).unwrap();
        let refused = send_with_key(&shop, "/v1/charge", "k", &other.to_string()).await;
        refused.is_problem(422, "idempotency_key_reused");
    }
    for (one, other) in
        [("10.5", "10.6"), ("ama@", "amb@"), ("[2]", "[3]"), ("\"a\":1", "\"a\":\"1\"")]
    {
        let refused =
            send_with_key(&shop, "/v1/checkout", "k", &CHECKOUT.replace(one, other)).await;
        refused.is_problem(422, "idempotency_key_reused");
    }
    let payout = PAYMENT.replace('}', r#","email":"kofi@example.com","metadata":{"run":3}}"#);
    assert_first(&send_with_key(&shop, "/v1/payout", "k", &payout).await);
    for (one, other) in [
        ("kofi@", "kofo@"),
        (":3", ":4"),
        ("{\"run\":3}", "null"),
        ("\"payeeNote\"", "\"payerMessage\""),
    ] {
        let refused = send_with_key(&shop, "/v1/payout", "k", &payout.replace(one, other)).await;
        refused.is_problem(422, "idempotency_key_reused");
    }
    assert_eq!((count(&app, "transactions"), count(&app, "checkouts")), (2, 1));
    assert_replay(send_with_key(&shop, "/v1/charge", "k", PAYMENT).await, &first);
}

#[tokio::test]
async fn error_responses_are_not_stored() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    send_with_key(&shop, "/v1/charge", "k", "{").await.is_problem(400, "malformed_json");
    send_with_key(&shop, "/v1/charge", "k", "{}").await.is_problem(422, "validation_failed");
    assert_first(&send_with_key(&shop, "/v1/charge", "k", PAYMENT).await);

    let payer = app.payer(&shop).await;
    let own = payment_with("", None);
    let paying = send_with_key(
        &payer,
        "/v1/charge",
        "paying",
        &payment_with("phoneNumber", Some(r#""0241230001""#)),
    )
    .await;
    send_with_key(&payer, "/v1/charge", "k", &own).await.is_problem(409, "charge_in_progress");
    app.advance(2);
    payer.until(&paying.id(), |status| status["status"] == "FAILED").await;
    assert_first(&send_with_key(&payer, "/v1/charge", "k", &own).await);
    let unknown = json!({ "transactionId": "x", "otp": "123456" }).to_string();
    send_with_key(&payer, "/v1/submit-otp", "k", &unknown)
        .await
        .is_problem(404, "transaction_not_found");
    let known = json!({ "transactionId": paying.id(), "otp": "123456" }).to_string();
    send_with_key(&payer, "/v1/submit-otp", "k", &known)
        .await
        .is_problem(409, "verification_not_expected");
}

#[tokio::test]
async fn credentials_are_checked_before_replay_and_replay_before_state() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let own = payment_with("", None);
    let first = send_with_key(&payer, "/v1/charge", "k", &own).await;
    app.advance(2);
    payer.until(&first.id(), |status| status["status"] == "SUCCESSFUL").await;
    assert_replay(send_with_key(&payer, "/v1/charge", "k", &own).await, &first);
    send_with_key(&payer, "/v1/charge", "other", &own)
        .await
        .is_problem(409, "checkout_already_paid");
    send_with_key(&app.actor("sk_test_x"), "/v1/charge", "k", &own)
        .await
        .is_problem(401, "invalid_credentials");
    send_with_key(&payer, "/v1/payout", "", &own).await.is_problem(403, "credential_not_allowed");
    app.advance(30 * 60);
    send_with_key(&payer, "/v1/charge", "k", &own).await.is_problem(401, "checkout_token_expired");
}

#[tokio::test]
async fn a_replay_needs_no_operator() {
    let mut live = LiveOperators::routed_to("hubtel").await;
    let first = send_with_key(&live.shop, "/v1/charge", "k", PAYMENT).await;
    assert_first(&first);
    let without_routes = |toml: &str| toml.split_once("[routes.live]").unwrap().0.to_owned();
    live.reconfigure(without_routes).await;
    send_with_key(&live.shop, "/v1/charge", "new", PAYMENT)
        .await
        .is_problem(503, "network_unavailable");
    assert_replay(send_with_key(&live.shop, "/v1/charge", "k", PAYMENT).await, &first);
    let other = PAYMENT.replace("10.5", "11");
    send_with_key(&live.shop, "/v1/charge", "k", &other)
        .await
        .is_problem(422, "idempotency_key_reused");
}

#[tokio::test]
async fn twenty_four_racing_requests_make_one_charge() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (path, body, table) in
        [("/v1/charge", PAYMENT, "transactions"), ("/v1/checkout", CHECKOUT, "checkouts")]
    {
        let racing: Vec<_> = (0..24)
            .map(|_| {
                let shop = shop.clone();
                tokio::spawn(async move { send_with_key(&shop, path, "race", body).await })
            })
            .collect();
        let mut answers = Vec::new();
        let mut firsts = 0;
        for racer in racing {
            let answer = racer.await.unwrap();
            if answer.status == 409 {
                let busy = answer.is_problem(409, "idempotency_in_progress");
                assert!(!busy.header("retry-after").is_empty());
                continue;
            }
            firsts += u32::from(answer.headers.get("idempotency-replayed").is_none());
            answers.push(answer.text);
        }
        answers.dedup();
        assert_eq!((answers.len(), firsts, count(&app, table)), (1, 1, 1));
    }
}

#[tokio::test]
async fn a_repetition_while_the_first_request_runs_is_a_409() {
    let gate = Arc::new(Notify::new());
    let operator = Arc::new(ScriptedOperator::new().gated(gate.clone()));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let running = tokio::spawn({
        let shop = shop.clone();
        async move { send_with_key(&shop, "/v1/charge", "k", PAYMENT).await }
    });
    operator.called("send", 1).await;
    let busy = send_with_key(&shop, "/v1/charge", "k", PAYMENT)
        .await
        .is_problem(409, "idempotency_in_progress");
    assert!(!busy.header("retry-after").is_empty());
    let other = PAYMENT.replace("10.5", "11");
    send_with_key(&shop, "/v1/charge", "k", &other).await.is_problem(422, "idempotency_key_reused");
    gate.notify_one();
    let first = running.await.unwrap();
    assert_first(&first);
    assert_replay(send_with_key(&shop, "/v1/charge", "k", PAYMENT).await, &first);
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn a_replayed_session_has_the_same_token_which_is_not_stored() {
    let mut app = TestApp::start().await;
    let shop = app.shop().await;
    let first = send_with_key(&shop, "/v1/checkout", "k", CHECKOUT).await.is(201);
    assert_replay(send_with_key(&shop, "/v1/checkout", "k", CHECKOUT).await, &first);
    let token = first.json()["checkoutToken"].as_str().unwrap().to_owned();
    let payer = app.actor(&token);
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    let wrong = json!({ "transactionId": id, "otp": "zQ7xW2kP" }).to_string();
    send_with_key(&payer, "/v1/submit-otp", "k", &wrong).await.is(200);
    app.restart().await;
    assert_replay(send_with_key(&shop, "/v1/checkout", "k", CHECKOUT).await, &first);
    for entry in fs::read_dir(app.folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        for secret in [&token, &shop.credential, "zQ7xW2kP"] {
            // The prefix is not secret. The random part may contain an underscore too.
            let secret =
                secret.trim_start_matches("tua_checkout_").trim_start_matches("tua_test_v2_");
            let held = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!held, "{} holds a secret", path.display());
        }
    }
    app.advance(31 * 60);
    assert_replay(send_with_key(&shop, "/v1/checkout", "k", CHECKOUT).await, &first);
    payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
}
