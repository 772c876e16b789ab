//! A companion, the shop that uses it, and a payment service that answers by script.

use std::{
    net::{IpAddr, SocketAddr},
    num::NonZeroU32,
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use axum_client_ip::ClientIpSource;
use reqwest::Client;
use tokio::{net::TcpListener, sync::Mutex};
use tua_companion::{
    Config,
    catalogue::Catalogue,
    router,
    server::{ConnectionLimits, serve},
};

pub const KEY: &str = "tua_test_v2_hush0123456789abcdef";
pub const SHOP: &str = "https://shop.example";
pub const CATALOGUE: &str = "[items.cocoa]\nname = 'Cocoa \"dark\"'\nprice = '0.29'\n\
    [items.kente]\nname = 'Kente'\nprice = '1234567.80'\n\
    [donation]\nname = 'Library'\nmin = '1'\nmax = '500'";
pub const CART: &str = r#"{"items":[{"sku":"cocoa","quantity":3}],"email":"ama@example.com"}"#;
pub const SESSION: &str = concat!(
    r#"{"checkoutToken":"tua_checkout_abc-_1","#,
    r#""url":"http://127.0.0.1/pay?key=tua_checkout_abc-_1","#,
    r#""expiresAt":"2026-11-21T10:30:00Z","#,
    r#""checkoutId":"chk_1","reference":"shop-1","extra":"for servers only"}"#
);

/// What the payment service was asked, and what it answers.
#[derive(Default)]
pub struct Script {
    pub asked: Mutex<Vec<(HeaderMap, String)>>,
    /// The origin of the payment service.
    pub origin: Mutex<String>,
    pub answer: Mutex<Option<(StatusCode, String)>>,
}

pub async fn play(State(script): State<Arc<Script>>, headers: HeaderMap, body: String) -> Response {
    script.asked.lock().await.push((headers, body));
    let answer = script.answer.lock().await.clone();
    match answer {
        Some((status, body)) if status.is_redirection() => {
            (status, [(header::LOCATION, body)], "elsewhere").into_response()
        }
        Some(answer) => answer.into_response(),
        None => std::future::pending().await,
    }
}

pub async fn listen(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

pub struct Shop {
    pub client: Client,
    pub url: String,
    pub script: Arc<Script>,
}

pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    /// Whatever was asked: the key is nowhere in the answer, and a refusal is a problem document.
    pub async fn read(response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.text().await.expect("a body");
        assert!(
            !body.contains(KEY) && !format!("{headers:?}").contains(KEY),
            "the key got out: {body}"
        );
        if status >= 400 {
            assert_eq!(headers["content-type"], "application/problem+json", "{body}");
            let problem: serde_json::Value =
                serde_json::from_str(&body).expect("a problem document");
            assert_eq!(problem["status"], status);
            for member in ["type", "title", "detail", "code"] {
                assert!(problem[member].is_string(), "{member} in {body}");
            }
        }
        Self { status, headers, body }
    }

    pub fn code(&self) -> String {
        let problem: serde_json::Value =
            serde_json::from_str(&self.body).expect("a problem document");
        problem["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Shop {
    pub async fn open(timeout: Duration) -> Self {
        let script = Arc::new(Script::default());
        let upstream = listen(Router::new().fallback(play).with_state(script.clone())).await;
        *script.origin.lock().await = format!("http://{upstream}");
        Self::at(&format!("http://{upstream}/v1"), script, timeout).await
    }

    pub async fn at(base_url: &str, script: Arc<Script>, timeout: Duration) -> Self {
        let catalogue = Catalogue::parse(CATALOGUE).expect("a good catalogue");
        let config = Config::new(base_url, KEY.into(), catalogue, &[SHOP.to_owned()], timeout)
            .expect("a good config");
        let url = format!("http://{}/checkout", listen(router(config)).await);
        Self { client: Client::builder().no_proxy().build().expect("a client"), url, script }
    }

    pub async fn answers(self, status: u16, body: &str) -> Self {
        *self.script.answer.lock().await =
            Some((StatusCode::from_u16(status).expect("a status"), body.to_owned()));
        self
    }

    pub fn post(&self, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
        self.client.post(&self.url).header(header::CONTENT_TYPE, "application/json").body(body)
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        Answer::read(request.send().await.expect("an answer")).await
    }
}

impl Shop {
    /// A shop that limits addresses and connections.
    pub async fn limited(
        client_ip: ClientIpSource,
        sessions: u32,
        limits: ConnectionLimits,
    ) -> Self {
        let script = Arc::new(Script::default());
        let upstream = listen(Router::new().fallback(play).with_state(script.clone())).await;
        let catalogue = Catalogue::parse(CATALOGUE).expect("a good catalogue");
        let config = Config::new(
            &format!("http://{upstream}/v1"),
            KEY.into(),
            catalogue,
            &[],
            Config::TIMEOUT,
        );
        let config = config
            .expect("a good config")
            .limited(client_ip, NonZeroU32::new(sessions).expect("a number"));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/checkout", listener.local_addr().expect("an address"));
        tokio::spawn(serve(listener, router(config), limits, std::future::pending()));
        Self { client: Client::builder().no_proxy().build().expect("a client"), url, script }
            .answers(201, SESSION)
            .await
    }

    /// The same shop for a client with this address.
    pub fn with_client_address(&self, address: [u8; 4]) -> Self {
        let client = Client::builder()
            .no_proxy()
            .local_address(IpAddr::from(address))
            .build()
            .expect("a client");
        Self { client, url: self.url.clone(), script: self.script.clone() }
    }

    pub async fn status(&self, forwarded_for: &str) -> u16 {
        self.send(self.post(CART).header("x-forwarded-for", forwarded_for)).await.status
    }
}

pub async fn shop() -> Shop {
    Shop::open(Config::TIMEOUT).await.answers(201, SESSION).await
}
