//! What is said of a response that is not the documented one.

use super::convert;
use crate::connection::Response;
use tua_domain::ports::ReadError;

/// The error of a response that is not the documented one.
pub(super) fn unexpected(response: &Response) -> ReadError {
    ReadError::Unanswered(describe(response))
}

/// The status and pawaPay's code. Nothing else of the body, which may contain a person's data.
pub(super) fn describe(response: &Response) -> String {
    let code = convert::error_code(response).map(|code| format!(" {code}")).unwrap_or_default();
    format!("HTTP {}{code}", response.status.as_u16())
}
