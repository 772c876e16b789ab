//! Turns new work away where there is too much of it, before anything else is done: an answer that says no must cost
//! next to nothing, or saying it is all that there is time for.

use super::{cors, envelope::Envelope, problem::ApiError};
use crate::app::App;
use axum::{
    extract::Request,
    http::Method,
    response::{IntoResponse, Response},
};

/// Where something new begins, by `POST`.
const BEGINNINGS: [&str; 3] = ["/v1/charge", "/v1/payout", "/v1/checkout"];

/// What a request is answered that begins something new where there is no room; nothing where it may go on.
pub(super) fn turn_away(app: &App, request: &Request) -> Option<Response> {
    let begins = |path: &&str| request.method() == Method::POST && request.uri().path() == *path;
    let route = BEGINNINGS.into_iter().find(begins)?;
    let overloaded = app.admission.check(app.clock.now()).err()?;
    let mut response = ApiError::from(overloaded).into_response();
    cors::open(response.headers_mut());
    Envelope::of(request, route).seal(app, &mut response);
    Some(response)
}
