//! What came of a request to an operator.

use reqwest::{StatusCode, header::HeaderMap};
use serde::de::DeserializeOwned;
use tua_contract::lifecycle::Observation;
use tua_domain::ports::{FailureScope, Report};

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

impl Reply {
    /// The response's status; `None` without a response.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Response(response) => Some(response.status),
            Self::NotSent | Self::NoResponse => None,
        }
    }

    /// What a response to an order reveals that leaves the order's outcome open. With 401 and 403
    /// the server refuses its caller, and so every order.
    #[must_use]
    pub fn unclear(&self) -> Report {
        let is_refused =
            matches!(self.status(), Some(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN));
        let unclear = Report::new(Observation::Ambiguous);
        if is_refused { unclear.with_failure_scope(FailureScope::Network) } else { unclear }
    }

    /// The text about the call in the log; a response is not quoted.
    pub(super) const fn label(&self) -> &'static str {
        match self {
            Self::NotSent => {
                "not sent: the connection failed, or the permission to send had expired"
            }
            Self::NoResponse => "no response",
            Self::Response(_) => "response",
        }
    }
}
