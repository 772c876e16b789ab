//! A merchant's server: hears webhooks, checks their signatures, answers as a test tells it.

use crate::support::{ApiClient, TestApp, eventually};
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
    convert::Infallible,
    sync::{Arc, Mutex},
};
use tokio::{net::TcpListener, task::JoinHandle};
use tua_service::domain::{EndpointId, Mode, Scope, webhook::Endpoint};

/// How it answers.
#[derive(Clone, Debug)]
pub enum Manner {
    Status(u16),
    Redirect(String),
    /// The head of an answer, and a body without end.
    Endless,
    Never,
}

/// What it heard, in one request.
#[derive(Clone, Debug)]
pub struct Heard {
    pub headers: HeaderMap,
    pub text: String,
}

#[derive(Debug)]
struct Inner {
    manner: Mutex<Manner>,
    heard: Mutex<Vec<Heard>>,
}

/// A server on a port of its own, until it is dropped.
#[derive(Debug)]
pub struct WebhookReceiver {
    pub url: String,
    inner: Arc<Inner>,
    server: JoinHandle<()>,
}

impl WebhookReceiver {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let inner = Arc::new(Inner { manner: Mutex::new(Manner::Status(204)), heard: Mutex::default() });
        let router = Router::new().fallback(hear).with_state(inner.clone());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, inner, server }
    }

    pub fn answers(&self, manner: Manner) {
        *self.inner.manner.lock().unwrap() = manner;
    }

    pub fn heard(&self) -> Vec<Heard> {
        self.inner.heard.lock().unwrap().clone()
    }

    /// The types of what it heard, in order.
    pub fn types(&self) -> Vec<String> {
        self.heard().iter().map(|heard| heard.json()["type"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns what it heard once it is so much.
    pub async fn has_heard(&self, many: usize) -> Vec<Heard> {
        eventually("webhooks are heard", async || self.heard().len() >= many).await;
        self.heard()
    }
}

impl Drop for WebhookReceiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Heard {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// Whether this secret signed it, by the specification's own library.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        Webhook::new(secret).unwrap().verify(self.text.as_bytes(), &self.headers).is_ok()
    }
}

async fn hear(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: Bytes) -> Response {
    inner.heard.lock().unwrap().push(Heard { headers, text: String::from_utf8(body.to_vec()).unwrap() });
    let manner = inner.manner.lock().unwrap().clone();
    match manner {
        Manner::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Manner::Redirect(to) => (StatusCode::FOUND, [(LOCATION, to)]).into_response(),
        Manner::Endless => Body::from_stream(Endless).into_response(),
        Manner::Never => std::future::pending().await,
    }
}

/// Sixty-four kilobytes, again and again.
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

/// A merchant with a test key and endpoints.
pub struct Subscriber {
    pub shop: ApiClient,
    pub scope: Scope,
}

impl Subscriber {
    pub async fn new(app: &TestApp) -> Self {
        let account = app.account("Adom Stores").await;
        let shop = app.key(&account, Mode::Test, tua_service::domain::Generation::V2).await;
        Self { shop, scope: Scope { account, mode: Mode::Test } }
    }

    /// One more endpoint: its id and its secret.
    pub async fn subscribes(&self, app: &TestApp, url: &str) -> (EndpointId, String) {
        let app = &app.running().app;
        let url = url::Url::parse(url).unwrap();
        let (endpoint, secret) = Endpoint::new(self.scope.clone(), &url, &app.server_key, app.clock.now());
        app.store.add_endpoint(endpoint.clone()).await.unwrap();
        (endpoint.id, secret)
    }
}
