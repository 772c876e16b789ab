//! The HTTP connection to one operator: one client with time limits, a rate limit for reads, and a
//! record of every exchange.

mod permitted_body;
mod read_limit;

use super::redaction::redact;
use permitted_body::PermittedBody;
use read_limit::ReadLimit;
use reqwest::{
    Client, Method, Proxy, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use serde::de::DeserializeOwned;
use std::{num::NonZeroU32, sync::Arc, time::Duration};
use tracing::debug;
use tua_domain::{
    TransactionId,
    exchange::Exchange,
    ports::{Clock, ExchangeRecorder, SendPermit},
};
use url::Url;

/// Operators see this name. Some refuse clients that name no product, or a common library.
const USER_AGENT: &str = concat!("tua/", env!("CARGO_PKG_VERSION"));

/// The [`ConnectionSettings::call_timeout`] of every operator in the settings.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(20);

/// The time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The largest accepted response, in bytes, unless the connector sets another limit.
const MAX_RESPONSE_BYTES: usize = 1 << 20;

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

/// A request to an operator.
#[derive(Debug)]
pub struct Call<'a> {
    method: Method,
    path: String,
    /// An address outside the operator's base URL.
    url: Option<Url>,
    headers: HeaderMap,
    body: Option<Vec<u8>>,
    timeout: Option<Duration>,
    max_response_bytes: usize,
    is_file: bool,
    transaction: Option<TransactionId>,
    permit: Option<&'a SendPermit>,
    is_read: bool,
    is_brought_forward: bool,
}

/// What came of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Certainly no byte of the request was written.
    NotSent,
    /// The request may have arrived; there is no response.
    NoResponse,
    /// A response. Its status counts, whatever becomes of its body.
    Response(Response),
}

/// What an operator responded over HTTP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    /// The HTTP status, which also counts where the body breaks off.
    pub status: StatusCode,
    /// The response headers, such as `Date`.
    pub headers: HeaderMap,
    /// The body as far as it has arrived. JSON that breaks off is no JSON, and a file is always
    /// whole.
    pub body: Vec<u8>,
}

impl Response {
    /// The body as JSON of this shape, also behind a byte order mark; `None` where it is another.
    #[must_use]
    pub fn json<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body)).ok()
    }
}

impl<'a> Call<'a> {
    /// A read: `GET` of a path that begins with a slash. Its rate is limited where the operator
    /// limits it.
    #[must_use]
    pub fn get(path: impl Into<String>) -> Self {
        Self { is_read: true, ..Self::new(Method::GET, path.into()) }
    }

    /// A `POST` without a body, of a path that begins with a slash.
    #[must_use]
    pub fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path.into())
    }

    /// A read of a file at an address that the operator named. Its query may be a credential, so it
    /// is never logged.
    #[must_use]
    pub fn get_file(url: Url, max_bytes: usize) -> Self {
        let call = Self::get("(a file)");
        Self { url: Some(url), max_response_bytes: max_bytes, is_file: true, ..call }
    }

    const fn new_parts(method: Method, path: String, headers: HeaderMap) -> Self {
        let url = None;
        let body = None;
        let transaction = None;
        let permit = None;
        let timeout = None;
        let max_response_bytes = MAX_RESPONSE_BYTES;
        let is_read = false;
        let is_brought_forward = false;
        let is_file = false;
        Self {
            method,
            path,
            url,
            headers,
            body,
            timeout,
            max_response_bytes,
            is_file,
            transaction,
            permit,
            is_read,
            is_brought_forward,
        }
    }

    fn new(method: Method, path: String) -> Self {
        Self::new_parts(method, path, HeaderMap::new())
    }

    /// Adds a header. A value that no header can have is left out.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }

    /// Adds a header with a secret value, which is never logged.
    #[must_use]
    pub fn secret_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(mut value) = HeaderValue::from_str(value) {
            value.set_sensitive(true);
            self.headers.insert(name, value);
        }
        self
    }

    /// Sets a JSON body, as bytes that a signature may cover.
    #[must_use]
    pub fn json(mut self, body: Vec<u8>) -> Self {
        self.body = Some(body);
        self.header(CONTENT_TYPE, "application/json")
    }

    /// Sets another time limit.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Records the exchange as evidence about the transaction with this operator reference. Calls
    /// that are about no transaction, such as for tokens, are not recorded.
    #[must_use]
    pub fn about(mut self, reference: &str) -> Self {
        self.transaction = TransactionId::of_operator_reference(reference);
        self
    }

    /// Whether a read goes before those of the polling schedule: [`SentOrder::is_brought_forward`].
    ///
    /// [`SentOrder::is_brought_forward`]: tua_domain::ports::SentOrder::is_brought_forward
    #[must_use]
    pub const fn brought_forward(mut self, is_brought_forward: bool) -> Self {
        self.is_brought_forward = is_brought_forward;
        self
    }

    /// Sends an order: its bytes are written only while the permit is valid.
    #[must_use]
    pub const fn permitted(mut self, permit: &'a SendPermit) -> Self {
        self.permit = Some(permit);
        self
    }
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
        let named = |error: reqwest::Error| format!("operators.{}: {error}", settings.operator);
        let builder = match &settings.outbound_proxy {
            Some(proxy) => builder.proxy(Proxy::all(proxy.clone()).map_err(named)?),
            // Not the proxy of the environment: some operators accept one address only, and the
            // settings name it.
            None => builder.no_proxy(),
        };
        let client = builder.build().map_err(named)?;
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
            reads.wait(call.is_brought_forward).await;
        }
        let began_at = self.parts.clock.now();
        let uptime = self.parts.clock.uptime();
        let path = call.path.clone();
        let (method, transaction, request) =
            (call.method.to_string(), call.transaction.clone(), call.body.clone());
        let reply = self.exchange(call).await;
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

impl Reply {
    /// The response's status; `None` without a response.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Response(response) => Some(response.status),
            Self::NotSent | Self::NoResponse => None,
        }
    }

    const fn label(&self) -> &'static str {
        match self {
            Self::NotSent => {
                "not sent: the connection failed, or the permission to send had expired"
            }
            Self::NoResponse => "no response",
            Self::Response(_) => "response",
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
