//! Errors: problem documents and their status (docs/reference/errors.md).

use reqwest::Method;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
};
use tua_companion::error_codes;
use tua_contract::ErrorCode;
use tua_test_support::{
    ApiClient, Response, TestApp,
    payment_bodies::{names, payment_with},
};

async fn send_as(
    shop: &ApiClient,
    content_type: Option<&str>,
    body: impl Into<reqwest::Body>,
) -> Response {
    let request = shop.request(Method::POST, "/v1/charge").body(body);
    let request = content_type
        .into_iter()
        .fold(request, |request, kind| request.header("content-type", kind));
    Response::read(request.send().await.unwrap()).await
}

#[tokio::test]
async fn an_error_is_a_problem_document_with_exactly_these_members() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let plain = shop.get("/v1/status/x").await.is_problem(404, "transaction_not_found");
    let document = plain.json();
    assert_eq!(names(&document), "code detail requestId status title type");
    assert_eq!(document["status"], 404);
    assert_eq!(document["type"], format!("{}/docs/errors/transaction_not_found", app.origin));
    assert_eq!(document["requestId"], plain.header("x-request-id"));
    assert_eq!(plain.header("cache-control"), "no-store");
    for member in ["title", "detail"] {
        assert!(!document[member].as_str().unwrap().is_empty());
    }
    let faulty = shop.post_text("/v1/charge", &payment_with("network", Some("\"x\""))).await.json();
    assert_eq!(names(&faulty), "code detail errors requestId status title type");
    assert_eq!(names(&faulty["errors"][0]), "code detail pointer");
    assert_eq!(faulty["type"], format!("{}/docs/errors/unsupported_network", app.origin));
}

#[tokio::test]
async fn all_invalid_fields_are_reported_with_their_pointers() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let found = |answer: Response| -> BTreeSet<(String, String)> {
        let errors = answer.is_problem(422, "validation_failed").json()["errors"].clone();
        let pair = |fault: &Value| {
            [&fault["pointer"], &fault["code"]].map(|text| text.as_str().unwrap().to_owned())
        };
        errors.as_array().unwrap().iter().map(pair).map(|[pointer, code]| (pointer, code)).collect()
    };
    let expected = |pairs: &[(&str, &str)]| -> BTreeSet<(String, String)> {
        pairs.iter().map(|&(pointer, code)| (pointer.to_owned(), code.to_owned())).collect()
    };
    let missing = [
        ("/amount", "field_required"),
        ("/phoneNumber", "field_required"),
        ("/network", "field_required"),
    ];
    assert_eq!(found(shop.post_text("/v1/charge", "{}").await), expected(&missing));
    let wrong = concat!(
        r#"{"amount":"1","phoneNumber":"1","network":"x","currency":"USD","payeeNote":1,"#,
        r#""a/b~c":1,"":2,"é\"":3}"#
    );
    assert_eq!(
        found(shop.post_text("/v1/payout", wrong).await),
        expected(&[
            ("/amount", "invalid_type"),
            ("/phoneNumber", "invalid_phone_number"),
            ("/network", "unsupported_network"),
            ("/currency", "unsupported_currency"),
            ("/payeeNote", "invalid_type"),
            ("/a~1b~0c", "unknown_field"),
            ("/", "unknown_field"),
            ("/é\"", "unknown_field"),
        ])
    );
    let payer = app.payer(&shop).await;
    let mixed = r#"{"amount":1,"phoneNumber":"1","network":"MTN","reference":"r","colour":"red"}"#;
    assert_eq!(
        found(payer.post_text("/v1/charge", mixed).await),
        expected(&[
            ("/amount", "amount_mismatch"),
            ("/phoneNumber", "invalid_phone_number"),
            ("/reference", "field_not_allowed"),
            ("/colour", "unknown_field"),
        ])
    );
}

#[tokio::test]
async fn a_body_that_is_not_valid_json_is_malformed() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let deep = format!("{{\"metadata\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    for body in [
        "",
        " ",
        "{",
        "nul",
        "{}{}",
        "{} x",
        "{'amount':1}",
        "{\"amount\":1,}",
        "{\"amount\":1 \"network\":\"MTN\"}",
        "{\"payeeNote\":\"\\ud800\"}",
        "{\"payeeNote\":\"\n\"}",
        "/* */{}",
        &deep,
        r#"{"amount":1,"phoneNumber":"0241234567","network":"MTN","amount":100}"#,
        r#"{"amount":1,"phoneNumber":"0241234567","network":"MTN","\u0061mount":1}"#,
        r#"{"amount":1,"phoneNumber":"0241234567","network":"MTN","metadata":{"a":1,"a":1}}"#,
        concat!(
            r#"{"amount":1,"phoneNumber":"0241234567","network":"MTN","#,
            r#""metadata":{"a":[{"b":{"c":1,"c":2}}]}}"#
        ),
    ] {
        let refused = shop.post_text("/v1/payout", body).await.is_problem(400, "malformed_json");
        assert_eq!(names(&refused.json()), "code detail requestId status title type", "{body:.60}");
    }
    send_as(&shop, Some("application/json"), b"{\"payeeNote\":\"\xff\"}".to_vec())
        .await
        .is_problem(400, "malformed_json");
    for body in ["[1]", "1", "\"text\"", "null", "true"] {
        let refused =
            shop.post_text("/v1/charge", body).await.is_problem(422, "invalid_type").json();
        assert_eq!(refused["errors"][0]["pointer"], "");
    }
}

