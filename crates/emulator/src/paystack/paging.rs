//! Pages of lists.

use super::responses::error;
use crate::wire::{Refusal, respond};
use axum::{http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most rows of one page.
const MAX_PER_PAGE: usize = 100;

/// Which page of a list is asked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageQuery {
    per_page: Option<usize>,
    page: Option<usize>,
}

/// One page of a list, with what Paystack tells about the whole list.
pub(super) fn list<T>(
    message: &str,
    all: &[T],
    query: &PageQuery,
    row: impl Fn(&T) -> Value,
) -> Result<Response, Refusal> {
    let per_page = query.per_page.unwrap_or(50);
    let page = query.page.unwrap_or(1);
    if !(1..=MAX_PER_PAGE).contains(&per_page) || page == 0 {
        let message = "perPage is 1 to 100, and page is at least 1";
        return Err(error(StatusCode::BAD_REQUEST, "invalid_params", message));
    }
    let skipped = (page - 1).saturating_mul(per_page);
    let rows = all.iter().skip(skipped).take(per_page).map(row).collect::<Vec<_>>();
    let meta = json!({
        "total": all.len(),
        "skipped": skipped,
        "perPage": per_page,
        "page": page,
        "pageCount": all.len().div_ceil(per_page),
    });
    let body = json!({"status": true, "message": message, "data": rows, "meta": meta});
    Ok(respond(StatusCode::OK, body))
}
