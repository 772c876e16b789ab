//! A request to an operator, and what its connection must observe.

use reqwest::{
    Method,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use std::time::Duration;
use tua_domain::{TransactionId, ports::SendPermit};
use url::Url;

/// The largest accepted response, in bytes, unless the connector sets another limit.
const MAX_RESPONSE_BYTES: usize = 1 << 20;

/// A request to an operator.
#[derive(Debug)]
pub struct Call<'a> {
    pub(super) method: Method,
    pub(super) path: String,
    /// An address outside the operator's base URL.
    pub(super) url: Option<Url>,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Vec<u8>>,
    pub(super) timeout: Option<Duration>,
    pub(super) max_response_bytes: usize,
    pub(super) is_file: bool,
    pub(super) transaction: Option<TransactionId>,
    pub(super) permit: Option<&'a SendPermit>,
    pub(super) is_read: bool,
    pub(super) is_brought_forward: bool,
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
    pub fn record_for(mut self, reference: &str) -> Self {
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
