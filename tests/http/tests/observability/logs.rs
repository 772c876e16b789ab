//! The log: every line is valid JSON, links requests with transactions, and contains no personal
//! data.

use reqwest::Method;
use serde_json::{Value, json};
use std::{
    fs::File,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
};
use tua_test_support::binary::{self, RunningService, account, refused, tua};

fn serve(folder: &Path, log: &'static str, format: &'static str) -> RunningService {
    RunningService::start(folder, |command| {
        command.env("TUA_LOG", log).env("TUA_LOG_FORMAT", format).env("TUA_SANDBOX_SPEED", "100");
    })
}

/// Every line, parsed as JSON.
fn lines(serving: &RunningService) -> Vec<Value> {
    let read =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    serving.log().lines().map(read).collect()
}

fn request_id(line: &Value) -> &str {
    line["span"]["id"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn every_log_line_is_json_with_transaction_and_request_id() {
    let folder = tempfile::tempdir().unwrap();
    let serving = serve(folder.path(), "debug", "json");
    let (.., key) = account(folder.path());
    let shop = serving.actor(&key);
    let telecel = json!({ "amount": 1, "phoneNumber": "0209876001", "network": "TELECEL" });
    let mtn = json!({ "amount": 1, "phoneNumber": "0249876006", "network": "MTN" });
    let mut begun = Vec::new();
    for (body, sent) in [(&telecel, "first-request"), (&mtn, "second-request")] {
        let headers = [("x-request-id", sent), ("idempotency-key", sent)];
        let id = shop
            .send(Method::POST, "/v1/charge", &headers, Some(&body.to_string()))
            .await
            .is(202)
            .id();
        assert_moved_by(&serving, &id, sent);
        begun.push(id);
    }
    // A code is submitted in a task of its own; the fifth wrong one fails the transaction.
    let code = json!({ "transactionId": begun[0], "otp": "000000" }).to_string();
    for _ in 0..5 {
        shop.send(Method::POST, "/v1/submit-otp", &[("x-request-id", "a-code")], Some(&code))
            .await
            .is(200);
    }
    assert_moved_by(&serving, &begun[0], "a-code");
    let answered =
        lines(&serving).into_iter().filter(|line| line["fields"]["message"] == "answered");
    let answered: Vec<Value> = answered.collect();
    assert!(
        answered.len() == 7 && answered.iter().all(|line| !request_id(line).is_empty()),
        "{answered:?}"
    );
}

/// Asserts that the log links this transaction's change with this request.
#[track_caller]
fn assert_moved_by(serving: &RunningService, transaction: &str, request: &str) {
    let lines = lines(serving);
    let moved = lines.iter().filter(|line| line["fields"]["message"] == "transaction moved");
    let mut moved = moved.filter(|line| line["fields"]["transaction"] == transaction);
    assert!(moved.any(|line| request_id(line) == request), "{transaction} by {request}: {lines:?}");
}

#[tokio::test]
async fn a_warning_has_its_request_id_at_log_level_warn() {
    let folder = tempfile::tempdir().unwrap();
    let serving = serve(folder.path(), "warn", "json");
    let (id, ..) = account(folder.path());
    let create = ["key", "create", "--account", &id, "--mode", "live", "--generation", "v2"];
    let live = binary::json(folder.path(), &create)["key"].as_str().unwrap().to_owned();
    let headers = [("origin", "https://shop.example"), ("x-request-id", "from-a-page")];
    serving.actor(&live).send(Method::GET, "/v1/status/x", &headers, None).await.is(403);
    let lines = lines(&serving);
    let leaked = lines.iter().find(|line| line["fields"]["key"].is_string());
    assert_eq!(leaked.map(request_id), Some("from-a-page"), "{lines:?}");
}

#[tokio::test]
async fn a_request_is_logged_with_the_code_of_its_error_and_the_id_of_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let serving = serve(folder.path(), "info", "json");
    let (id, ..) = account(folder.path());
    let create = |mode| {
        let create = ["key", "create", "--account", &id, "--mode", mode, "--generation", "v2"];
        let created = binary::json(folder.path(), &create);
        ["key", "keyId"].map(|name| created[name].as_str().unwrap().to_owned())
    };
    let keys = ["test", "live"].map(create);
    for [secret, _] in &keys {
        let shop = serving.actor(secret);
        for path in ["/v1/transactions", "/v1/status/txn_nothing", "/v1/checkout"] {
            let headers = [("x-request-id", path.rsplit('/').next().unwrap())];
            shop.send(Method::GET, path, &headers, None).await;
        }
    }
    serving.actor("tua_live_v2_unknown").get("/v1/transactions").await.is(401);
    let lines = lines(&serving);
    let answered = lines.iter().filter(|line| line["fields"]["message"] == "answered");
    let logged: Vec<_> = answered
        .map(|line| (line["fields"]["code"].as_str(), line["fields"]["key"].as_str()))
        .collect();
    let of_key = |[_, id]: &[String; 2]| {
        [None, Some("transaction_not_found"), Some("credential_not_allowed")]
            .map(|code| (code, Some(id.clone())))
    };
    let expected: Vec<_> =
        keys.iter().flat_map(of_key).chain([(Some("invalid_credentials"), None)]).collect();
    let expected: Vec<_> = expected.iter().map(|(code, key)| (*code, key.as_deref())).collect();
    assert_eq!(logged, expected);
    let log = serving.log();
    assert!(keys.iter().all(|[secret, _]| !log.contains(secret)), "{log}");
}

#[tokio::test]
async fn a_test_key_in_a_browser_is_warned_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let serving = serve(folder.path(), "warn", "json");
    let (id, ..) = account(folder.path());
    let create = ["key", "create", "--account", &id, "--mode", "test", "--generation", "v2"];
    let created = binary::json(folder.path(), &create);
    let [secret, key] = ["key", "keyId"].map(|name| created[name].as_str().unwrap().to_owned());
    let shop = serving.actor(&secret);
    shop.get("/v1/transactions").await.is(200);
    assert!(!serving.log().contains("from a browser"));
    for headers in
        [[("origin", "https://shop.example")], [("origin", "null")], [("sec-fetch-site", "none")]]
    {
        shop.send(Method::GET, "/v1/transactions", &headers, None).await.is(200);
    }
    let lines = lines(&serving);
    let is_warning =
        |line: &&Value| line["fields"]["message"].as_str().unwrap().contains("from a browser");
    let warnings: Vec<_> = lines.iter().filter(is_warning).collect();
    assert_eq!(warnings.len(), 1, "{lines:?}");
    assert_eq!(
        (&warnings[0]["level"], &warnings[0]["fields"]["key"]),
        (&json!("WARN"), &json!(key))
    );
    assert!(!serving.log().contains(&secret), "{lines:?}");
}

