//! `POST /payout`: money from a merchant to a wallet.

use serde_json::{Value, json};
use tua_test_support::{
    TestApp,
    payment_bodies::{
        MERCHANT_FIELDS, assert_field_error, assert_rejects_invalid_fields, names, payment_with,
    },
};

#[tokio::test]
async fn a_payout_returns_every_field_that_the_merchant_sent() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let sent = json!({
        "amount": 250,
        "phoneNumber": "0201234567",
        "network": "TELECEL",
        "currency": "GHS",
        "reference": "salary-3",
        "payerMessage": "internal",
        "payeeNote": "March",
        "email": "kofi@example.com",
        "metadata": { "run": 3, "nested": { "list": [1, null, true] } },
    });
    let payout = shop.post("/v1/payout", &sent).await.is(202);
    let shown = payout.json();
    assert_eq!(names(&shown), MERCHANT_FIELDS);
    for (field, value) in sent.as_object().unwrap() {
        assert_eq!(&shown[field], value);
    }
    assert_eq!(
        (&shown["type"], &shown["status"], &shown["checkoutId"]),
        (&json!("PAYOUT"), &json!("PENDING"), &Value::Null)
    );
    assert_eq!(shown["nextAction"], "WAIT", "a payout needs no approval");
    app.advance(2);
    let done = shop.until(&payout.id(), |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!((&done["nextAction"], &done["failure"]), (&json!("NONE"), &Value::Null));
}

#[tokio::test]
async fn a_payout_with_an_invalid_field_is_rejected() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    assert_rejects_invalid_fields(&shop, "/v1/payout").await;
    for email in [
        "",
        "kofi",
        "kofi@",
        "@example.com",
        "kofi@localhost",
        "a b@example.com",
        "Kofi <kofi@example.com>",
    ] {
        let body = payment_with("email", Some(&json!(email).to_string()));
        assert_field_error(shop.post_text("/v1/payout", &body).await, "email", "invalid_email");
    }
    assert_field_error(
        shop.post_text("/v1/payout", &payment_with("email", Some("1"))).await,
        "email",
        "invalid_type",
    );
}

#[tokio::test]
async fn metadata_is_limited_and_returned_digit_for_digit() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let keys = |count: usize| {
        let members: Vec<String> = (0..count).map(|n| format!("\"k{n}\":{n}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let named = |length: usize| format!(r#"{{"{}":1}}"#, "é".repeat(length));
    let sized = |bytes: usize| format!(r#"{{"k":"{}"}}"#, "v".repeat(bytes - 8));
    for (raw, code) in [
        (keys(51), "invalid_metadata"),
        (named(65), "invalid_metadata"),
        (sized(8193), "invalid_metadata"),
        ("[1]".to_owned(), "invalid_type"),
        ("\"text\"".to_owned(), "invalid_type"),
        ("7".to_owned(), "invalid_type"),
        ("true".to_owned(), "invalid_type"),
    ] {
        let body = payment_with("metadata", Some(&raw));
        assert_field_error(shop.post_text("/v1/payout", &body).await, "metadata", code);
    }
    let exact = r#"{"price":1.10,"big":123456789012345678901234567890,"tiny":1e-7,"é":"\u00e9"}"#
        .to_owned();
    for raw in [keys(50), named(64), sized(8192), exact, "{}".to_owned()] {
        let answer =
            shop.post_text("/v1/payout", &payment_with("metadata", Some(&raw))).await.is(202);
        assert!(answer.text.contains(&format!("\"metadata\":{raw}")), "{}", answer.text);
        let status = shop.get(&format!("/v1/status/{}", answer.id())).await.text;
        assert!(status.contains(&format!("\"metadata\":{raw}")), "{status}");
    }
}

#[tokio::test]
async fn a_checkout_token_cannot_create_a_payout() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    for body in [payment_with("", None), "{}".to_owned(), "{".to_owned()] {
        payer.post_text("/v1/payout", &body).await.is_problem(403, "credential_not_allowed");
    }
}
