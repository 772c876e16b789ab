//! The document at /openapi.json equals the one in the repository, and describes the service
//! correctly.

use reqwest::{Method, Url};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};
use tua_domain::public_url::PublicUrl;
use tua_test_support::TestApp;

/// `TUA_BLESS=1 cargo test -p tua-test-http openapi` updates the file.
#[tokio::test]
async fn the_document_in_the_repository_equals_the_served_one() {
    let public_url = "https://pay.example".to_owned();
    let app = TestApp::with(
        |config| config.public_url = PublicUrl::parse(&public_url),
        |operators| operators,
    )
    .await;
    let served = app.actor("").get("/openapi.json").await.is(200);
    assert_eq!(served.header("content-type"), "application/json");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let text = format!("{:#}\n", served.json());
    if std::env::var_os("TUA_BLESS").is_some_and(|value| !value.is_empty()) {
        fs::write(&path, text).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(text.lines()).position(|(kept, served)| kept != served);
    assert!(
        kept == text,
        "docs/openapi.json is not what is served, from line {}: look at the change, then run this \
         test with TUA_BLESS=1",
        differs.map_or(kept.lines().count().min(text.lines().count()), |line| line) + 1
    );
}

#[tokio::test]
async fn the_document_is_compressed_as_the_client_prefers() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    let plain = nobody.get("/openapi.json").await.is(200);
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    for (accepted, coding) in [("gzip, br", "br"), ("br;q=0.5, gzip", "gzip")] {
        let headers = [("accept-encoding", accepted)];
        let compressed = nobody.send(Method::GET, "/openapi.json", &headers, None).await.is(200);
        assert_eq!(compressed.header("content-encoding"), coding);
        assert!(
            compressed.text.len() * 3 < plain.text.len(),
            "{coding}: {}",
            compressed.text.len()
        );
    }
}

#[tokio::test]
async fn the_document_contains_the_services_url_and_version() {
    let app = TestApp::start().await;
    let document = app.actor("").get("/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], format!("{}/v1", app.origin));
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

#[tokio::test]
async fn a_documented_path_accepts_exactly_its_documented_methods() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    let document = nobody.get("/openapi.json").await.json();
    for (path, operations) in documented_operations(&document) {
        let path = path.replace("{transactionId}", "x");
        let mut documented: BTreeSet<String> =
            operations.iter().map(|(method, _)| method.to_string()).collect();
        if documented.contains("GET") {
            documented.insert("HEAD".to_owned());
        }
        let refused = nobody
            .send(Method::DELETE, &path, &[], None)
            .await
            .is_problem(405, "method_not_allowed");
        let allowed: BTreeSet<String> =
            refused.header("allow").split(',').map(|one| one.trim().to_owned()).collect();
        assert_eq!(allowed, documented, "{path}");
    }
}

#[tokio::test]
async fn every_route_that_needs_a_credential_documents_it() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    let document = nobody.get("/openapi.json").await.json();
    for (path, operations) in documented_operations(&document) {
        for (method, operation) in operations {
            let open = operation["security"].as_array().is_some_and(Vec::is_empty);
            let answer =
                nobody.send(method, &path.replace("{transactionId}", "x"), &[], None).await;
            assert_eq!(answer.status.is_success(), open, "{path}: {answer:?}");
            assert!(
                documents(&operation, answer.status.as_u16()),
                "{path} answers {}",
                answer.status
            );
        }
    }
}

/// Every path below the service's origin, with its methods and their documentation.
pub(super) fn documented_operations(document: &Value) -> Vec<(String, Vec<(Method, Value)>)> {
    let path_of = |of: &Value| of["servers"][0]["url"].as_str()?.parse::<Url>().ok();
    let of_item = |(path, item): (&String, &Value)| {
        let server = path_of(item).or_else(|| path_of(document)).unwrap();
        let operations = item.as_object().unwrap().iter().filter_map(|(name, operation)| {
            let method = (name != "servers").then(|| name.to_uppercase().parse().unwrap())?;
            Some((method, operation.clone()))
        });
        (format!("{}{path}", server.path().trim_end_matches('/')), operations.collect())
    };
    document["paths"].as_object().unwrap().iter().map(of_item).collect()
}

fn documents(operation: &Value, status: u16) -> bool {
    operation["responses"].get(status.to_string()).is_some()
}
