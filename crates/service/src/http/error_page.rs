//! `GET /docs/errors/{code}`: what the `type` of a problem document points to.

use super::{
    problem::{ApiError, title},
    segment::Segment,
};
use crate::hosted::page;
use axum::response::Response;
use tua_contract::ErrorCode;

/// Explains an error code to a developer.
pub(super) async fn explain_error(Segment(code): Segment) -> Result<Response, ApiError> {
    let code = ErrorCode::parse(&code)
        .ok_or_else(|| ApiError::new(ErrorCode::NotFound, "There is no error code of this name."))?;
    let status = ApiError::new(code, "").status();
    Ok(page::error_code(code.as_str(), title(code), code.explanation(), status))
}
