//! `GET /docs/errors/{code}`: the page at the `type` URL of a problem document.

use super::{error_codes, error_help::help, problem::ApiError, segment::Segment, templates::ErrorCodePage};
use axum::response::{IntoResponse, Response};
use tua_contract::ErrorCode;

/// Explains an error code to a developer.
pub(super) async fn explain_error(Segment(code): Segment) -> Result<Response, ApiError> {
    let code =
        ErrorCode::parse(&code).ok_or_else(|| ApiError::new(ErrorCode::NotFound, "This error code does not exist."))?;
    let status = ApiError::new(code, "").status();
    let help = help(code);
    Ok(ErrorCodePage {
        code: code.as_str(),
        title: error_codes::title(code),
        explanation: code.explanation(),
        money: help.money,
        remedy: help.remedy,
        status: status.as_u16(),
    }
    .into_response())
}
