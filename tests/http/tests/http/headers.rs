//! Response headers: request ids, CORS, and no unlisted headers.

use reqwest::{
    Method,
    header::{HeaderName, HeaderValue},
};
use serde_json::json;
use std::collections::BTreeSet;
use tua_domain::{Generation, Mode};
use tua_test_support::{Response, TestApp, payment_bodies::payment_with};
use tua_web::http::SDK;

/// The members of a list header, in lower case.
fn listed(answer: &Response, name: &str) -> BTreeSet<String> {
    answer.header(name).split(',').map(|one| one.trim().to_ascii_lowercase()).collect()
}

fn set(names: &str) -> BTreeSet<String> {
    names.split(' ').map(str::to_owned).collect()
}

/// One response of every kind.
async fn one_response_of_each_kind(app: &TestApp) -> Vec<Response> {
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let live = app.merchant(Mode::Live, Generation::V2).await;
    let charge = payer.charge("0241230007", "MTN").await.is(202);
    let status = format!("/v1/status/{}", charge.id());
    let etag = shop.get(&status).await.header("etag").to_owned();
    let send_with_key = [("idempotency-key", "k")];
    let body = payment_with("", None);
    vec![
        shop.get(&status).await.is(200),
        shop.send(Method::GET, &status, &[("prefer", "wait=0")], None).await.is(200),
        shop.send(Method::GET, &status, &[("if-none-match", &etag)], None).await.is(304),
        payer.get("/v1/checkout").await.is(200),
        shop.post("/v1/checkout", &json!({ "amount": 1, "email": "ama@example.com" }))
            .await
            .is(201),
        shop.send(Method::POST, "/v1/charge", &send_with_key, Some(&body)).await.is(202),
        shop.send(Method::POST, "/v1/charge", &send_with_key, Some(&body)).await.is(202),
        shop.post_text("/v1/charge", "{").await.is(400),
        app.actor("").get("/v1/checkout").await.is(401),
        shop.get("/v1/checkout").await.is(403),
        shop.get("/v1/status/x").await.is(404),
        shop.get("/v1/nowhere").await.is(404),
        shop.get("/v1").await.is(404),
        shop.send(Method::DELETE, "/v1/charge", &[], None).await.is(405),
        payer.charge("0241230007", "MTN").await.is(409),
        shop.post_text("/v1/charge", &" ".repeat(33_000)).await.is(413),
        shop.send(Method::POST, "/v1/charge", &[], None).await.is(415),
        shop.post_text("/v1/charge", "{}").await.is(422),
        live.post_text("/v1/charge", &body).await.is(503),
        live.send(Method::GET, &status, &[("origin", "https://shop.example")], None).await.is(403),
        charge,
    ]
}

#[tokio::test]
async fn a_valid_request_id_is_echoed_and_an_invalid_one_is_replaced() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let id = HeaderName::from_static("x-request-id");
    let ask = async |value: &[u8], path: &str| {
        let value = HeaderValue::from_bytes(value).unwrap();
        Response::read(shop.request(Method::GET, path).header(&id, value).send().await.unwrap())
            .await
    };
    for path in ["/v1/status/x", "/v1/nowhere", "/pay", "/sdk/nothing.js", "/healthz"] {
        for sane in ["a", "0af7651916cd43dd8448eb211c80319c", "order-1_2.3:4", &"x".repeat(128)] {
            assert_eq!(ask(sane.as_bytes(), path).await.header("x-request-id"), sane);
        }
        let insane: [&[u8]; 6] =
            [b"", b"a b", b"<script>", b"\"quoted\"", b"caf\xc3\xa9", &[b'x'; 129]];
        let mut minted = BTreeSet::new();
        for value in insane {
            minted.insert(ask(value, path).await.header("x-request-id").to_owned());
        }
        minted.insert(shop.get(path).await.header("x-request-id").to_owned());
        assert_eq!(minted.len(), 7, "each is new");
        assert!(
            minted.iter().all(|id| id.starts_with("req_") && id.is_ascii() && id.len() < 65),
            "{minted:?}"
        );
    }
}

