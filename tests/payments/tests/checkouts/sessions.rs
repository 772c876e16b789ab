//! `POST /checkout` and `GET /checkout`: a session from creation to payment or expiry.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tua_domain::{Generation, Mode};
use tua_test_support::{
    ApiClient, TestApp,
    payment_bodies::{assert_field_error, names},
};

/// A session's body with one field changed or omitted.
fn checkout_with(field: &str, raw: Option<&str>) -> String {
    let mut fields = vec![("amount", "10.5"), ("email", r#""ama@example.com""#)];
    fields.retain(|(name, _)| *name != field);
    fields.extend(raw.map(|raw| (field, raw)));
    let members: Vec<String> =
        fields.iter().map(|(name, raw)| format!("\"{name}\":{raw}")).collect();
    format!("{{{}}}", members.join(","))
}

fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    object[field].as_str().unwrap_or_else(|| panic!("no {field} in {object}"))
}

fn moment(object: &Value, field: &str) -> Timestamp {
    text(object, field).parse().unwrap()
}

#[tokio::test]
async fn creating_a_session_returns_a_token_and_a_url() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let answer = shop.post_text("/v1/checkout", &checkout_with("", None)).await.is(201);
    let opened = answer.json();
    assert_eq!(names(&opened), "checkoutId checkoutToken expiresAt reference url");
    let token = text(&opened, "checkoutToken");
    let secret = token.strip_prefix("tua_checkout_").unwrap();
    assert_eq!(secret.len(), 43, "base64url of 256 bits");
    assert!(secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    assert_eq!(opened["url"], format!("{}/pay?key={token}", app.origin));
    assert_eq!(
        moment(&opened, "expiresAt"),
        app.running().clock.now() + SignedDuration::from_mins(30)
    );
    assert!(text(&opened, "expiresAt").ends_with('Z'));
    assert_eq!(answer.header("cache-control"), "no-store");
    let other = shop.post_text("/v1/checkout", &checkout_with("", None)).await.is(201).json();
    for field in ["checkoutToken", "checkoutId", "reference"] {
        assert_ne!(opened[field], other[field], "{field}");
    }
}

#[tokio::test]
async fn a_token_reads_everything_that_resuming_a_session_needs() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let body = json!({
        "amount": 10.5,
        "currency": "GHS",
        "email": "ama.serwaa@example.com",
        "reference": "order-1",
        "metadata": { "secret": "for the merchant" },
        "returnUrl": "https://shop.example/thanks?order=1",
    });
    let opened = shop.post("/v1/checkout", &body).await.is(201).json();
    assert_eq!(opened["reference"], "order-1");
    let payer = app.actor(text(&opened, "checkoutToken"));
    let answer = payer.get("/v1/checkout").await.is(200);
    let session = answer.json();
    assert_eq!(
        names(&session),
        "amount attemptsLeft branding checkoutId currency email expiresAt merchant mode networks \
         reference returnUrl status transaction"
    );
    for field in ["checkoutId", "expiresAt", "reference"] {
        assert_eq!(session[field], opened[field], "{field}");
    }
    for (field, value) in [
        ("amount", json!(10.5)),
        ("currency", json!("GHS")),
        ("merchant", json!("Adom Stores")),
        ("branding", json!({ "accent": null, "logoUrl": null })),
        ("mode", json!("test")),
        ("returnUrl", json!("https://shop.example/thanks?order=1")),
        ("status", json!("OPEN")),
        ("attemptsLeft", json!(5)),
        ("transaction", Value::Null),
    ] {
        assert_eq!(session[field], value, "{field}");
    }
    assert!(
        !answer.text.contains("ama.serwaa") && text(&session, "email").ends_with("@example.com"),
        "{}",
        answer.text
    );
    assert!(!answer.text.contains("for the merchant"), "metadata is not the payer's");
    assert!(!answer.header("date").is_empty() && answer.header("cache-control") == "no-store");

    let charge = payer.charge("0241234567", "MTN").await.is(202);
    let pending = payer.get("/v1/checkout").await.json();
    assert_eq!((&pending["status"], &pending["attemptsLeft"]), (&json!("OPEN"), &json!(4)));
    assert_eq!(pending["transaction"], payer.status(&charge.id()).await);
    app.advance(2);
    payer.until(&charge.id(), |status| status["status"] == "SUCCESSFUL").await;
    let paid = payer.get("/v1/checkout").await;
    assert_eq!(
        (&paid.json()["status"], &paid.json()["transaction"]["status"]),
        (&json!("PAID"), &json!("SUCCESSFUL"))
    );
    assert!(!paid.text.contains("0241234567"));
}

