//! `POST /charge`: a merchant's fields, a payer's fields, and one charge of a session at a time.

use serde_json::{Value, json};
use tua_test_support::{
    TestApp,
    payment_bodies::{
        MERCHANT_FIELDS, assert_field_error, assert_rejects_invalid_fields, names, payment_with,
    },
};

/// Fields that only a merchant can read.
const NOT_FOR_PAYERS: [&str; 11] = [
    "batchId",
    "conflict",
    "email",
    "metadata",
    "operator",
    "operatorFee",
    "payeeNote",
    "payerMessage",
    "refundableAmount",
    "refundedAmount",
    "reversedAt",
];

#[tokio::test]
async fn a_charge_returns_every_field_that_the_merchant_sent() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let sent = json!({
        "amount": 10.5,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "currency": "GHS",
        "payerMessage": "Two <b>fish</b> & \"kenkey\"",
        "payeeNote": "table 4 🐟",
        "reference": "order-17",
    });
    let charge = shop.post("/v1/charge", &sent).await.is(202);
    assert_eq!(charge.header("content-type"), "application/json");
    let shown = charge.json();
    assert_eq!(names(&shown), MERCHANT_FIELDS);
    for (field, value) in sent.as_object().unwrap() {
        assert_eq!(&shown[field], value);
    }
    for (field, value) in [
        ("status", "PENDING"),
        ("type", "CHARGE"),
        ("mode", "test"),
        ("nextAction", "APPROVE_ON_PHONE"),
    ] {
        assert_eq!(shown[field], value);
    }
    for field in ["failure", "checkoutId", "email", "metadata", "conflict", "reversedAt"] {
        assert_eq!(shown[field], Value::Null, "{field}");
    }
    assert!(!shown["message"].as_str().unwrap().is_empty());
    let mut status = shop.status(&charge.id()).await;
    status["message"] = shown["message"].clone();
    assert_eq!(status, shown, "GET /status must show what POST /charge showed");
}

