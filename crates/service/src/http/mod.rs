//! The API over HTTP: one file per route. Status codes appear only here.
//!
//! A request comes from [`crate::net`] with the address of its client. It passes, from the outside in: `load_shed`,
//! `envelope` (request id, log line, problem documents, `rate_headers`, panics), CORS, the size limit of bodies, and its
//! route. The route authenticates the caller and counts the request (`auth`), parses the body (`body`) and calls the
//! domain.

mod assets;
mod auth;
mod body;
mod charge;
mod checkout;
mod coding;
mod cors;
mod envelope;
mod error_codes;
mod error_help;
mod error_page;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod health;
mod idempotent;
mod load_shed;
mod openapi;
mod payout;
mod phone;
mod poll;
mod problem;
mod quality_values;
mod rate_headers;
mod refusals;
mod segment;
mod start;
mod status;
mod submit_otp;
mod transactions;
pub(crate) mod view;

use crate::{app::App, hosted, net::HttpService};
use axum::{
    Extension, Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use futures_util::future::Either;
use std::{future::ready, sync::Arc};
use tower::{Service, service_fn};
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer};
use tua_contract::ErrorCode;
use tua_http_json::body::BODY_MAX_BYTES;

pub use assets::{PAGE, SDK, content_type, is_component_built};
pub(crate) use body::read_body;
pub use problem::ApiError;
pub(crate) use quality_values::quality_values;
pub(crate) use refusals::internal;

/// The whole service: load shedding, then the router.
pub(crate) fn service(app: Arc<App>) -> impl HttpService {
    let router = router(app.clone());
    service_fn(move |request| match load_shed::refuse_if_overloaded(&app, &request) {
        Some(response) => Either::Left(ready(Ok(response))),
        None => Either::Right(router.clone().call(request)),
    })
}

/// The routes and their middleware, without load shedding.
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
        // Inside CORS, so that a page can read the response to a panic too.
        .layer((cors::layer(), CatchPanicLayer::custom(envelope::panicked)));

    // The hosted page differs for each payer. Everything else is compressed once.
    let hosted_page =
        Router::new().route("/pay", get(hosted::show_checkout).post(hosted::take_form)).layer(CompressionLayer::new());
    let document = Arc::new(openapi::ServedDocument::new(&app.public_url));

    let mut router = Router::new()
        .nest("/v1", v1)
        .merge(hosted_page)
        .route("/openapi.json", get(openapi::read_document).layer(Extension(document)))
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
        .layer((CatchPanicLayer::custom(envelope::panicked), DefaultBodyLimit::max(BODY_MAX_BYTES)))
        .layer(envelope::layer(app.clone()))
        .with_state(app)
}

async fn unknown_path() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "This path does not exist.")
}

async fn wrong_method() -> ApiError {
    ApiError::new(ErrorCode::MethodNotAllowed, "This path does not support this method. See the Allow header.")
}
