//! Webhook events: types, bodies and signatures (docs/reference/webhooks.md).

use serde_json::json;
use std::sync::Arc;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Generation, Mode, TransactionId,
    ports::{Clock, StatusResponse},
};
use tua_test_support::{
    TestApp, eventually,
    scripted_operator::ScriptedOperator,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

#[tokio::test]
async fn a_charge_sends_an_event_for_every_status_with_the_merchants_fields() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (_, secret) = merchant.add_endpoint(&app, &receiver.url).await;
    let charge = json!({
        "amount": 10.5,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "reference": "order-17",
    });
    let begun = merchant.shop.post("/v1/charge", &charge).await.is(202);
    receiver.wait_for_webhooks(2).await;
    app.advance(3);
    merchant.shop.until(&begun.id(), |status| status["status"] == "SUCCESSFUL").await;
    let mut heard = receiver.wait_for_webhooks(3).await;
    // Nearly simultaneous events may arrive in any order; each contains its time.
    heard.sort_by_key(|heard| heard.header("webhook-id").to_owned());
    let types: Vec<_> = heard.iter().map(|heard| heard.json()["type"].clone()).collect();
    assert_eq!(types, ["charge.pending", "charge.action_required", "charge.successful"]);
    for heard in &heard {
        assert!(heard.is_signed_with(&secret));
        assert_eq!(heard.header("content-type"), "application/json");
        assert!(heard.header("webhook-id").starts_with("msg_"));
        let body = heard.json();
        assert_eq!(
            (&body["data"]["amount"], &body["data"]["phoneNumber"], &body["data"]["reference"]),
            (&json!(10.5), &json!("0241234567"), &json!("order-17"))
        );
        assert_eq!(
            body["timestamp"], body["data"]["updatedAt"],
            "the transaction as it was at the event"
        );
    }
    let mut now = merchant.shop.status(&begun.id()).await;
    now.as_object_mut().unwrap().remove("message");
    assert_eq!(heard[2].json()["data"], now);
    assert_eq!(heard[0].json()["data"]["nextAction"], "WAIT");
    assert_eq!(heard[1].json()["data"]["nextAction"], "APPROVE_ON_PHONE");
}

#[tokio::test]
async fn a_session_sends_events_when_created_and_paid() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let payer = app.payer(&merchant.shop).await;
    let id = payer.charge("0241234567", "MTN").await.is(202).id();
    app.advance(3);
    payer.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    let heard = receiver.wait_for_webhooks(5).await;
    let mut types = receiver.types();
    types.sort_unstable();
    let expected = [
        "charge.action_required",
        "charge.pending",
        "charge.successful",
        "checkout.opened",
        "checkout.paid",
    ];
    assert_eq!(types, expected);
    let session = |kind: &str| {
        heard.iter().find(|heard| heard.json()["type"] == kind).unwrap().json()["data"].clone()
    };
    let opened = session("checkout.opened");
    let paid = session("checkout.paid");
    assert_eq!((&opened["status"], &opened["transaction"]), (&json!("OPEN"), &json!(null)));
    assert_eq!((&opened["email"], &opened["amount"]), (&json!("ama@example.com"), &json!(10.5)));
    assert_eq!(
        (&paid["status"], &paid["transaction"]["transactionId"]),
        (&json!("PAID"), &json!(id))
    );
    assert_eq!(paid["transaction"]["phoneNumber"], "0241234567");
    app.wait_for_tasks().await;
    app.advance(3600);
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    app.running().store.ping_endpoint(&endpoint, app.clock.now()).await.unwrap().unwrap();
    receiver.wait_for_webhooks(6).await;
    assert_eq!(receiver.types()[5], "ping", "a paid session does not expire");
}

#[tokio::test]
async fn an_unpaid_session_sends_one_expired_event() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    app.payer(&merchant.shop).await;
    let refused = app.payer(&merchant.shop).await.charge("0241230001", "MTN").await.is(202).id();
    app.advance(3);
    merchant.shop.until(&refused, |status| status["status"] == "FAILED").await;
    receiver.wait_for_webhooks(6).await;
    for _ in 0..3 {
        app.wait_for_tasks().await;
        app.advance(1800);
    }
    receiver.wait_for_webhooks(8).await;
    assert_eq!(receiver.types()[6..], ["checkout.expired", "checkout.expired"]);
    assert_eq!(receiver.received()[7].json()["data"]["status"], "EXPIRED");
}

#[tokio::test]
async fn a_failed_charge_of_an_open_session_sends_an_event_of_the_session() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let payer = app.payer(&merchant.shop).await;
    let mut attempts_left = Vec::new();
    for attempt in 0..5 {
        let id = payer.charge("0241230001", "MTN").await.is(202).id();
        app.advance(3);
        payer.until(&id, |status| status["status"] == "FAILED").await;
        // `checkout.opened` and, for each attempt, pending, action required, failed and this one.
        receiver.wait_for_webhooks(1 + 4 * (attempt + 1)).await;
        let received = receiver.received();
        let sessions: Vec<_> = received
            .iter()
            .map(|hook| hook.json())
            .filter(|hook| hook["type"] == "checkout.attempt_failed")
            .collect();
        assert_eq!(sessions.len(), attempt + 1);
        let session = &sessions.last().unwrap()["data"];
        assert_eq!(
            (&session["status"], &session["transaction"]["transactionId"]),
            (&json!("OPEN"), &json!(id))
        );
        assert_eq!(session["transaction"]["failure"]["code"], "insufficient_funds");
        attempts_left.push(session["attemptsLeft"].as_u64().unwrap());
        app.wait_for_tasks().await;
    }
    assert_eq!(attempts_left, [4, 3, 2, 1, 0]);
}

