//! The service over HTTP: one file per route, and the only place that knows status codes.
//!
//! A request comes from [`crate::net`], which says whose it is, and passes, from the outside in: `shed`,
//! `envelope` (request id, log line, problem documents, `rate_headers`, panics), CORS, the body limit, then its
//! route, which authenticates and counts (`auth`), parses (`body`) and calls the domain.

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

use crate::{app::App, hosted, net::HttpService};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use futures_util::future::Either;
use std::{future::ready, sync::Arc};
use tower::{Service, service_fn};
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer};
use tua_contract::ErrorCode;

pub use assets::{PAGE, SDK, content_type, is_component_built};
pub(crate) use body::read_body;
pub use problem::ApiError;
pub(crate) use problem::internal;
pub(crate) use weighed::weighed;

/// How large a request's body may be (docs/reference/values.md).
const BODY_LIMIT: usize = 32 << 10;

/// Everything that the service answers, and turns away.
pub(crate) fn service(app: Arc<App>) -> impl HttpService {
    let router = router(app.clone());
    service_fn(move |request| match shed::turn_away(&app, &request) {
        Some(response) => Either::Left(ready(Ok(response))),
        None => Either::Right(router.clone().call(request)),
    })
}

/// Everything that the service answers.
pub fn router(app: Arc<App>) -> Router {
    let v1 = Router::new()
        .route("/charge", post(charge::create_charge))
        .route("/payout", post(payout::create_payout))
        .route("/checkout", post(checkout::create_checkout).get(checkout::read_checkout))
        .route("/submit-otp", post(submit_otp::submit_otp))
        .route("/status/{transaction_id}", get(status::read_status))
        .route("/transactions", get(transactions::list_transactions))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        // Panics inside CORS, so that a page can read that answer too.
        .layer((cors::layer(), CatchPanicLayer::custom(envelope::panicked)));

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
        .layer((CatchPanicLayer::custom(envelope::panicked), DefaultBodyLimit::max(BODY_LIMIT)))
        .layer(envelope::layer(app.clone()))
        .with_state(app)
}

async fn unknown_path() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "This path does not exist.")
}

async fn wrong_method() -> ApiError {
    ApiError::new(ErrorCode::MethodNotAllowed, "This path does not support this method. See the Allow header.")
}
