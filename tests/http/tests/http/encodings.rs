//! How bodies are encoded by the libraries that people use: media types, codings, byte order marks,
//! PHP's arrays.

use reqwest::Method;
use serde_json::json;
use tua_test_support::{ApiClient, Response, TestApp};

const CHECKOUT: &str = r#"{"amount":10.5,"email":"ama@example.com"}"#;

async fn post_with(
    shop: &ApiClient,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    let mut request = shop.request(Method::POST, path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Response::read(request.body(body.to_vec()).send().await.unwrap()).await
}

#[tokio::test]
async fn a_body_with_a_coding_is_refused_with_the_codings_that_are_read() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let json = ("content-type", "application/json");
    for coding in ["gzip", "br", "deflate", "GZIP", "identity, gzip", "aws-chunked"] {
        for path in [
            "/v1/checkout",
            "/v1/charge",
            "/v1/links",
            "/v1/refunds",
            "/v1/quote",
            "/v1/submit-otp",
        ] {
            let headers = [json, ("content-encoding", coding), ("idempotency-key", "k")];
            // The body is plain: the header alone decides.
            let answer = post_with(&shop, path, &headers, CHECKOUT.as_bytes()).await;
            let answer = answer.is_problem(415, "unsupported_media_type");
            assert_eq!(answer.header("accept-encoding"), "identity", "{coding} {path}");
            assert!(
                answer.json()["detail"].as_str().unwrap().contains("Content-Encoding"),
                "{answer:?}"
            );
        }
    }
    assert_eq!(app.query_number("SELECT count(*) FROM checkouts"), 0);
    for coding in ["identity", "Identity", ""] {
        let headers = [json, ("content-encoding", coding)];
        post_with(&shop, "/v1/checkout", &headers, CHECKOUT.as_bytes()).await.is(201);
    }
    let wrong_type =
        post_with(&shop, "/v1/checkout", &[("content-type", "text/plain")], b"{}").await;
    assert!(
        wrong_type
            .is_problem(415, "unsupported_media_type")
            .headers
            .get("accept-encoding")
            .is_none()
    );
}

#[tokio::test]
async fn a_form_of_a_browser_with_a_coding_is_refused_too() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let path = format!("/pay?key={}", payer.credential);
    let form = |coding: &'static str| {
        let headers = [
            ("content-type", "application/x-www-form-urlencoded ;charset=utf-8"),
            ("content-encoding", coding),
        ];
        let nobody = app.actor("");
        let path = path.clone();
        async move {
            post_with(&nobody, &path, &headers, b"phoneNumber=0241234567&network=MTN")
                .await
                .status
                .as_u16()
        }
    };
    assert_eq!(form("gzip").await, 415);
    assert_ne!(form("identity").await, 415);
}

#[tokio::test]
async fn json_with_a_byte_order_mark_or_a_spaced_media_type_is_read() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let marked = [b"\xef\xbb\xbf", CHECKOUT.as_bytes()].concat();
    for content_type in [
        "application/json",
        "application/json ;charset=utf-8",
        "application/json;",
        "APPLICATION/JSON",
    ] {
        for body in [CHECKOUT.as_bytes(), &marked] {
            post_with(&shop, "/v1/checkout", &[("content-type", content_type)], body).await.is(201);
        }
    }
    // The same request, as far as idempotency is concerned.
    let headers = [("content-type", "application/json"), ("idempotency-key", "bom")];
    let first = post_with(&shop, "/v1/checkout", &headers, &marked).await.is(201);
    let second = post_with(&shop, "/v1/checkout", &headers, CHECKOUT.as_bytes()).await.is(201);
    assert_eq!((second.header("idempotency-replayed"), &second.text), ("true", &first.text));
    let twice = [b"\xef\xbb\xbf\xef\xbb\xbf", CHECKOUT.as_bytes()].concat();
    post_with(&shop, "/v1/checkout", &headers[..1], &twice).await.is_problem(400, "malformed_json");
}

