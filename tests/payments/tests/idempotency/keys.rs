//! The format, the scope and the lifetime of idempotency keys (docs/reference/idempotency.md).

use reqwest::{Method, header::HeaderValue};
use serde_json::json;
use tua_domain::{Generation, Mode};
use tua_test_support::{
    Response, TestApp,
    idempotency::{CHECKOUT, PAYMENT, assert_first, assert_replay, send_with_key},
    payment_bodies::payment_with,
};

#[tokio::test]
async fn a_key_is_scoped_to_account_mode_and_route() {
    let app = TestApp::with_live_operator().await;
    let account = app.account("Adom Stores").await;
    let v2 = app.key(&account, Mode::Test, Generation::V2).await;
    let first = send_with_key(&v2, "/v1/charge", "k", PAYMENT).await;
    assert_replay(
        send_with_key(
            &app.key(&account, Mode::Test, Generation::V1).await,
            "/v1/charge",
            "k",
            PAYMENT,
        )
        .await,
        &first,
    );
    assert_first(&send_with_key(&v2, "/v1/payout", "k", PAYMENT).await);
    assert_first(&send_with_key(&app.shop().await, "/v1/charge", "k", PAYMENT).await);
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    assert_first(&send_with_key(&live, "/v1/charge", "k", PAYMENT).await);
    assert_first(&send_with_key(&live, "/v1/checkout", "k", CHECKOUT).await);
    assert_first(&send_with_key(&v2, "/v1/checkout", "k", CHECKOUT).await);
    let own = payment_with("", None);
    for _ in 0..2 {
        assert_first(&send_with_key(&app.payer(&v2).await, "/v1/charge", "k", &own).await);
    }
}

#[tokio::test]
async fn a_key_is_kept_for_seven_days() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    // It fails at once; the key of a pending payment is kept longer.
    let payment = &PAYMENT.replace("0241230007", "0241230006");
    let first = send_with_key(&shop, "/v1/charge", "k", payment).await;
    app.advance(7 * 24 * 3600 - 1);
    assert_replay(send_with_key(&shop, "/v1/charge", "k", payment).await, &first);
    app.advance(1);
    let second = send_with_key(&shop, "/v1/charge", "k", payment).await;
    assert_first(&second);
    assert_ne!(second.id(), first.id());
    assert_replay(send_with_key(&shop, "/v1/charge", "k", payment).await, &second);
}

#[tokio::test]
async fn a_key_has_1_to_255_printable_ascii_characters() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let otp = json!({ "transactionId": "x", "otp": "123456" }).to_string();
    let routes = [
        ("/v1/charge", PAYMENT),
        ("/v1/payout", PAYMENT),
        ("/v1/checkout", CHECKOUT),
        ("/v1/submit-otp", &otp),
    ];
    let ask = async |path: &str, body: &str, keys: &[&[u8]]| {
        let request = shop
            .request(Method::POST, path)
            .header("content-type", "application/json")
            .body(body.to_owned());
        let keys = keys.iter().map(|key| HeaderValue::from_bytes(key).unwrap());
        let request = keys.fold(request, |request, key| request.header("idempotency-key", key));
        Response::read(request.send().await.unwrap()).await
    };
    for (path, body) in routes {
        let long = [b'k'; 256];
        let wrong: [&[&[u8]]; 6] =
            [&[b""], &[&long], &[b"caf\xc3\xa9"], &[b"a\tb"], &[b"a", b"b"], &[b"a", b"a"]];
        for keys in wrong {
            ask(path, body, keys).await.is_problem(400, "idempotency_key_invalid");
        }
    }
    for (path, body) in &routes[..3] {
        for key in [&b"k"[..], &[b'k'; 255], b"!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ x"] {
            let first = ask(path, body, &[key]).await;
            assert_first(&first);
            assert_replay(ask(path, body, &[key]).await, &first);
        }
    }
}