#[tokio::test]
async fn an_unknown_path_is_a_problem_document() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for path in [
        "/nowhere",
        "/v1",
        "/v1/",
        "/v1/nowhere",
        "/v1/charge/",
        "/v1/status/",
        "/v1/status/a/b",
        "/v2/charge",
        "/assets/x",
    ] {
        shop.get(path).await.is_problem(404, "not_found");
    }
    for id in
        ["x", "%00", "..%2f..%2fetc%2fpasswd", "'%20OR%201=1--", "%F0%9F%90%9F", &"a".repeat(5000)]
    {
        shop.get(&format!("/v1/status/{id}")).await.is_problem(404, "transaction_not_found");
    }
    for path in [
        "/v1/status/%ff",
        "/docs/errors/%ff",
        "/sdk/%ff",
        "/assets/%ff",
        "/docs/errors/no_such_code",
        "/sdk/../Cargo.toml",
    ] {
        shop.get(path).await.is_problem(404, "not_found");
    }
}

#[tokio::test]
async fn a_body_may_have_at_most_32_kib() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let body = payment_with("", None);
    let padded = |size: usize| format!("{body}{}", " ".repeat(size - body.len()));
    shop.post_text("/v1/charge", &padded(32 << 10)).await.is(202);
    shop.post_text("/v1/charge", &padded((32 << 10) + 1)).await.is_problem(413, "body_too_large");
    app.actor("")
        .post_text("/v1/charge", &padded(60_000))
        .await
        .is_problem(401, "missing_credentials");
}

#[tokio::test]
async fn a_chunked_body_has_the_same_limit() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let address = app.running().local_addr();
    let answer = tokio::task::spawn_blocking(move || {
        let mut socket = TcpStream::connect(address).unwrap();
        let head = "POST /v1/charge HTTP/1.1\r\nhost: tua\r\ncontent-type: application/json\r\n\
            transfer-encoding: chunked\r\n";
        let size = (32 << 10) + 1;
        let key = shop.credential;
        let chunk =
            format!("{head}x-api-key: {key}\r\n\r\n{size:x}\r\n{}\r\n0\r\n\r\n", " ".repeat(size));
        socket.write_all(chunk.as_bytes()).unwrap();
        let mut start = [0; 12];
        socket.read_exact(&mut start).unwrap();
        String::from_utf8_lossy(&start).into_owned()
    });
    assert_eq!(answer.await.unwrap(), "HTTP/1.1 413");
}

#[tokio::test]
async fn the_content_type_must_be_json_with_or_without_a_charset() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for kind in
        ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]
    {
        send_as(&shop, Some(kind), payment_with("", None)).await.is(202);
    }
    for kind in [
        None,
        Some(""),
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/jsonp"),
        Some("text/json"),
        Some("json"),
    ] {
        send_as(&shop, kind, payment_with("", None))
            .await
            .is_problem(415, "unsupported_media_type");
    }
}

#[tokio::test]
async fn the_type_url_of_every_error_code_is_a_page() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    let of_companion = error_codes::COMPANION_ERRORS.iter().map(|error| error.code);
    for code in ErrorCode::ALL.iter().map(|code| code.as_str()).chain(of_companion) {
        let page = nobody.get(&format!("/docs/errors/{code}")).await.is(200);
        assert!(
            page.header("content-type").starts_with("text/html") && page.text.contains(code),
            "{page:?}"
        );
        for question in ["What happened", "Did money move?", "What to do"] {
            let answer = page
                .text
                .split_once(&format!("<h2>{question}</h2>\n<p>"))
                .unwrap()
                .1
                .split_once("</p>")
                .unwrap()
                .0;
            assert!(answer.len() > 10 && answer.ends_with('.'), "{code}: {question} {answer}");
        }
    }
    let problem = nobody.get("/v1/checkout").await.json();
    let path = problem["type"].as_str().unwrap().strip_prefix(&app.origin).unwrap().to_owned();
    assert!(nobody.get(&path).await.is(200).text.contains("missing_credentials"));
}

#[tokio::test]
async fn a_fault_names_the_value_to_send_where_it_can_be_guessed() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let detail = async |field: &str, value: Value| {
        let body = payment_with(field, Some(&value.to_string()));
        shop.post_text("/v1/charge", &body).await.is(422).json()["errors"][0]["detail"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for (field, value, expected) in [
        ("phoneNumber", json!("+233241234567"), "send 0241234567."),
        ("phoneNumber", json!("12"), "such as 0241234567."),
        ("network", json!("mtn"), "send MTN."),
        ("network", json!("Vodafone"), "send TELECEL."),
        ("network", json!("AT"), "send AIRTELTIGO."),
        ("network", json!("GLO"), "MTN, TELECEL or AIRTELTIGO."),
        ("amount", json!(0.1 + 0.2), "round it before sending"),
    ] {
        let detail = detail(field, value).await;
        assert!(detail.contains(expected), "{detail}");
    }
    let missing = app.actor("").get("/transactions?limit=1").await.is_problem(404, "not_found");
    assert!(
        missing.json()["detail"].as_str().unwrap().ends_with("/v1/transactions"),
        "{missing:?}"
    );
}
