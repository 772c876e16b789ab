//! What is said of a response that is not the documented one.

use super::{api::Product, wire::ErrorBody};
use crate::connection::Response;
use tua_domain::ports::ReadError;

/// The error of a response that is not the documented one.
pub(super) fn unexpected(product: &Product, response: &Response) -> ReadError {
    ReadError::Unanswered(describe(product, response))
}

/// The status and MTN's code. Nothing else of the body, which may contain a person's data.
pub(super) fn describe(product: &Product, response: &Response) -> String {
    let code = response.json().and_then(|body: ErrorBody| body.code);
    let code = code.map(|code| format!(" {code}")).unwrap_or_default();
    format!("{}: HTTP {}{code}", product.name, response.status.as_u16())
}
