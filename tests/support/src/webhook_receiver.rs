//! A merchant's server: receives webhooks, checks their signatures, and responds as configured.

use crate::{ApiClient, TestApp, eventually};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use standardwebhooks::Webhook;
use std::{
    collections::HashSet,
    convert::Infallible,
    sync::{Arc, Mutex},
};
use tokio::{net::TcpListener, task::JoinHandle};
use tua_domain::{EndpointId, Mode, Scope, webhook::Endpoint};

/// The response to every webhook that arrives.
#[derive(Clone, Debug)]
pub enum ResponseMode {
    /// This status, and no body.
    Status(u16),
    /// This status, with this text.
    Text(u16, &'static str),
    /// 302 with this `Location`.
    Redirect(String),
    /// Response headers and an endless body.
    Endless,
    /// This status, and a body of which nothing arrives.
    WithoutBody(u16),
    /// The receiver never responds.
    Never,
}

/// A webhook as it arrived; `text` is the signed body.
#[derive(Clone, Debug)]
pub struct ReceivedWebhook {
    /// All headers, with those of the signature.
    pub headers: HeaderMap,
    /// The body of the request, which is signed.
    pub text: String,
}

#[derive(Debug)]
struct Inner {
    mode: Mutex<ResponseMode>,
    received: Mutex<Vec<ReceivedWebhook>>,
}

/// A server on a port of its own, until it is dropped.
#[derive(Debug)]
pub struct WebhookReceiver {
    /// The URL of the endpoint.
    pub url: String,
    inner: Arc<Inner>,
    server: JoinHandle<()>,
}

impl WebhookReceiver {
    /// Starts a server that responds with 204.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let inner = Arc::new(Inner {
            mode: Mutex::new(ResponseMode::Status(204)),
            received: Mutex::default(),
        });
        let router = Router::new().fallback(receive).with_state(inner.clone());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, inner, server }
    }

    /// Changes the response to later webhooks.
    pub fn respond_with(&self, mode: ResponseMode) {
        *self.inner.mode.lock().unwrap() = mode;
    }

    /// The webhooks in the order of their arrival.
    pub fn received(&self) -> Vec<ReceivedWebhook> {
        self.inner.received.lock().unwrap().clone()
    }

    /// The types of the received events, in order.
    pub fn types(&self) -> Vec<String> {
        self.received()
            .iter()
            .map(|heard| heard.json()["type"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The types of the received events, in order. A delivery that was repeated counts once.
    pub fn types_of_events(&self) -> Vec<String> {
        let mut ids = HashSet::new();
        let received = self.received();
        let events = received.iter().filter(|heard| ids.insert(heard.header("webhook-id")));
        events.map(|heard| heard.json()["type"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits until it has received this number of webhooks, and returns them.
    pub async fn wait_for_webhooks(&self, count: usize) -> Vec<ReceivedWebhook> {
        eventually("webhooks are received", async || self.received().len() >= count).await;
        self.received()
    }
}

impl Drop for WebhookReceiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl ReceivedWebhook {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// The value of a header, which must exist.
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// Whether this secret signed it, according to the Standard Webhooks library.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        Webhook::new(secret).unwrap().verify(self.text.as_bytes(), &self.headers).is_ok()
    }
}

async fn receive(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: Bytes) -> Response {
    inner
        .received
        .lock()
        .unwrap()
        .push(ReceivedWebhook { headers, text: String::from_utf8(body.to_vec()).unwrap() });
    let mode = inner.mode.lock().unwrap().clone();
    match mode {
        ResponseMode::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        ResponseMode::Text(status, text) => {
            (StatusCode::from_u16(status).unwrap(), text).into_response()
        }
        ResponseMode::Redirect(to) => (StatusCode::FOUND, [(LOCATION, to)]).into_response(),
        ResponseMode::Endless => Body::from_stream(Endless).into_response(),
        ResponseMode::WithoutBody(status) => {
            (StatusCode::from_u16(status).unwrap(), Body::from_stream(Stalled)).into_response()
        }
        ResponseMode::Never => std::future::pending().await,
    }
}

/// Chunks of 64 KiB without end.
struct Endless;

impl futures_core::Stream for Endless {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(Some(Ok(Bytes::from_static(&[b'x'; 64 << 10]))))
    }
}

/// No chunk, and no end.
struct Stalled;

impl futures_core::Stream for Stalled {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Pending
    }
}

/// A merchant with a test key and endpoints.
#[derive(Debug)]
pub struct Subscriber {
    /// A client with the v2 test key.
    pub shop: ApiClient,
    /// The account in test mode.
    pub scope: Scope,
}

impl Subscriber {
    /// Creates the account and its key.
    pub async fn new(app: &TestApp) -> Self {
        let account = app.account("Adom Stores").await;
        let shop = app.key(&account, Mode::Test, tua_domain::Generation::V2).await;
        Self { shop, scope: Scope { account, mode: Mode::Test } }
    }

    /// Adds an endpoint; returns its id and its secret.
    pub async fn add_endpoint(&self, app: &TestApp, url: &str) -> (EndpointId, String) {
        let running = app.running();
        let url = url::Url::parse(url).unwrap();
        let (endpoint, secret) = Endpoint::new(
            self.scope.clone(),
            &url,
            &running.idempotency.keys.current(),
            running.clock.now(),
        );
        running.store.add_endpoint(endpoint.clone(), &app.audit()).await.unwrap();
        (endpoint.id, secret)
    }
}
