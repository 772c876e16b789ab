//! The listener for plain HTTP.

use super::{NAME, start};
use reqwest::{Client, Method, StatusCode, redirect::Policy};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tua_net::acme::AcmeSettings;
use tua_test_support::TestApp;

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
    for path in [
        "/",
        "/pay?x=1&y=%20",
        "//evil.example/",
        "/.well-known/other",
        "/v10",
        "/dashboard/sign-in",
    ] {
        let response = client
            .get(format!("{origin}{path}"))
            .header("host", "evil.example")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT, "{path}");
        assert_eq!(response.headers()["location"], format!("https://{NAME}{path}"));
        assert!(
            !response.headers().contains_key("strict-transport-security"),
            "ignored over plain HTTP"
        );
    }
}

#[tokio::test]
async fn requests_that_may_contain_a_credential_are_refused_and_not_redirected() {
    let (_app, client, origin) = start_redirecting().await;
    let request = |method, path: &str| client.request(method, format!("{origin}{path}"));
    let get = |path| request(Method::GET, path);
    let refused = [
        get("/v1/transactions").bearer_auth("sk_test"),
        get("/v1/transactions").header("x-api-key", "tua_live_v2_abc"),
        get("/v1/transactions").header("api-key", "abc"),
        get("/v1"),
        get("//v1/transactions"),
        get("/%76%31/transactions"),
        request(Method::HEAD, "/v1/transactions"),
        request(Method::POST, "/v1/charge").body("{}"),
        request(Method::OPTIONS, "/v1/charge"),
        get("/").header("x-api-key", "abc"),
        get("/pay").header("x-auth-token", "sk_live_abc"),
        get("/pay?key=tua_live_v2_abc"),
        get("/pay?key=tua_live%5Fv2_abc"),
        get("/callbacks/mtn/abc"),
        get("/dashboard/enrol/abc"),
        request(Method::POST, "/dashboard/sign-in").body("email=a&password=b"),
        request(Method::POST, "/pay/abc").body("phone=0241234567"),
    ];
    for request in refused {
        let shown = format!("{request:?}");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{shown}");
        assert!(!response.headers().contains_key("location"), "{shown}");
        let headers = response.headers();
        assert!(headers.contains_key("x-request-id"), "{shown}");
        let is_api = shown.contains("/v1") || shown.contains("%76%31");
        assert_eq!(headers.contains_key("access-control-allow-origin"), is_api, "{shown}");
        let is_problem = headers["content-type"] == "application/problem+json";
        assert_eq!(is_problem, is_api, "{shown}");
        if shown.contains("HEAD") {
            continue;
        }
        let text = response.text().await.unwrap();
        assert!(text.contains("revoke the key"), "{shown}");
        // Whether there was a live key in it is not known here.
        let title = r#""title":"The request must be sent over HTTPS""#;
        assert_eq!(text.contains(title), is_api, "{shown}: {text}");
    }
}

#[tokio::test]
async fn an_unknown_validation_is_not_found() {
    let (_app, client, origin) = start_redirecting().await;
    for token in ["unknown", "..%2Fcertificate", "%00", &"x".repeat(300)] {
        let url = format!("{origin}/.well-known/acme-challenge/{token}");
        assert_eq!(
            client.get(url).send().await.unwrap().status(),
            StatusCode::NOT_FOUND,
            "{token}"
        );
    }
}

#[tokio::test]
async fn a_path_that_leads_below_v1_is_refused_however_it_is_written() {
    let (app, ..) = start_redirecting().await;
    let address = app.running().http_addr().unwrap();
    for (path, status) in [
        ("/x/../v1/charge", 403),
        ("/%2e%2e/v1/x", 403),
        ("/x/.%2E/v1/x", 403),
        ("/x%2f..%2fv1/x", 403),
        ("/dashboard/x/../enrol/abc", 403),
        ("/x/../pay", 308),
    ] {
        // Clients of HTTP resolve such a path before they send it.
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {response}");
    }
}
