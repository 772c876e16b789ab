//! Counts the pages that need no credential, so that one address cannot keep the processor busy
//! with them.

use super::problem::ApiError;
use crate::{limits::Limiter, net::Client};
use axum::{
    Extension,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// Counts the page, or refuses it with 429.
pub(crate) async fn count_page(
    State(limiter): State<Arc<Limiter>>,
    Extension(client): Extension<Client>,
    request: Request,
    next: Next,
) -> Response {
    match limiter.count_page(client.limited_address()) {
        Ok(()) => next.run(request).await,
        Err(exceeded) => ApiError::from(exceeded).into_response(),
    }
}