#[tokio::test]
async fn every_api_response_allows_any_origin_without_cookies() {
    let app = TestApp::start().await;
    let exposed = "date etag retry-after preference-applied idempotency-replayed x-request-id \
        ratelimit ratelimit-policy tua-test-clock";
    for answer in one_response_of_each_kind(&app).await {
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{answer:?}");
        assert_eq!(listed(&answer, "access-control-expose-headers"), set(exposed), "{answer:?}");
        assert_eq!(answer.headers.get("access-control-allow-credentials"), None);
    }
    let nobody = app.actor("");
    for path in ["/v1/charge", "/v1/checkout", "/v1/submit-otp", "/v1/status/x", "/v1/", "/sdk/"] {
        let asks = [
            ("origin", "https://shop.example"),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "authorization,content-type,idempotency-key"),
        ];
        let preflight = nobody.send(Method::OPTIONS, path, &asks, None).await;
        assert!(preflight.status.is_success(), "{preflight:?}");
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        let allowed = "authorization x-api-key content-type idempotency-key prefer if-none-match \
            x-request-id";
        let added = "traceparent tracestate baggage sentry-trace newrelic b3 x-b3-traceid \
            x-b3-spanid x-b3-sampled x-datadog-trace-id x-datadog-parent-id x-datadog-origin \
            x-datadog-sampling-priority request-id *";
        let headers = listed(&preflight, "access-control-allow-headers");
        assert!(headers.is_superset(&set(allowed)), "{headers:?}");
        assert!(headers.is_superset(&set(added)), "what monitoring libraries add: {headers:?}");
        assert_eq!(listed(&preflight, "access-control-allow-methods"), set("get post"));
        assert_eq!(preflight.header("access-control-max-age"), "7200");
        assert_eq!(preflight.headers.get("access-control-allow-credentials"), None);
    }
    for path in ["/v1/", "/sdk/"] {
        let unknown = nobody.get(path).await;
        assert_eq!(unknown.header("access-control-allow-origin"), "*", "{path}");
        unknown.is_problem(404, "not_found");
    }
}

/// Monitoring libraries add headers to every request of a page, and so to the component's own.
#[tokio::test]
async fn a_page_whose_requests_have_other_headers_loads_the_component() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    let asks = [
        ("origin", "https://shop.example"),
        ("access-control-request-method", "GET"),
        ("access-control-request-headers", "baggage,sentry-trace,traceparent"),
    ];
    for folder in ["/sdk", SDK, "/sdk/0123456789ab"] {
        for file in ["tua-checkout.js", "element.js", "locales/en.js", "tua_embed_bg.wasm"] {
            let path = format!("{folder}/{file}");
            let preflight = nobody.send(Method::OPTIONS, &path, &asks, None).await;
            assert!(preflight.status.is_success(), "{path}: {preflight:?}");
            assert_eq!(preflight.header("access-control-allow-origin"), "*", "{path}");
            let headers = listed(&preflight, "access-control-allow-headers");
            assert!(
                headers.is_superset(&set("baggage sentry-trace traceparent *")),
                "{path}: {headers:?}"
            );
            let file = nobody.send(Method::GET, &path, &asks, None).await;
            let origins: Vec<_> =
                file.headers.get_all("access-control-allow-origin").iter().collect();
            assert_eq!(origins, ["*"], "{path}");
            let varies = file
                .headers
                .get_all("vary")
                .iter()
                .any(|vary| vary.as_bytes().starts_with(b"origin"));
            assert!(!varies, "{path}: one copy for every shop");
        }
    }
}

#[tokio::test]
async fn responses_have_no_unlisted_headers() {
    let app = TestApp::start().await;
    let meant =
        set("access-control-allow-origin access-control-expose-headers allow cache-control \
            content-length content-type date etag idempotency-replayed preference-applied \
            ratelimit ratelimit-policy retry-after vary www-authenticate x-content-type-options \
            x-request-id");
    for answer in one_response_of_each_kind(&app).await {
        let sent: BTreeSet<String> = answer.headers.keys().map(ToString::to_string).collect();
        assert!(sent.is_subset(&meant), "{:?}", sent.difference(&meant));
        assert!(sent.is_superset(&set("date x-content-type-options x-request-id")), "{answer:?}");
        for value in answer.headers.values() {
            assert!(value.to_str().is_ok());
        }
    }
}

#[tokio::test]
async fn a_405_lists_the_allowed_methods() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (method, path, allowed) in [
        (Method::GET, "/v1/charge", "post"),
        (Method::DELETE, "/v1/payout", "post"),
        (Method::PUT, "/v1/checkout", "get head post"),
        (Method::PATCH, "/v1/submit-otp", "post"),
        (Method::POST, "/v1/status/x", "get head"),
        (Method::PUT, "/pay", "get head post"),
        (Method::POST, "/sdk/tua-checkout.js", "get head"),
        (Method::DELETE, "/healthz", "get head"),
    ] {
        let refused =
            shop.send(method, path, &[], None).await.is_problem(405, "method_not_allowed");
        assert_eq!(listed(&refused, "allow"), set(allowed), "{path}");
    }
}
