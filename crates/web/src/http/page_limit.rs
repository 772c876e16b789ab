//! Counts the pages that need no credential, so that one address cannot keep the processor busy
//! with them.

use super::problem::ApiError;
use axum::{
    Extension,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;
use tua_net::{Client, limits::Limiter};

/// Counts the page, or refuses it with 429.
pub async fn count_page(
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
