//! Turns new work away where there is too much of it, before anything is done for it.

use super::problem::ApiError;
use crate::app::App;
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

pub(super) async fn shed(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match app.gate.look(app.clock.now()) {
        Ok(()) => next.run(request).await,
        Err(overloaded) => ApiError::from(overloaded).into_response(),
    }
}
