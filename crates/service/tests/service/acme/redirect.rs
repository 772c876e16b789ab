//! The listener for plain HTTP.

use super::{NAME, start};
use crate::support::TestApp;
use reqwest::{Client, Method, StatusCode, redirect::Policy};
use tua_service::acme::AcmeSettings;

async fn start_redirecting() -> (TestApp, Client, String) {
    let app = start(|config| {
        let mut settings = AcmeSettings::new(NAME).unwrap();
        // Nothing listens there.
        settings.directory = "https://127.0.0.1:9/dir".to_owned();
        config.acme = Some(settings);
        config.http_listen = Some("127.0.0.1:0".to_owned());
    })
    .await;
    let origin = format!("http://{}", app.running().http_addr().unwrap());
    (app, Client::builder().redirect(Policy::none()).build().unwrap(), origin)
}

#[tokio::test]
async fn pages_are_redirected_to_the_public_url_and_to_nowhere_else() {
    let (_app, client, origin) = start_redirecting().await;
    for path in ["/", "/pay?x=1&y=%20", "//evil.example/", "/.well-known/other"] {
        let response = client.get(format!("{origin}{path}")).header("host", "evil.example").send().await.unwrap();
        assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT, "{path}");
        assert_eq!(response.headers()["location"], format!("https://{NAME}{path}"));
        assert!(!response.headers().contains_key("strict-transport-security"), "ignored over plain HTTP");
    }
}

#[tokio::test]
async fn requests_that_may_contain_a_credential_are_refused_and_not_redirected() {
    let (_app, client, origin) = start_redirecting().await;
    let with_key = client.get(format!("{origin}/v1/transactions")).bearer_auth("sk_test").send().await.unwrap();
    let payment = client.request(Method::POST, format!("{origin}/v1/charge")).body("{}").send().await.unwrap();
    for response in [with_key, payment] {
        assert_eq!(response.status(), StatusCode::FORBIDDEN);
        assert!(!response.headers().contains_key("location"));
        assert!(response.text().await.unwrap().contains("revoke the key"));
    }
}

#[tokio::test]
async fn an_unknown_validation_is_not_found() {
    let (_app, client, origin) = start_redirecting().await;
    for token in ["unknown", "..%2Fcertificate", "%00", &"x".repeat(300)] {
        let url = format!("{origin}/.well-known/acme-challenge/{token}");
        assert_eq!(client.get(url).send().await.unwrap().status(), StatusCode::NOT_FOUND, "{token}");
    }
}
