//! A companion, the shop that uses it, and a payment service with scripted responses.

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

/// A payment service with the same response to every request.
#[derive(Default)]
pub struct ScriptedService {
    /// The headers and bodies of the requests so far.
    pub requests: Mutex<Vec<(HeaderMap, String)>>,
    /// The origin of the payment service.
    pub origin: Mutex<String>,
    /// The status and the body of every response; the body of a redirection is its location.
    /// `None`: the service never responds.
    pub response: Mutex<Option<(StatusCode, String)>>,
}

pub async fn respond(
    State(service): State<Arc<ScriptedService>>,
    headers: HeaderMap,
    body: String,
) -> Response {
    service.requests.lock().await.push((headers, body));
    let response = service.response.lock().await.clone();
    match response {
        Some((status, body)) if status.is_redirection() => {
            (status, [(header::LOCATION, body)], "elsewhere").into_response()
        }
        Some(response) => response.into_response(),
        None => std::future::pending().await,
    }
}

/// Serves an app on a free port. Returns its address.
pub async fn listen(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

/// The companion of a shop, with its payment service and a client.
pub struct Shop {
    pub client: Client,
    pub url: String,
    pub service: Arc<ScriptedService>,
}

/// A response of the companion.
pub struct CompanionResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl CompanionResponse {
    /// Reads a response. Asserts that it does not contain the key, and that a refusal is a problem
    /// document.
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
    /// A shop whose payment service does not respond yet. `timeout`: that of the companion.
    pub async fn start(timeout: Duration) -> Self {
        let service = Arc::new(ScriptedService::default());
        let upstream = listen(Router::new().fallback(respond).with_state(service.clone())).await;
        *service.origin.lock().await = format!("http://{upstream}");
        Self::start_with_service(&format!("http://{upstream}/v1"), service, timeout).await
    }

    /// As [`Self::start`], with a payment service that is already running.
    pub async fn start_with_service(
        base_url: &str,
        service: Arc<ScriptedService>,
        timeout: Duration,
    ) -> Self {
        let catalogue = Catalogue::parse(CATALOGUE).expect("a good catalogue");
        let config = Config::new(base_url, KEY.into(), catalogue, &[SHOP.to_owned()], timeout)
            .expect("a good config");
        let url = format!("http://{}/checkout", listen(router(config)).await);
        Self { client: Client::builder().no_proxy().build().expect("a client"), url, service }
    }

    /// Sets the response of the payment service.
    pub async fn respond_with(self, status: u16, body: &str) -> Self {
        *self.service.response.lock().await =
            Some((StatusCode::from_u16(status).expect("a status"), body.to_owned()));
        self
    }

    pub fn post(&self, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
        self.client.post(&self.url).header(header::CONTENT_TYPE, "application/json").body(body)
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> CompanionResponse {
        CompanionResponse::read(request.send().await.expect("a response")).await
    }

    /// A shop whose companion limits addresses and connections.
    pub async fn start_with_limits(
        client_ip: ClientIpSource,
        sessions: u32,
        limits: ConnectionLimits,
    ) -> Self {
        let service = Arc::new(ScriptedService::default());
        let upstream = listen(Router::new().fallback(respond).with_state(service.clone())).await;
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
            .with_limits(client_ip, NonZeroU32::new(sessions).expect("a number"));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/checkout", listener.local_addr().expect("an address"));
        tokio::spawn(serve(listener, router(config), limits, std::future::pending()));
        Self { client: Client::builder().no_proxy().build().expect("a client"), url, service }
            .respond_with(201, SESSION)
            .await
    }

    /// The same shop for a client with this address.
    pub fn with_client_address(&self, address: [u8; 4]) -> Self {
        let client = Client::builder()
            .no_proxy()
            .local_address(IpAddr::from(address))
            .build()
            .expect("a client");
        Self { client, url: self.url.clone(), service: self.service.clone() }
    }

    /// Posts a cart with this `X-Forwarded-For`. Returns the status of the response.
    pub async fn post_cart_forwarded_for(&self, forwarded_for: &str) -> u16 {
        self.send(self.post(CART).header("x-forwarded-for", forwarded_for)).await.status
    }
}

/// A shop whose payment service opens a session.
pub async fn shop() -> Shop {
    Shop::start(Config::TIMEOUT).await.respond_with(201, SESSION).await
}