#[tokio::test]
async fn https_spoken_to_a_port_for_http_is_logged_once_and_answered() {
    let folder = tempfile::tempdir().unwrap();
    let serving = serve(folder.path(), "warn", "json");
    let address = serving.origin.strip_prefix("http://").unwrap();
    for _ in 0..3 {
        let mut connection = TcpStream::connect(address).unwrap();
        // The beginning of a ClientHello, with more bytes than a request head may have.
        connection.write_all(&[&[22, 3, 1, 2, 0, 1][..], &[0; 20_000]].concat()).unwrap();
        let mut read = String::new();
        connection.read_to_string(&mut read).unwrap();
        assert!(read.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{read}");
        assert!(read.contains("Use an address that begins with http://"), "{read}");
    }
    let https = serving.origin.replace("http://", "https://");
    let error = reqwest::get(format!("{https}/healthz")).await.unwrap_err();
    assert!(error.is_connect(), "{error:?}");
    serving.actor("").get("/healthz").await.is(200);
    let log = serving.log();
    assert_eq!(log.matches("an https:// address was used").count(), 1, "{log}");
}

#[test]
fn an_invalid_log_filter_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    for (name, value) in [
        ("TUA_LOG", "inof"),
        ("TUA_LOG", "tua_service=loud"),
        ("TUA_LOG_FORMAT", "jsn"),
        ("TUA_LOG_FORMAT", "JSON"),
    ] {
        let said =
            refused(tua(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]).env(name, value));
        assert!(said.contains(name) && said.contains(value), "{said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a transaction was created");
    // An empty value is the same as no value.
    let silent = File::create(folder.path().join("log")).unwrap();
    let mut command = tua(folder.path());
    command
        .args(["account", "create", "--name", "A"])
        .env("TUA_LOG", "")
        .env("TUA_LOG_FORMAT", "")
        .stderr(silent);
    assert!(command.output().unwrap().status.success());
}
