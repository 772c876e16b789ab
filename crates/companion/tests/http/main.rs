//! The companion over sockets: real requests, and a payment service with scripted responses.

mod limits;
mod shop;

use shop::*;

use std::{sync::Arc, time::Duration};

use axum::{Router, body::Bytes, http::header};
use tokio::net::TcpListener;
use tua_companion::{Config, catalogue::Catalogue, return_url::ReturnUrl, router};

#[tokio::test]
async fn a_cart_becomes_a_token() {
    let shop = shop().await;
    let cart = concat!(
        r#"{"items":[{"sku":"cocoa","quantity":3},{"sku":"kente","quantity":1},"#,
        r#"{"sku":"donation","amount":2.50}],"email":"ama@example.com"}"#
    );
    let response = shop.send(shop.post(cart)).await;
    assert_eq!(response.status, 201, "{}", response.body);
    let expected = concat!(
        r#"{"checkoutToken":"tua_checkout_abc-_1","#,
        r#""url":"http://127.0.0.1/pay?key=tua_checkout_abc-_1","#,
        r#""expiresAt":"2026-11-21T10:30:00Z"}"#
    );
    assert_eq!(response.body, expected);
    assert_eq!(response.headers["cache-control"], "no-store");

    let requests = shop.service.requests.lock().await;
    let (headers, body) = &requests[0];
    assert_eq!(headers["x-api-key"], KEY);
    assert!(
        body.starts_with(
            r#"{"amount":1234571.17,"currency":"GHS","email":"ama@example.com","reference":"shop-"#
        ),
        "{body}"
    );
    let items = concat!(
        r#""metadata":{"items":["#,
        r#"{"sku":"cocoa","name":"Cocoa \"dark\"","quantity":3,"price":0.29},"#,
        r#"{"sku":"kente","name":"Kente","quantity":1,"price":1234567.8},"#,
        r#"{"sku":"donation","name":"Library","quantity":1,"price":2.5}]}}"#
    );
    assert!(body.ends_with(items), "{body}");
}

#[tokio::test]
async fn a_payer_returns_to_the_page_of_the_order() {
    let service = Arc::new(ScriptedService::default());
    *service.response.lock().await = Some((axum::http::StatusCode::CREATED, SESSION.to_owned()));
    let upstream = listen(Router::new().fallback(respond).with_state(service.clone())).await;
    let catalogue = Catalogue::parse(CATALOGUE).unwrap();
    let config =
        Config::new(&format!("http://{upstream}/v1"), KEY.into(), catalogue, &[], Config::TIMEOUT)
            .unwrap();
    let page = ReturnUrl::parse("https://shop.example/orders/{reference}?from=tua").unwrap();
    let companion = listen(router(config.with_return_url(Some(page)))).await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for cart in [CART.to_owned(), CART.replace("]", r#"],"reference":"a/b?c#d é""#)] {
        let request = client.post(format!("http://{companion}/checkout"));
        let response = request
            .header(header::CONTENT_TYPE, "application/json")
            .body(cart)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 201);
    }
    let requests = service.requests.lock().await;
    let body =
        |index: usize| serde_json::from_str::<serde_json::Value>(&requests[index].1).unwrap();
    let reference = body(0)["reference"].as_str().unwrap().to_owned();
    assert_eq!(body(0)["returnUrl"], format!("https://shop.example/orders/{reference}?from=tua"));
    assert_eq!(body(1)["returnUrl"], "https://shop.example/orders/a%2Fb%3Fc%23d%20%C3%A9?from=tua");
}

