//! A callback, and what sends it over HTTP.

use crate::{
    chaos::Fault,
    operator::Operator,
    order::{Order, OrderId},
};
use axum::http::Method;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// How long a request to the merchant waits for a response.
pub(crate) const CALLBACK_TIMEOUT: Duration = Duration::from_secs(10);

/// A callback, before it is signed.
#[derive(Clone, Debug)]
pub(crate) struct Callback {
    pub(crate) order: OrderId,
    pub(crate) operator: Operator,
    pub(crate) method: Method,
    pub(crate) url: String,
    pub(crate) body: Value,
    /// Whether its signature must be wrong, where the operator signs.
    pub(crate) is_forged: bool,
    /// A fault of the body's text: HTML in place of JSON, or half of it.
    pub(crate) text_fault: Option<Fault>,
}

impl Callback {
    /// A callback about an order.
    pub(crate) const fn new(order: &Order, method: Method, url: String, body: Value) -> Self {
        Self {
            order: order.id,
            operator: order.new.operator,
            method,
            url,
            body,
            is_forged: false,
            text_fault: None,
        }
    }

    /// The body as it is sent.
    pub(crate) fn text(&self) -> String {
        let text = self.body.to_string();
        match self.text_fault {
            Some(Fault::Html) => "<html><body>Service notice</body></html>".to_owned(),
            Some(Fault::HalfJson) => text.chars().take(text.chars().count() / 2).collect(),
            _ => text,
        }
    }
}

/// The HTTP client of callbacks, and those that wait for the next one.
#[derive(Debug)]
pub(crate) struct CallbackSender {
    client: reqwest::Client,
    held: Mutex<HashMap<Operator, Callback>>,
}

impl CallbackSender {
    pub(crate) fn new() -> Result<Self, reqwest::Error> {
        // Callbacks go to the address as given, without the environment's proxies.
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { client, held: Mutex::default() })
    }

    /// The client, also for requests that are not callbacks but have their rules.
    pub(crate) fn client(&self) -> &reqwest::Client {
        &self.client
    }

    /// Removes the operator's callback that waits for the next one; `None` if none waits.
    pub(crate) fn take_held(&self, operator: Operator) -> Option<Callback> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).remove(&operator)
    }

    /// Keeps a callback until the operator's next one.
    pub(crate) fn hold(&self, callback: Callback) {
        self.held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(callback.operator, callback);
    }
}
