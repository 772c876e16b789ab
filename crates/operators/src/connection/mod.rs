//! The HTTP connection to one operator: one client with time limits, a rate limit for reads, and a
//! record of every exchange.

mod call;
mod permitted_body;
mod read_limit;
mod reply;
mod span;

use super::redaction::redact;
pub use call::Call;
use permitted_body::PermittedBody;
use read_limit::ReadLimit;
pub use reply::{Reply, Response};
use reqwest::{Client, Proxy, redirect};
use std::{num::NonZeroU32, sync::Arc, time::Duration};
use tracing::{Instrument, debug};
use tua_domain::{
    exchange::Exchange,
    ports::{Clock, ExchangeRecorder},
};
use url::Url;

/// Operators see this name. Some refuse clients that name no product, or a common library.
const USER_AGENT: &str = concat!("tua/", env!("CARGO_PKG_VERSION"));

/// The [`ConnectionSettings::call_timeout`] of every operator in the settings.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(20);

/// The time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The settings of a connection.
#[derive(Clone, Debug)]
pub struct ConnectionSettings {
    /// The operator's name in the settings.
    pub operator: String,
    /// Where its API is, without a slash at the end.
    pub base_url: Url,
    /// An HTTP proxy for the calls, such as one with a fixed address.
    pub outbound_proxy: Option<Url>,
    /// How many reads a second the operator allows; `None` where it documents no limit.
    pub reads_per_second: Option<NonZeroU32>,
    /// The time limit of a call, unless the connector sets another one.
    pub call_timeout: Duration,
}

/// What the connections to all operators have in common.
#[derive(Clone, Debug)]
pub struct ConnectionParts {
    /// The clock of exchanges, read limits and connectors.
    pub clock: Arc<dyn Clock>,
    /// Records every exchange, which is stored later.
    pub recorder: Arc<dyn ExchangeRecorder>,
}

/// The connection to one operator.
#[derive(Debug)]
pub struct Connection {
    client: Client,
    settings: ConnectionSettings,
    parts: ConnectionParts,
    reads: Option<ReadLimit>,
}

impl Connection {
    /// A connection.
    ///
    /// # Errors
    /// One line, if the HTTP client cannot be built.
    pub fn new(settings: ConnectionSettings, parts: ConnectionParts) -> Result<Self, String> {
        let builder = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            // Credentials must not follow a redirect to another host.
            .redirect(redirect::Policy::none())
            // An order must be sent once. The service decides whether it is repeated.
            .retry(reqwest::retry::never());
        let with_operator =
            |error: reqwest::Error| format!("operators.{}: {error}", settings.operator);
        let builder = match &settings.outbound_proxy {
            Some(proxy) => builder.proxy(Proxy::all(proxy.clone()).map_err(with_operator)?),
            // Not the proxy of the environment: some operators accept one address only, and the
            // settings name it.
            None => builder.no_proxy(),
        };
        let client = builder.build().map_err(with_operator)?;
        let reads = settings.reads_per_second.map(|rate| ReadLimit::new(rate, parts.clock.clone()));
        Ok(Self { client, settings, parts, reads })
    }

    /// The clock that all connections share.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.parts.clock
    }

    /// The operator's base URL.
    #[must_use]
    pub const fn base_url(&self) -> &Url {
        &self.settings.base_url
    }

    /// Sends a request and reads the whole response. Never fails: what is not known is in the
    /// [`Reply`].
    pub async fn call(&self, call: Call<'_>) -> Reply {
        if let Some(reads) = self.reads.as_ref().filter(|_| call.is_read) {
            reads.wait(call.is_ahead_of_schedule).await;
        }
        let began_at = self.parts.clock.now();
        let uptime = self.parts.clock.uptime();
        let path = call.path.clone();
        let method = call.method.to_string();
        let transaction = call.transaction.clone();
        let request = call.body.clone();
        let span = span::client_span(&call, self.base_url());
        let reply = self.exchange(call).instrument(span.clone()).await;
        span::record_reply(&span, &reply);
        let duration = self.parts.clock.uptime().saturating_sub(uptime);
        debug!(
            operator = self.settings.operator,
            method,
            path,
            outcome = reply.label(),
            "called an operator"
        );
        if let Some(transaction) = transaction {
            self.parts.recorder.record(Exchange {
                id: Exchange::mint_id(),
                transaction,
                operator: self.settings.operator.clone(),
                at: began_at,
                method,
                path: redact(&path),
                status: reply.status().map(|status| status.as_u16()),
                duration_ms: u32::try_from(duration.as_millis()).unwrap_or(u32::MAX),
                request: request.map(|body| redact(&String::from_utf8_lossy(&body))),
                response: Some(match &reply {
                    Reply::Response(response) => redact(&String::from_utf8_lossy(&response.body)),
                    Reply::NotSent | Reply::NoResponse => reply.label().to_owned(),
                }),
            });
        }
        reply
    }

    async fn exchange(&self, call: Call<'_>) -> Reply {
        if call.permit.is_some_and(|permit| !permit.is_valid()) {
            return Reply::NotSent;
        }
        let base_url = self.settings.base_url.as_str().trim_end_matches('/');
        let url = call.url.map_or_else(|| format!("{base_url}{}", call.path), String::from);
        let request = self.client.request(call.method, url).headers(call.headers);
        let request = request.timeout(call.timeout.unwrap_or(self.settings.call_timeout));
        let expired = Arc::default();
        let request = match (call.body, call.permit) {
            (Some(body), Some(permit)) => request
                .body(PermittedBody::new(body, permit.clone(), Arc::clone(&expired)).into_body()),
            (Some(body), None) => request.body(body),
            (None, _) => request,
        };
        match request.send().await {
            Ok(response) => read(response, call.max_response_bytes, call.is_file).await,
            // The body aborts the request before its first byte is written.
            Err(_) if permitted_body::has_expired(&expired) => Reply::NotSent,
            Err(error) if error.is_connect() || error.is_builder() => Reply::NotSent,
            Err(_) => Reply::NoResponse,
        }
    }
}

/// Reads a response until it ends, breaks off or is too large. A part of a file is no response: its
/// end would be missing without a sign of it.
async fn read(mut response: reqwest::Response, max_bytes: usize, is_file: bool) -> Reply {
    let status = response.status();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    let is_whole = loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() <= max_bytes => {
                body.extend_from_slice(&chunk)
            }
            Ok(Some(_)) | Err(_) => break false,
            Ok(None) => break true,
        }
    };
    if is_file && !is_whole {
        return Reply::NoResponse;
    }
    Reply::Response(Response { status, headers, body })
}
