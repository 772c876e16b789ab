//! Load shedding: refuses new payments and sessions while the service is overloaded.
//!
//! It comes before routing, credentials and logging. A refusal must cost almost nothing; otherwise refusals alone would
//! use up the processor.

use super::{cors, envelope::Envelope, problem::ApiError};
use crate::app::App;
use axum::{
    extract::Request,
    http::Method,
    response::{IntoResponse, Response},
};

/// The routes whose `POST` begins a payment or a session.
const SHEDDABLE: [&str; 3] = ["/v1/charge", "/v1/payout", "/v1/checkout"];

/// The refusal of a request that would begin a payment or a session while the service is overloaded; `None` for every
/// other request.
pub(super) fn refuse_if_overloaded(app: &App, request: &Request) -> Option<Response> {
    let is_target = |path: &&str| request.method() == Method::POST && request.uri().path() == *path;
    let route = SHEDDABLE.into_iter().find(is_target)?;
    let overloaded = app.admission.check(app.clock.now()).err()?;
    let mut response = ApiError::from(overloaded).into_response();
    cors::insert_headers(response.headers_mut());
    Envelope::of(request, route).seal(app, &mut response);
    Some(response)
}
