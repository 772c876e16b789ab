//! An emulator with a manual clock, and a merchant's server that records callbacks.

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode},
};
use reqwest::{Client, RequestBuilder};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::net::TcpListener;
use tua_emulator::{ClockMode, Emulator, Operator, Running, Settings};

/// A callback as it arrived.
#[derive(Clone, Debug)]
pub struct ReceivedCallback {
    pub method: Method,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl ReceivedCallback {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a callback in JSON")
    }
}

/// The merchant's server. It responds with `status`, and records the callbacks that it receives.
#[derive(Clone, Debug)]
pub struct Merchant {
    pub url: String,
    pub received: Arc<Mutex<Vec<ReceivedCallback>>>,
    pub status: Arc<Mutex<StatusCode>>,
}

impl Merchant {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/callbacks", listener.local_addr().unwrap());
        let merchant =
            Self { url, received: Arc::default(), status: Arc::new(Mutex::new(StatusCode::OK)) };
        let app = Router::new().fallback(receive).with_state(merchant.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        merchant
    }

    /// The callbacks, once there are this many. Fails after 5 s.
    pub async fn wait_for_callbacks(&self, count: usize) -> Vec<ReceivedCallback> {
        for _ in 0..500 {
            let received = self.received.lock().unwrap().clone();
            if received.len() >= count {
                return received;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} of {count} callbacks arrived", self.received.lock().unwrap().len());
    }

    /// Sets the HTTP status of the responses to callbacks.
    pub fn respond_with(&self, status: u16) {
        *self.status.lock().unwrap() = StatusCode::from_u16(status).unwrap();
    }
}

async fn receive(
    State(merchant): State<Merchant>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    merchant.received.lock().unwrap().push(ReceivedCallback { method, headers, body });
    *merchant.status.lock().unwrap()
}

/// An emulator and a client of it.
#[derive(Debug)]
pub struct Test {
    pub emulator: Running,
    pub client: Client,
    pub merchant: Merchant,
}

/// A response as it arrived.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub text: String,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

impl Test {
    pub async fn start() -> Self {
        Self::with_settings(|_| {}).await
    }

    /// An emulator with changed settings.
    pub async fn with_settings(change: impl FnOnce(&mut Settings)) -> Self {
        let merchant = Merchant::start().await;
        let mut settings = Settings { clock: ClockMode::Manual, ..Settings::default() };
        for operator in [Operator::PAYSTACK, Operator::PAWAPAY] {
            settings.callback_urls.insert(operator, merchant.url.clone());
        }
        change(&mut settings);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let emulator = Emulator::start(listener, settings).unwrap();
        Self { emulator, client: Client::builder().no_proxy().build().unwrap(), merchant }
    }

    /// Advances the emulator's clock.
    pub fn advance(&self, seconds: u64) {
        self.emulator.clock().advance(Duration::from_secs(seconds));
    }

    pub async fn send(&self, request: RequestBuilder) -> Response {
        let response = request.send().await.expect("a response");
        let status = response.status().as_u16();
        Response { status, text: response.text().await.expect("a body") }
    }
}
