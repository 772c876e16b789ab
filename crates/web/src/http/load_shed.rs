//! Load shedding: refuses new payments and sessions while the service is overloaded.
//!
//! It comes before routing, credentials and logging. A refusal must cost almost nothing; otherwise
//! refusals alone would use up the processor.

use super::{
    cors,
    problem::ApiError,
    response_layer::{LayerState, RequestContext},
};
use axum::{
    extract::Request,
    http::Method,
    response::{IntoResponse, Response},
};
use std::sync::Arc;
use tua_domain::{admission::AdmissionControl, ports::Clock};

/// The routes whose `POST` begins a payment or a session.
const SHEDDABLE: [&str; 4] = ["/v1/charge", "/v1/payout", "/v1/payouts/batches", "/v1/checkout"];

/// Refuses requests that begin something while the service is overloaded.
#[derive(Debug)]
pub(super) struct LoadShed {
    /// Decides which requests are admitted.
    pub(super) admission: Arc<AdmissionControl>,
    /// The time at which a request is checked for admission.
    pub(super) clock: Arc<dyn Clock>,
    /// What every response needs.
    pub(super) layer_state: LayerState,
}

impl LoadShed {
    /// The refusal of a request that would begin a payment or a session while the service is
    /// overloaded; `None` for every other request.
    pub(super) fn refusal(&self, request: &Request) -> Option<Response> {
        let is_target =
            |path: &&str| request.method() == Method::POST && request.uri().path() == *path;
        let route = SHEDDABLE.into_iter().find(is_target)?;
        let overloaded = self.admission.check(self.clock.now()).err()?;
        let mut response = ApiError::from(overloaded).into_response();
        cors::insert_headers(response.headers_mut());
        RequestContext::of(request, route).finish(&self.layer_state, &mut response);
        Some(response)
    }
}