#[tokio::test]
async fn a_session_shows_its_latest_charge() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    for _ in 0..3 {
        let charge = payer.charge("0241230006", "MTN").await.is(202);
        let shown = payer.get("/v1/checkout").await.json()["transaction"].clone();
        assert_eq!(
            (&shown["transactionId"], &shown["status"]),
            (&json!(charge.id()), &json!("FAILED"))
        );
    }
}

#[tokio::test]
async fn a_session_with_an_invalid_field_is_rejected() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (field, raw, code) in [
        ("email", r#""ama""#, "invalid_email"),
        ("email", r#""ama@localhost""#, "invalid_email"),
        ("email", "7", "invalid_type"),
        ("email", "null", "field_required"),
        ("currency", r#""USD""#, "unsupported_currency"),
        ("currency", "[]", "invalid_type"),
        ("metadata", "[1]", "invalid_type"),
        ("reference", r#""  ""#, "invalid_text"),
        ("reference", r#""a\u0000""#, "invalid_text"),
        ("reference", r#""a\nb""#, "invalid_text"),
        ("email", r#""a\u0000b@example.com""#, "invalid_email"),
        ("email", r#""\"a\tb\"@example.com""#, "invalid_email"),
        ("metadata", r#"{"k":"\u0000"}"#, "invalid_metadata"),
        ("metadata", r#"{"k\u0000":1}"#, "invalid_metadata"),
        ("metadata", r#"{"k":[{"m":"\u001b[2J"}]}"#, "invalid_metadata"),
        ("returnUrl", r#""https://shop.example/\u0000""#, "invalid_url"),
        ("returnUrl", r#""https://shop.example/\n""#, "invalid_url"),
        ("phoneNumber", r#""0241234567""#, "unknown_field"),
        ("returnURL", r#""https://shop.example""#, "unknown_field"),
    ] {
        assert_field_error(
            shop.post_text("/v1/checkout", &checkout_with(field, Some(raw))).await,
            field,
            code,
        );
    }
    for field in ["amount", "email"] {
        assert_field_error(
            shop.post_text("/v1/checkout", &checkout_with(field, None)).await,
            field,
            "field_required",
        );
    }
    shop.post_text("/v1/checkout", &checkout_with("currency", Some(r#""GHS""#))).await.is(201);
}

async fn return_url(shop: &ApiClient, url: &str) -> tua_test_support::Response {
    shop.post_text("/v1/checkout", &checkout_with("returnUrl", Some(&json!(url).to_string()))).await
}

#[tokio::test]
async fn a_return_url_must_be_https_or_loopback_in_test_mode() {
    let app = TestApp::with_live_operator().await;
    let test = app.shop().await;
    let live = app.merchant(Mode::Live, Generation::V2).await;
    for url in [
        "https://shop.example",
        "https://shop.example:8443/a?b=c#d",
        "https://xn--nxasmq6b.example/",
    ] {
        return_url(&test, url).await.is(201);
        return_url(&live, url).await.is(201);
    }
    for url in ["http://localhost:3000/", "http://127.0.0.1/thanks", "http://[::1]:8080/"] {
        return_url(&test, url).await.is(201);
        assert_field_error(return_url(&live, url).await, "returnUrl", "invalid_url");
    }
    for url in [
        "",
        "/thanks",
        "//shop.example",
        "shop.example",
        "http://shop.example/",
        "http://127.0.0.1.evil.example/",
        "http://localhost.evil.example/",
        "javascript:alert(1)",
        "JaVaScRiPt://shop.example/%0aalert(1)",
        "data:text/html,<script>alert(1)</script>",
        "https://user:secret@shop.example/",
        "ftp://shop.example/",
        "https://",
    ] {
        assert_field_error(return_url(&test, url).await, "returnUrl", "invalid_url");
        assert_field_error(return_url(&live, url).await, "returnUrl", "invalid_url");
    }
    assert_field_error(
        test.post_text("/v1/checkout", &checkout_with("returnUrl", Some("5"))).await,
        "returnUrl",
        "invalid_type",
    );
}
