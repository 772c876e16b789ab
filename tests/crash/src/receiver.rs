//! The merchant's webhook endpoint, which is never killed.

use anyhow::Result;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use serde_json::Value;
use standardwebhooks::Webhook;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
use tokio::net::TcpListener;

/// One request that arrived.
#[derive(Clone, Debug)]
pub struct ReceivedWebhook {
    /// The event, parsed from the JSON of the request.
    pub body: Value,
    text: String,
    headers: HeaderMap,
}

impl ReceivedWebhook {
    /// Whether this secret signed it.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        Webhook::new(secret)
            .is_ok_and(|hook| hook.verify(self.text.as_bytes(), &self.headers).is_ok())
    }
}

/// A server that stores every request that it accepts.
#[derive(Debug)]
pub struct WebhookReceiver {
    url: String,
    endpoint: Arc<Endpoint>,
}

#[derive(Debug, Default)]
struct Endpoint {
    received: Mutex<Vec<ReceivedWebhook>>,
    is_refusing: AtomicBool,
    refused: AtomicUsize,
}

impl WebhookReceiver {
    /// Starts on a port of its own.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hooks", listener.local_addr()?);
        let endpoint = Arc::<Endpoint>::default();
        let router = Router::new().fallback(receive).with_state(endpoint.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { url, endpoint })
    }

    /// The URL of the endpoint, to register at the service.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// All accepted requests until now.
    pub fn received(&self) -> Vec<ReceivedWebhook> {
        self.endpoint.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Responds with 500 from now on, until [`Self::accept`].
    pub fn refuse(&self) {
        self.endpoint.is_refusing.store(true, Ordering::Relaxed);
    }

    /// Responds with 200 from now on, until [`Self::refuse`].
    pub fn accept(&self) {
        self.endpoint.is_refusing.store(false, Ordering::Relaxed);
    }

    /// How many requests were refused.
    pub fn refused(&self) -> usize {
        self.endpoint.refused.load(Ordering::Relaxed)
    }
}

async fn receive(
    State(endpoint): State<Arc<Endpoint>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    if endpoint.is_refusing.load(Ordering::Relaxed) {
        endpoint.refused.fetch_add(1, Ordering::Relaxed);
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let text = String::from_utf8_lossy(&body).into_owned();
    let Ok(body) = serde_json::from_str(&text) else { return StatusCode::BAD_REQUEST };
    let received = ReceivedWebhook { body, text, headers };
    endpoint.received.lock().unwrap_or_else(PoisonError::into_inner).push(received);
    StatusCode::NO_CONTENT
}
