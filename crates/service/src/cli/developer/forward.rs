//! Signs an event as a webhook, and sends it to an address of the developer.

use super::event::Event;
use crate::cli::{environment::variable, fault::Fault};
use jiff::Timestamp;
use reqwest::{Client, redirect::Policy};
use serde::Serialize;
use std::{
    slice,
    time::{Duration, Instant},
};
use tua_domain::{ports::Clock, webhook::endpoint::signing_secret};
use tua_net::innermost_cause;
use tua_system::clock::SystemClock;
use tua_webhooks::{response_beginning, sender::signed_headers};
use url::Url;

/// As long as the service waits for an endpoint (docs/reference/webhooks.md).
const TIMEOUT: Duration = Duration::from_secs(15);

/// The variable with the secret of the shop that is being developed.
pub(super) const SECRET_VARIABLE: &str = "TUA_WEBHOOK_SECRET";

/// Sends events to one address, signed with one secret.
pub(super) struct Forwarder {
    client: Client,
    url: Url,
    /// `whsec_…`, with which the receiver verifies signatures.
    pub(super) secret: String,
}

/// What came of one event that was forwarded.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Forwarded<'a> {
    time: String,
    r#type: &'a str,
    event_id: &'a str,
    /// The HTTP status of the response; null if there was none.
    status: Option<u16>,
    milliseconds: u64,
    /// Why there was no response; null if there was one.
    error: Option<String>,
    /// The beginning of the response's body; null if it was empty, or there was no response.
    response: Option<String>,
}

impl Forwarder {
    /// Sends to this address, with the secret of the environment; `None` if it has none.
    ///
    /// # Errors
    /// One line: the secret is invalid, or the HTTP client cannot be built.
    pub(super) fn from_environment(url: &Url) -> Result<Option<Self>, String> {
        let Some(secret) = variable(SECRET_VARIABLE)? else { return Ok(None) };
        if signed_headers("msg_0", slice::from_ref(&secret), "", Timestamp::UNIX_EPOCH).is_none() {
            return Err(format!("{SECRET_VARIABLE} is not a secret of webhooks (whsec_…)"));
        }
        Self::new(url, secret).map(Some)
    }

    /// Sends to this address, with a new secret.
    ///
    /// # Errors
    /// One line: the HTTP client cannot be built.
    pub(super) fn with_new_secret(url: &Url) -> Result<Self, String> {
        Self::new(url, signing_secret())
    }

    fn new(url: &Url, secret: String) -> Result<Self, String> {
        // As the service itself sends webhooks.
        let client = Client::builder().redirect(Policy::none()).no_proxy().timeout(TIMEOUT);
        let client = client.build().map_err(|error| format!("the HTTP client: {error}"))?;
        Ok(Self { client, url: url.clone(), secret })
    }

    /// Sends an event once.
    ///
    /// # Errors
    /// One line: the event cannot be written as a webhook.
    pub(super) async fn send<'a>(&self, event: &'a Event) -> Result<Forwarded<'a>, Fault> {
        let body = event.body()?;
        let now = SystemClock.now();
        let secrets = slice::from_ref(&self.secret);
        let headers = signed_headers(&event.event_id, secrets, &body, now)
            .ok_or_else(|| "the event cannot be signed".to_owned())?;
        let begin = Instant::now();
        let sent = self.client.post(self.url.clone()).headers(headers).body(body).send().await;
        let milliseconds = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
        let status = sent.as_ref().ok().map(|response| response.status().as_u16());
        let (response, error) = match sent {
            Ok(response) => (response_beginning::read(response).await, None),
            Err(error) => (None, Some(innermost_cause(&error))),
        };
        Ok(Forwarded {
            time: now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            r#type: &event.r#type,
            event_id: &event.event_id,
            status,
            milliseconds,
            error,
            response,
        })
    }
}

impl Forwarded<'_> {
    /// The line that a person reads.
    pub(super) fn line(&self) -> String {
        let Self { time, r#type, event_id, status, milliseconds, error, response } = self;
        let outcome = match (status, error) {
            (Some(status), _) => status.to_string(),
            (None, Some(error)) => format!("not delivered: {error}"),
            (None, None) => "not delivered".to_owned(),
        };
        // What it writes with a success is of no interest here.
        let response = response.as_deref().filter(|_| !self.is_accepted());
        let response = response.map(|text| format!("  {text}")).unwrap_or_default();
        format!("{time}  {type}  {event_id}  {outcome}  {milliseconds} ms{response}")
    }

    /// Whether the receiver accepted it, as the service counts that.
    pub(super) fn is_accepted(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}