#[tokio::test]
async fn missing_fields_get_defaults_and_references_may_repeat() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let first = shop.post_text("/v1/charge", &payment_with("", None)).await.is(202).json();
    let second = shop.post_text("/v1/charge", &payment_with("", None)).await.is(202).json();
    assert_eq!(first["currency"], "GHS");
    assert!((1..=64).contains(&first["reference"].as_str().unwrap().len()));
    assert_ne!(
        (&first["reference"], &first["transactionId"]),
        (&second["reference"], &second["transactionId"])
    );
    for _ in 0..2 {
        shop.post_text("/v1/charge", &payment_with("reference", Some(r#""same""#))).await.is(202);
    }
}

#[tokio::test]
async fn a_charge_with_an_invalid_field_is_rejected() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    assert_rejects_invalid_fields(&shop, "/v1/charge").await;
    for (field, raw, code) in [
        ("email", r#""ama""#, "invalid_email"),
        ("metadata", "[1]", "invalid_type"),
        ("metadata", r#"{"k":"\u0000"}"#, "invalid_metadata"),
        ("returnUrl", r#""https://shop.example""#, "unknown_field"),
    ] {
        let answer = shop.post_text("/v1/charge", &payment_with(field, Some(raw))).await;
        assert_field_error(answer, field, code);
    }
}

#[tokio::test]
async fn a_charge_keeps_the_payers_email_and_the_merchants_metadata() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let metadata = json!({ "order": 17, "sum": 1.5 });
    let body = json!({
        "amount": 10.5,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "email": "ama@example.com",
        "metadata": metadata,
    });
    let begun = shop.post("/v1/charge", &body).await.is(202);
    for seen in [begun.json(), shop.status(&begun.id()).await] {
        assert_eq!((&seen["email"], &seen["metadata"]), (&json!("ama@example.com"), &metadata));
    }
}

#[tokio::test]
async fn a_number_with_another_networks_prefix_is_accepted() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (prefix, network) in
        [("020", "MTN"), ("024", "TELECEL"), ("055", "AIRTELTIGO"), ("030", "MTN"), ("099", "MTN")]
    {
        let body =
            json!({ "amount": 1, "phoneNumber": format!("{prefix}1234567"), "network": network });
        assert_eq!(shop.post("/v1/charge", &body).await.is(202).json()["network"], network);
    }
}

#[tokio::test]
async fn a_payer_may_set_only_number_and_network() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    for field in ["reference", "payerMessage", "payeeNote", "email", "metadata"] {
        let raw = if field == "metadata" { "{}" } else { r#""x@example.com""# };
        let refused = payer.post_text("/v1/charge", &payment_with(field, Some(raw))).await;
        assert_field_error(refused, field, "field_not_allowed");
        let absent = payment_with(field, Some("null"));
        let phone = absent.replace("0241234567", "1");
        assert_field_error(
            payer.post_text("/v1/charge", &phone).await,
            "phoneNumber",
            "invalid_phone_number",
        );
    }
    for amount in ["10.49", "10.51", "0.01", "1050", "1000000000"] {
        let refused = payer.post_text("/v1/charge", &payment_with("amount", Some(amount))).await;
        assert_field_error(refused, "amount", "amount_mismatch");
    }
    for (amount, code) in
        [(r#""10.5""#, "invalid_type"), ("10.505", "invalid_amount"), ("-10.5", "invalid_amount")]
    {
        assert_field_error(
            payer.post_text("/v1/charge", &payment_with("amount", Some(amount))).await,
            "amount",
            code,
        );
    }
    assert_field_error(
        payer.post_text("/v1/charge", &payment_with("checkoutId", Some("1"))).await,
        "checkoutId",
        "unknown_field",
    );
    assert_field_error(payer.charge("024", "MTN").await, "phoneNumber", "invalid_phone_number");
    assert_eq!(
        payer.get("/v1/checkout").await.json()["attemptsLeft"],
        5,
        "rejected charges use no attempt"
    );
}

#[tokio::test]
async fn a_payer_may_repeat_the_sessions_amount_in_any_notation() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for amount in [Some("10.50"), Some("1.05e1"), Some("10.5"), Some("null"), None] {
        let payer = app.payer(&shop).await;
        let charge = payer.post_text("/v1/charge", &payment_with("amount", amount)).await.is(202);
        assert_eq!(charge.json()["amount"].to_string(), "10.5");
    }
}

#[tokio::test]
async fn a_sessions_charge_uses_the_sessions_fields_and_hides_the_merchants() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let session = json!({
        "amount": 3,
        "email": "ama@example.com",
        "reference": "order-9",
        "metadata": { "sku": [1.10] },
    });
    let opened = shop.post("/v1/checkout", &session).await.is(201).json();
    let payer = app.actor(opened["checkoutToken"].as_str().unwrap());
    let charge = payer.charge("0241234567", "MTN").await.is(202);
    let seen = charge.json();
    let expected: Vec<&str> =
        MERCHANT_FIELDS.split(' ').filter(|name| !NOT_FOR_PAYERS.contains(name)).collect();
    assert_eq!(names(&seen), expected.join(" "));
    assert!(
        !charge.text.contains("0241234567") && !charge.text.contains("ama@"),
        "{}",
        charge.text
    );
    assert!(seen["phoneNumber"].as_str().unwrap().ends_with("567"));
    let status = payer.get(&format!("/v1/status/{}", charge.id())).await.text;
    assert!(!status.contains("0241234567") && !status.contains("ama@"), "{status}");

    let merchants = shop.status(&charge.id()).await;
    assert_eq!(merchants["phoneNumber"], "0241234567");
    for field in ["reference", "email", "metadata", "amount"] {
        assert_eq!(merchants[field], session[field], "{field}");
    }
    assert_eq!(merchants["checkoutId"], opened["checkoutId"]);
}

#[tokio::test]
async fn a_session_has_one_charge_at_a_time_and_none_after_payment() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let other = app.payer(&shop).await;
    let charge = payer.charge("0241234567", "MTN").await.is(202);
    payer.charge("0241234567", "MTN").await.is_problem(409, "charge_in_progress");
    payer.charge("0201234567", "TELECEL").await.is_problem(409, "charge_in_progress");
    other.charge("0241234567", "MTN").await.is(202);
    app.advance(2);
    shop.until(&charge.id(), |status| status["status"] == "SUCCESSFUL").await;
    payer.charge("0241234567", "MTN").await.is_problem(409, "checkout_already_paid");
    assert_field_error(payer.charge("024", "MTN").await, "phoneNumber", "invalid_phone_number");
    let session = payer.get("/v1/checkout").await.json();
    assert_eq!(
        (&session["attemptsLeft"], &session["transaction"]["transactionId"]),
        (&json!(4), &json!(charge.id()))
    );
}

#[tokio::test]
async fn five_failed_charges_exhaust_a_session_and_rejected_ones_do_not_count() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    for left in [4, 3, 2, 1, 0] {
        let failed = payer.charge("0241230006", "MTN").await.is(202).json();
        assert_eq!(
            (&failed["status"], &failed["failure"]["code"]),
            (&json!("FAILED"), &json!("payer_not_found"))
        );
        assert_eq!(names(&failed["failure"]), "code message retryable");
        payer.charge("0241230006", "VODAFONE").await.is_problem(422, "unsupported_network");
        payer.post_text("/v1/charge", "{").await.is_problem(400, "malformed_json");
        assert_eq!(payer.get("/v1/checkout").await.json()["attemptsLeft"], left);
    }
    payer.charge("0241234567", "MTN").await.is_problem(409, "attempts_exhausted");
    let session = payer.get("/v1/checkout").await.is(200).json();
    assert_eq!((&session["status"], &session["attemptsLeft"]), (&json!("OPEN"), &json!(0)));
}
