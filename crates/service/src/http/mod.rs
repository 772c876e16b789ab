//! The service over HTTP: one file per route, and the only place that knows status codes.
//!
//! A request comes from [`crate::net`], which says whose it is, and passes, from the outside in:
//! `envelope` (request id, log line, problem documents, panics), CORS, `rate_headers`, the body limit,
//! then its route, which authenticates and counts (`auth`), parses (`body`) and calls the domain.

mod assets;
mod auth;
mod body;
mod charge;
mod checkout;
mod coding;
mod cors;
mod envelope;
mod error_help;
mod error_page;
mod fields;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod health;
mod idempotent;
mod openapi;
mod payout;
mod phone;
mod poll;
mod problem;
mod rate_headers;
mod segment;
mod shed;
mod start;
mod status;
mod submit_otp;
mod transactions;
mod values;
pub(crate) mod view;
mod weighed;

use crate::{app::App, hosted};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use std::sync::Arc;
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer};
use tua_contract::ErrorCode;

pub use assets::{PAGE, SDK, content_type, is_component_built};
pub(crate) use body::read_body;
pub use problem::ApiError;
pub(crate) use problem::internal;
pub(crate) use weighed::weighed;

/// How large a request's body may be (contract section 2).
const BODY_LIMIT: usize = 32 << 10;

/// Everything that the service answers.
pub fn router(app: Arc<App>) -> Router {
    let shed = middleware::from_fn_with_state(app.clone(), shed::shed);
    let v1 = Router::new()
        .route("/charge", post(charge::create_charge).layer(shed.clone()))
        .route("/payout", post(payout::create_payout).layer(shed.clone()))
        .route("/checkout", post(checkout::create_checkout).layer(shed).get(checkout::read_checkout))
        .route("/submit-otp", post(submit_otp::submit_otp))
        .route("/status/{transaction_id}", get(status::read_status))
        .route("/transactions", get(transactions::list_transactions))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(rate_headers::show))
        // Inside CORS, so that a page can read that answer too.
        .layer(CatchPanicLayer::custom(envelope::panicked))
        .layer(cors::layer());

    // Files were compressed when the service was built.
    let document = openapi::Document::of(&app.public_url);
    let written = Router::new()
        .route("/pay", get(hosted::show_checkout).post(hosted::take_form))
        .route("/openapi.json", get(move || document.read()))
        .layer(CompressionLayer::new());

    let mut router = Router::new()
        .nest("/v1", v1)
        .merge(written)
        .route("/assets/{*file}", get(assets::page_file))
        .route("/sdk/{*file}", get(assets::sdk_file))
        .route("/docs/errors/{code}", get(error_page::explain_error))
        .route("/healthz", get(health::is_alive))
        .route("/readyz", get(health::is_ready));
    if app.simulated_phone.is_some() {
        router = router.nest("/sandbox/phone", phone::router());
    }
    router
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(CatchPanicLayer::custom(envelope::panicked))
        .layer(middleware::from_fn_with_state(app.clone(), envelope::wrap))
        .with_state(app)
}

async fn unknown_path() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "Nothing lives at this path.")
}

async fn wrong_method() -> ApiError {
    ApiError::new(ErrorCode::MethodNotAllowed, "This path does not answer this method; see the Allow header.")
}
