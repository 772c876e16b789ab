//! How an operator writes its messages, as far as faults imitate or change them.

use crate::operator::Call;
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::Value;

/// The errors of an operator, and the members of its JSON that faults change. All names of members
/// are in lower case, and match in any case.
#[derive(Debug)]
pub(crate) struct WireFormat {
    /// The error codes that the operator documents, by HTTP status.
    pub(crate) error_codes: &'static [(u16, &'static [&'static str])],
    /// The statuses of orders that the operator documents.
    pub(crate) statuses: &'static [&'static str],
    /// The member that contains the order, where a status beside it is not the order's own.
    pub(crate) order_member: Option<&'static str>,
    /// The members with the merchant's reference.
    pub(crate) reference_members: &'static [&'static str],
    /// The members with the order's status.
    pub(crate) status_members: &'static [&'static str],
    /// The members with a code of the outcome, which an unknown status replaces too.
    pub(crate) outcome_members: &'static [&'static str],
    /// The unit of the member `amount`.
    pub(crate) amount_unit: AmountUnit,
    /// The body of an error of the operator itself, for HTTP 500 or 503.
    pub(crate) server_error: fn(StatusCode) -> Value,
    /// The response for an order that does not exist.
    pub(crate) not_found: fn() -> (StatusCode, Value),
    /// The body of a refusal of a request that no handler can take, with this message: HTTP 400,
    /// 404, 405, 413 or 415.
    pub(crate) request_fault: fn(StatusCode, &str) -> Value,
    /// The body of a refusal.
    pub(crate) refusal: fn(&RefusedCall<'_>) -> Value,
}

/// The unit in which an operator writes amounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AmountUnit {
    /// Cedis with decimals, as text or as a number.
    Cedis,
    /// Whole pesewas, as a number.
    Pesewas,
}

/// A call that an operator refuses with an error that it documents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RefusedCall<'a> {
    pub(crate) call: Call,
    pub(crate) code: &'a str,
    pub(crate) status: StatusCode,
    /// The body of the request.
    pub(crate) request: &'a [u8],
}

impl WireFormat {
    /// An error code that the operator documents; `None` for any other text.
    pub(crate) fn error_code(&self, code: &str) -> Option<&'static str> {
        self.error_codes.iter().flat_map(|(_, codes)| *codes).copied().find(|known| *known == code)
    }

    /// A status that the operator documents; `None` for any other text.
    pub(crate) fn status(&self, status: &str) -> Option<&'static str> {
        self.statuses.iter().copied().find(|known| *known == status)
    }

    /// An error of the operator itself, with HTTP 500 or 503.
    pub(crate) fn error(&self, status: StatusCode) -> Response {
        (status, Json((self.server_error)(status))).into_response()
    }

    /// The response for an order that does not exist.
    pub(crate) fn order_not_found(&self) -> Response {
        let (status, body) = (self.not_found)();
        (status, Json(body)).into_response()
    }

    /// The operator's error with this code. An operator that does not document the code answers
    /// with HTTP 400.
    pub(crate) fn refuse(&self, call: Call, code: &str, request: &[u8]) -> Response {
        let known = self.error_codes.iter().find(|(_, codes)| codes.contains(&code));
        let status = known
            .and_then(|(status, _)| StatusCode::from_u16(*status).ok())
            .unwrap_or(StatusCode::BAD_REQUEST);
        let body = (self.refusal)(&RefusedCall { call, code, status, request });
        (status, Json(body)).into_response()
    }
}
