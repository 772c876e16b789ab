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
use std::sync::{Arc, Mutex, PoisonError};
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

/// A server that stores every request.
#[derive(Debug)]
pub struct WebhookReceiver {
    url: String,
    received: Arc<Mutex<Vec<ReceivedWebhook>>>,
}

impl WebhookReceiver {
    /// Starts on a port of its own.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hooks", listener.local_addr()?);
        let received = Arc::default();
        let router = Router::new().fallback(receive).with_state(Arc::clone(&received));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { url, received })
    }

    /// The URL of the endpoint, to register at the service.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// All requests until now.
    pub fn received(&self) -> Vec<ReceivedWebhook> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn receive(
    State(received): State<Arc<Mutex<Vec<ReceivedWebhook>>>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let text = String::from_utf8_lossy(&body).into_owned();
    let Ok(body) = serde_json::from_str(&text) else { return StatusCode::BAD_REQUEST };
    received.lock().unwrap_or_else(PoisonError::into_inner).push(ReceivedWebhook {
        body,
        text,
        headers,
    });
    StatusCode::NO_CONTENT
}