#[tokio::test]
async fn a_page_may_name_its_order_and_add_metadata() {
    let shop = shop().await;
    let cart = CART.replace("]", r#"],"reference":"order-17","metadata":{"gift":true}"#);
    assert_eq!(shop.send(shop.post(cart)).await.status, 201);
    let requests = shop.service.requests.lock().await;
    let body: serde_json::Value = serde_json::from_str(&requests[0].1).unwrap();
    assert_eq!((&body["reference"], &body["metadata"]["gift"]), (&"order-17".into(), &true.into()));
    assert_eq!(body["metadata"]["items"][0]["sku"], "cocoa");
}

#[tokio::test]
async fn the_faults_that_only_the_service_finds_are_passed_on() {
    let fault = |pointer: &str, code: &str| {
        format!(r#"{{"pointer":"{pointer}","code":"{code}","detail":"Shorten it."}}"#)
    };
    let problem = |faults: &[String]| {
        format!(r#"{{"code":"validation_failed","errors":[{}]}}"#, faults.join(","))
    };
    let both = [fault("/reference", "too_long"), fault("/metadata", "invalid_metadata")];
    let shop = shop().await.respond_with(422, &problem(&both)).await;
    let response = shop.send(shop.post(CART)).await;
    assert_eq!((response.status, response.code().as_str()), (422, "validation_failed"));
    assert!(
        response.body.contains(&format!(r#""errors":[{}]"#, both.join(","))),
        "{}",
        response.body
    );
    // The companion fills in the return URL with the reference. The page can correct the reference
    // only.
    let long = [fault("/reference", "too_long"), fault("/returnUrl", "invalid_url")];
    let shop = shop.respond_with(422, &problem(&long)).await;
    let response = shop.send(shop.post(CART)).await;
    assert_eq!((response.status, response.code().as_str()), (422, "too_long"));
    for faults in [
        vec![fault("/amount", "invalid_amount")],
        vec![fault("/email", "new_code")],
        vec![fault("/email", KEY)],
    ] {
        let shop = Shop::start(Config::TIMEOUT).await.respond_with(422, &problem(&faults)).await;
        let response = shop.send(shop.post(CART)).await;
        assert_eq!(
            (response.status, response.code().as_str()),
            (502, "upstream_refused"),
            "{faults:?}"
        );
    }
}

#[tokio::test]
async fn a_problem_has_the_title_and_the_page_of_its_code() {
    let shop = shop().await;
    let page = format!("{}/docs/errors/", shop.service.origin.lock().await);
    let cart = |sku: &str| CART.replace("cocoa", sku);
    for (body, code, title) in [
        ("{".to_owned(), "malformed_json", "The body is not valid JSON"),
        (cart("gold"), "unknown_sku", "The shop does not sell this item"),
        (cart("cocoa").replace('3', "0"), "invalid_quantity", "A quantity is not valid"),
    ] {
        let problem: serde_json::Value =
            serde_json::from_str(&shop.send(shop.post(body)).await.body).unwrap();
        assert_eq!((&problem["code"], &problem["title"]), (&code.into(), &title.into()));
        assert_eq!(problem["type"], format!("{page}{code}"));
    }
}

#[tokio::test]
async fn a_page_cannot_set_prices() {
    let shop = shop().await;
    for (cart, code) in [
        (
            r#"{"items":[{"sku":"kente","quantity":1,"price":0.01}],"email":"a@b.gh"}"#,
            "unknown_field",
        ),
        (
            r#"{"items":[{"sku":"kente","quantity":1,"amount":0.01}],"email":"a@b.gh"}"#,
            "field_not_allowed",
        ),
        (
            r#"{"items":[{"sku":"kente","quantity":1}],"email":"a@b.gh","amount":1}"#,
            "unknown_field",
        ),
        (
            r#"{"items":[{"sku":"donation","amount":500.01}],"email":"a@b.gh"}"#,
            "donation_out_of_range",
        ),
        (r#"{"items":[{"sku":"donation","amount":"5"}],"email":"a@b.gh"}"#, "invalid_type"),
        (r#"{"items":[{"sku":"donation","amount":1.005}],"email":"a@b.gh"}"#, "invalid_amount"),
    ] {
        let response = shop.send(shop.post(cart)).await;
        assert_eq!((response.status, response.code().as_str()), (422, code), "{cart}");
    }
    assert!(shop.service.requests.lock().await.is_empty());
}

#[tokio::test]
async fn an_invalid_cart_is_rejected_with_http_status_codes() {
    let shop = shop().await;
    let get = shop.send(shop.client.get(&shop.url)).await;
    assert_eq!((get.status, get.headers["allow"].to_str().unwrap()), (405, "POST"));
    let form = shop
        .send(shop.client.post(&shop.url).header(header::CONTENT_TYPE, "text/plain").body(CART))
        .await;
    assert_eq!(form.status, 415);
    let broken = shop.send(shop.post("{")).await;
    assert_eq!((broken.status, broken.code().as_str()), (400, "malformed_json"));
    let padded = |size: usize| format!("{CART}{}", " ".repeat(size - CART.len()));
    assert_eq!(shop.send(shop.post(padded(32 * 1024))).await.status, 201);
    let large = shop.send(shop.post(padded(32 * 1024 + 1))).await;
    assert_eq!((large.status, large.code().as_str()), (413, "body_too_large"));
}

#[tokio::test]
async fn only_the_named_origins_may_read() {
    let shop = shop().await;
    let allowed = shop.send(shop.post(CART).header(header::ORIGIN, SHOP)).await;
    assert_eq!(allowed.headers["access-control-allow-origin"], SHOP);
    let refusal = shop.send(shop.post("{").header(header::ORIGIN, SHOP)).await;
    assert_eq!(
        refusal.headers["access-control-allow-origin"], SHOP,
        "a page must be able to read its error"
    );
    for foreign in
        ["https://evil.example", "https://shop.example.evil.example", "http://shop.example", "null"]
    {
        let response = shop.send(shop.post(CART).header(header::ORIGIN, foreign)).await;
        assert!(!response.headers.contains_key("access-control-allow-origin"), "{foreign}");
    }
    let preflight =
        shop.client.request(reqwest::Method::OPTIONS, &shop.url).header(header::ORIGIN, SHOP);
    let preflight = preflight.header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST");
    let headers = "content-type,baggage,sentry-trace,traceparent";
    let preflight =
        shop.send(preflight.header(header::ACCESS_CONTROL_REQUEST_HEADERS, headers)).await;
    assert_eq!(preflight.headers["access-control-allow-origin"], SHOP);
    assert_eq!(
        preflight.headers["access-control-allow-headers"], headers,
        "also those of monitoring libraries"
    );
}

#[tokio::test]
async fn whatever_the_service_answers_the_page_gets_a_clear_502() {
    let echo = SESSION.replace("abc-_1", KEY);
    let problem = |code: &str| format!(r#"{{"type":"x","code":"{code}","detail":"{KEY}"}}"#);
    let huge = format!("{SESSION}{}", " ".repeat(200_000));
    for (status, body, code) in [
        (500, problem("internal_error"), "upstream_unavailable"),
        (503, "down".into(), "upstream_unavailable"),
        (429, problem("rate_limited"), "upstream_unavailable"),
        (401, problem("invalid_credentials"), "upstream_refused"),
        (403, problem("credential_not_allowed"), "upstream_refused"),
        (422, problem("invalid_metadata"), "upstream_refused"),
        (404, "<html>not here</html>".into(), "upstream_refused"),
        (307, "https://evil.example/".into(), "upstream_unavailable"),
        (200, SESSION.into(), "upstream_unavailable"),
        (201, String::new(), "upstream_unavailable"),
        (201, "{}".into(), "upstream_unavailable"),
        (201, huge, "upstream_unavailable"),
        (201, echo, "upstream_unavailable"),
        (201, SESSION.replace("http://", "javascript:"), "upstream_unavailable"),
        (201, SESSION.replace("2026-11", KEY), "upstream_unavailable"),
        (201, SESSION.replace("pay?key", "pay?k"), "upstream_unavailable"),
        (201, SESSION.replace("\"tua_checkout_", "\"other_"), "upstream_unavailable"),
    ] {
        let shop = shop().await.respond_with(status, &body).await;
        let response = shop.send(shop.post(CART)).await;
        assert_eq!(
            (response.status, response.code().as_str()),
            (502, code),
            "{status} {body:.300}"
        );
    }
}

#[tokio::test]
async fn an_address_that_only_the_service_refuses_is_the_payers_to_correct() {
    let refusal = concat!(
        r#"{"code":"invalid_email","#,
        r#""errors":[{"pointer":"/email","code":"invalid_email","detail":"No."}]}"#
    );
    let shop = shop().await.respond_with(422, refusal).await;
    let response = shop.send(shop.post(CART)).await;
    assert_eq!((response.status, response.code().as_str()), (422, "invalid_email"));
    assert!(response.body.contains(r#""pointer":"/email""#));
}

#[tokio::test]
async fn a_service_that_is_down_or_silent_is_a_502() {
    let silent = Shop::start(Duration::from_millis(100)).await;
    assert_eq!(silent.send(silent.post(CART)).await.code(), "upstream_unavailable");
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let down =
        Shop::start_with_service(&format!("http://{free}/v1/"), Arc::default(), Config::TIMEOUT)
            .await;
    assert_eq!(down.send(down.post(CART)).await.status, 502);
}

#[test]
fn a_wrong_configuration_names_all_its_faults() {
    let config = |base: &str, key: &str, origins: &[&str]| {
        let origins: Vec<_> = origins.iter().map(|&origin| origin.to_owned()).collect();
        Config::new(base, key.into(), Catalogue::default(), &origins, Config::TIMEOUT).map(drop)
    };
    assert_eq!(config("https://pay.example/v1", KEY, &[SHOP]), Ok(()));
    assert_eq!(config("nonsense", "sk_test_1", &["*", "x"]).unwrap_err().len(), 4);
    for base in [
        "ftp://pay.example/v1",
        "https://u:p@pay.example/v1",
        "https://pay.example/v1?a=b",
        "https://pay.example/#a",
    ] {
        assert!(config(base, KEY, &[]).is_err(), "{base}");
    }
    for origin in ["http://127.0.0.1:8090", "https://shop.example:8443"] {
        assert_eq!(config("https://pay.example/v1", KEY, &[origin]), Ok(()));
    }
    for origin in [
        "null",
        "",
        "shop.example",
        "https://shop.example/",
        "https://SHOP.example",
        "https://a.b:443",
        "file:///x",
    ] {
        assert_eq!(
            config("https://pay.example/v1", KEY, &[origin]).unwrap_err().len(),
            1,
            "{origin}"
        );
    }
    assert!(
        config("http://pay.example/v1", "tua_live_v2_x", &[]).is_err(),
        "a live key in the clear"
    );
    assert_eq!(config("http://[::1]:8080/v1", "tua_live_v2_x", &[]), Ok(()));
    let faults = config("nonsense", "sk_live_secret", &[]).unwrap_err().join(" ");
    assert!(!faults.contains("sk_live_secret"), "the key is not repeated: {faults}");
}

#[tokio::test]
async fn a_shop_can_mount_it_and_its_debug_form_hides_the_key() {
    let catalogue = Catalogue::parse(CATALOGUE).unwrap();
    let config =
        Config::new("http://127.0.0.1:1/v1", KEY.into(), catalogue, &[], Config::TIMEOUT).unwrap();
    assert!(!format!("{config:?}").contains(KEY));
    let _app: Router = Router::new().merge(router(config)).fallback(async || Bytes::new());
}
