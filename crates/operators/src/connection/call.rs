//! A request to an operator, and the conditions under which its connection sends it.

use reqwest::{
    Method,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use std::time::Duration;
use tua_domain::{TransactionId, ports::SendPermit};
use url::Url;

/// The largest response that is read, in bytes, unless the connector sets another limit.
const MAX_RESPONSE_BYTES: usize = 1 << 20;

/// A request to an operator.
#[derive(Debug)]
pub struct Call<'a> {
    pub(super) method: Method,
    /// The path after the operator's base URL. For a file, only what the log shows.
    pub(super) path: String,
    /// The address of a file, which replaces the base URL and the path.
    pub(super) url: Option<Url>,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Vec<u8>>,
    /// `None` for the time limit of the connection.
    pub(super) timeout: Option<Duration>,
    pub(super) max_response_bytes: usize,
    /// Whether a part of the body is as bad as no response.
    pub(super) is_file: bool,
    /// The transaction for which the exchange is recorded as evidence.
    pub(super) transaction: Option<TransactionId>,
    /// Until when the request may be sent; `None` where it moves no money.
    pub(super) permit: Option<&'a SendPermit>,
    /// Whether the operator's rate limit for reads applies.
    pub(super) is_read: bool,
    pub(super) is_ahead_of_schedule: bool,
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

    fn new(method: Method, path: String) -> Self {
        Self {
            method,
            path,
            url: None,
            headers: HeaderMap::new(),
            body: None,
            timeout: None,
            max_response_bytes: MAX_RESPONSE_BYTES,
            is_file: false,
            transaction: None,
            permit: None,
            is_read: false,
            is_ahead_of_schedule: false,
        }
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

    /// Replaces the time limit of the connection.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Records the exchange as evidence about the transaction with this operator reference. Calls
    /// that are about no transaction, such as for tokens, are not recorded.
    #[must_use]
    pub fn record_for(mut self, reference: &str) -> Self {
        self.transaction = TransactionId::of_operator_reference(reference);
        self
    }

    /// Sets whether a read goes before those of the polling schedule
    /// ([`SentOrder::is_ahead_of_schedule`]).
    ///
    /// [`SentOrder::is_ahead_of_schedule`]: tua_domain::ports::SentOrder::is_ahead_of_schedule
    #[must_use]
    pub const fn ahead_of_schedule(mut self, is_ahead_of_schedule: bool) -> Self {
        self.is_ahead_of_schedule = is_ahead_of_schedule;
        self
    }

    /// Marks the request as an order: its bytes are written only while the permit is valid.
    #[must_use]
    pub const fn with_permit(mut self, permit: &'a SendPermit) -> Self {
        self.permit = Some(permit);
        self
    }
}