#[tokio::test]
async fn a_session_with_a_pending_charge_expires_after_the_charge_failed() {
    let refused = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let asked = refused.clone();
    let operator = Arc::new(ScriptedOperator::new().asks(move |_| {
        let refused = asked.load(std::sync::atomic::Ordering::SeqCst);
        Some(StatusResponse::known(if refused {
            Observation::Failed(FailureCode::ApprovalTimeout)
        } else {
            Observation::StillPending
        }))
    }));
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let id = app.payer(&merchant.shop).await.charge("0241234567", "MTN").await.is(202).id();
    // A delivery that is in progress when the clock moves would time out and be repeated.
    receiver.wait_for_webhooks(3).await;
    app.wait_for_tasks().await;
    app.advance(1801);
    receiver.wait_for_webhooks(4).await;
    let types = receiver.types();
    assert!(types.iter().any(|one| one == "charge.delayed"), "{types:?}");
    refused.store(true, std::sync::atomic::Ordering::SeqCst);
    app.wait_for_tasks().await;
    app.advance(3600);
    merchant.shop.until(&id, |status| status["status"] == "FAILED").await;
    receiver.wait_for_webhooks(5).await;
    app.wait_for_tasks().await;
    app.advance(61);
    eventually("all events", async || receiver.types_of_events().len() >= 6).await;
    let mut last = receiver.types_of_events()[4..].to_vec();
    last.sort_unstable();
    assert_eq!(last, ["charge.failed", "checkout.expired"]);
}

#[tokio::test]
async fn a_transaction_pending_for_ten_minutes_sends_one_delayed_event() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let body = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    merchant.shop.post("/v1/charge", &body).await.is(202);
    merchant.shop.post("/v1/payout", &body).await.is(202);
    receiver.wait_for_webhooks(3).await;
    app.wait_for_tasks().await;
    app.advance(599);
    app.wait_for_tasks().await;
    app.advance(2);
    receiver.wait_for_webhooks(5).await;
    let mut delayed = receiver.types()[3..].to_vec();
    delayed.sort_unstable();
    assert_eq!(delayed, ["charge.delayed", "payout.delayed"]);
    app.wait_for_tasks().await;
    app.advance(3600);
    merchant.shop.post("/v1/payout", &body).await.is(202);
    receiver.wait_for_webhooks(6).await;
    assert_eq!(receiver.types()[5], "payout.pending");
}

#[tokio::test]
async fn a_contradicting_operator_sends_a_conflict_event() {
    let operator = Arc::new(
        ScriptedOperator::new()
            .sends(|_| Some(Observation::Succeeded))
            .asks(|_| Some(StatusResponse::known(Observation::Reversed))),
    );
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let body = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
    for (route, word) in [("/v1/payout", "payout.reversed"), ("/v1/charge", "charge.conflict")] {
        let before = receiver.received().len();
        let id = merchant.shop.post(route, &body).await.is(202).id();
        receiver.wait_for_webhooks(before + 2).await;
        let stored =
            app.running().store.transaction(&TransactionId::new(&id)).await.unwrap().unwrap();
        app.running().status_queries.refresh(&stored.order.id).await;
        let heard = receiver.wait_for_webhooks(before + 3).await.pop().unwrap().json();
        assert_eq!(
            (&heard["type"], &heard["data"]["status"]),
            (&json!(word), &json!("SUCCESSFUL"))
        );
        let reversed = &merchant.shop.status(&id).await["reversedAt"];
        assert_eq!(reversed.is_string(), route == "/v1/payout", "{reversed}");
    }
}

#[tokio::test]
async fn an_endpoint_gets_only_later_events_of_its_account_and_mode() {
    let app = TestApp::start().await;
    let one = Subscriber::new(&app).await;
    let other = Subscriber::new(&app).await;
    let ours = WebhookReceiver::start().await;
    let theirs = WebhookReceiver::start().await;
    let body = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    one.shop.post("/v1/payout", &body).await.is(202);
    one.add_endpoint(&app, &ours.url).await;
    one.add_endpoint(&app, &ours.url).await;
    other.add_endpoint(&app, &theirs.url).await;
    let live = app.key(&one.scope.account, Mode::Live, Generation::V2).await;
    let of_live = json!({ "url": "https://shop.example/webhooks" });
    let of_live = live.post("/v1/webhooks", &of_live).await.is(201).json();
    one.shop.post("/v1/payout", &body).await.is(202);
    other.shop.post("/v1/payout", &body).await.is(202);
    let heard = ours.wait_for_webhooks(2).await;
    assert_eq!(
        heard[0].header("webhook-id"),
        heard[1].header("webhook-id"),
        "one event, two endpoints"
    );
    assert_eq!(heard[0].text, heard[1].text);
    let their = theirs.wait_for_webhooks(1).await;
    assert_ne!(their[0].header("webhook-id"), heard[0].header("webhook-id"));
    assert_eq!((ours.received().len(), theirs.received().len()), (2, 1));
    let recorded = format!(
        "SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = '{}'",
        of_live["endpointId"].as_str().unwrap()
    );
    assert_eq!(app.query_number(&recorded), 0, "an endpoint of live mode gets no test event");
}