#[tokio::test]
async fn an_empty_array_is_an_empty_object_as_php_writes_it() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let with_metadata =
        |metadata: &str| CHECKOUT.replace('}', &format!(",\"metadata\":{metadata}}}"));
    let send = |metadata: &'static str| {
        let shop = shop.clone();
        let body = with_metadata(metadata);
        async move {
            shop.send(Method::POST, "/v1/checkout", &[("idempotency-key", "php")], Some(&body))
                .await
        }
    };
    let opened = send("[]").await.is(201).json();
    assert_eq!(send("{}").await.is(201).json(), opened, "they are one request");
    send("[ ]").await.is(201);
    let id = opened["checkoutId"].as_str().unwrap();
    assert_eq!(shop.get(&format!("/v1/checkout/{id}")).await.is(200).json()["metadata"], json!({}));
    for metadata in ["[1]", "[[]]", "[{}]", "\"\""] {
        shop.post_text("/v1/checkout", &with_metadata(metadata))
            .await
            .is_problem(422, "invalid_type");
    }
    // A body with nothing in it, and one whose members are missing.
    shop.post_text(&format!("/v1/checkout/{id}/close"), "[]").await.is(200);
    let missing = shop.post_text("/v1/checkout", "[]").await.is_problem(422, "validation_failed");
    assert_eq!(missing.json()["errors"][0]["code"], "field_required");
}

#[tokio::test]
async fn metadata_that_differs_in_the_17th_digit_is_another_request() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let send = async |path: &str, key: &str, body: String| {
        shop.send(Method::POST, path, &[("idempotency-key", key)], Some(&body)).await
    };
    let charge = |metadata: &str| {
        format!(
            r#"{{"amount":1,"phoneNumber":"0241234567","network":"MTN","metadata":{{"n":{metadata}}}}}"#
        )
    };
    let payout = charge;
    let checkout =
        |metadata: &str| CHECKOUT.replace('}', &format!(",\"metadata\":{{\"n\":{metadata}}}}}"));
    let link = |metadata: &str| format!(r#"{{"title":"Tea","metadata":{{"n":{metadata}}}}}"#);
    type Body<'a> = &'a dyn Fn(&str) -> String;
    let routes: [(&str, Body); 3] =
        [("/v1/payout", &payout), ("/v1/checkout", &checkout), ("/v1/links", &link)];
    for (path, body) in routes {
        for (index, (one, same, other)) in [
            ("0.10000000000000001", "1.0000000000000001e-1", "0.10000000000000002"),
            ("9007199254740993", "9007199254740993.0", "9007199254740992"),
            ("100", "1e2", "101"),
            ("1e400", "10E399", "1e401"),
            ("1e9999999999", "0.1e10000000000", "1e9999999998"),
        ]
        .into_iter()
        .enumerate()
        {
            let key = format!("k{index}");
            let first = send(path, &key, body(one)).await;
            assert!(first.status.is_success(), "{path} {first:?}");
            assert!(
                !path.ends_with("payout") || first.text.contains(&format!("{{\"n\":{one}}}")),
                "{first:?}"
            );
            let second = send(path, &key, body(same)).await;
            assert_eq!(second.header("idempotency-replayed"), "true", "{path} {one} {same}");
            send(path, &key, body(other)).await.is_problem(422, "idempotency_key_reused");
        }
    }
}

#[tokio::test]
async fn the_advice_about_a_floats_tail_works_in_php_too() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for amount in ["10.299999999999999", "10.300000000000001", "0.30000000000000004"] {
        let answer = shop.post_text("/v1/checkout", &CHECKOUT.replace("10.5", amount)).await;
        let detail =
            answer.is_problem(422, "invalid_amount").json()["detail"].as_str().unwrap().to_owned();
        assert!(
            detail.contains("round it before sending") && detail.contains("serialize_precision"),
            "{detail}"
        );
    }
}
