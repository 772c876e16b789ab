//! `GET /docs/errors/{code}`: the page at the `type` URL of a problem document.

use super::{
    companion_errors, error_codes,
    error_help::{Help, help},
    problem::ApiError,
    segment::Segment,
    templates::ErrorCodePage,
};
use axum::response::{IntoResponse, Response};
use tua_contract::ErrorCode;

/// Explains an error code to a developer.
pub(super) async fn explain_error(Segment(code): Segment) -> Result<Response, ApiError> {
    let page = ErrorCode::parse(&code).map(page).or_else(|| companion_errors::page(&code));
    let page =
        page.ok_or_else(|| ApiError::new(ErrorCode::NotFound, "This error code does not exist."))?;
    Ok(page.into_response())
}

fn page(code: ErrorCode) -> ErrorCodePage {
    let Help { money, remedy } = help(code);
    ErrorCodePage {
        code: code.as_str(),
        status: error_codes::status(code).as_u16(),
        title: code.title(),
        explanation: code.explanation(),
        money,
        remedy,
        has_request_id: true,
    }
}
