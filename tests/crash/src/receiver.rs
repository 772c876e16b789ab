//! The merchant's endpoint, which outlives every crash.

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
pub struct Heard {
    /// What it tells of.
    pub body: Value,
    text: String,
    headers: HeaderMap,
}

impl Heard {
    /// Whether this secret signed it.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        Webhook::new(secret).is_ok_and(|hook| hook.verify(self.text.as_bytes(), &self.headers).is_ok())
    }
}

/// A server that takes everything and keeps it.
#[derive(Debug)]
pub struct Receiver {
    url: String,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Receiver {
    /// Starts on a port of its own.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hooks", listener.local_addr()?);
        let heard = Arc::default();
        let router = Router::new().fallback(hear).with_state(Arc::clone(&heard));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { url, heard })
    }

    /// Where it listens.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What has arrived until now.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn hear(State(heard): State<Arc<Mutex<Vec<Heard>>>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let text = String::from_utf8_lossy(&body).into_owned();
    let Ok(body) = serde_json::from_str(&text) else { return StatusCode::BAD_REQUEST };
    heard.lock().unwrap_or_else(PoisonError::into_inner).push(Heard { body, text, headers });
    StatusCode::NO_CONTENT
}
