//! `POST` and `PUT /callbacks/{operator}/{secret}`: operators' callbacks
//! (docs/reference/operators.md#callbacks).

use super::{body::read_body, problem::ApiError, state::BodyTimeout};
use axum::{
    Router,
    extract::{FromRef, Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::post,
};
use std::sync::Arc;
use tua_contract::ErrorCode;
use tua_domain::ports::CallbackRequest;
use tua_metrics::Metrics;
use tua_operators::redaction::redact;
use tua_use_cases::{CallbackOutcome, Callbacks};

/// The state of the route that receives operators' callbacks.
#[derive(Clone, Debug)]
pub struct CallbackState {
    /// Verifies callbacks, and records what they are about.
    pub callbacks: Arc<Callbacks>,
    /// Counts the callbacks by outcome.
    pub metrics: Arc<Metrics>,
    /// How long a body may take to arrive.
    pub body_timeout: BodyTimeout,
    /// The host that operators call, with its port if there is one, which signatures cover.
    pub authority: Arc<str>,
}

impl FromRef<CallbackState> for BodyTimeout {
    fn from_ref(state: &CallbackState) -> Self {
        state.body_timeout
    }
}

pub(super) fn router(state: CallbackState) -> Router {
    Router::new()
        .route("/callbacks/{operator}/{secret}", post(take_callback).put(take_callback))
        .with_state(state)
}

/// Answers once the callback is on disk, and before anything is asked: some operators wait two
/// seconds only.
async fn take_callback(
    State(state): State<CallbackState>,
    path: Option<Path<(String, String)>>,
    request: Request,
) -> Result<Response, ApiError> {
    let unknown = || ApiError::new(ErrorCode::NotFound, "This path does not exist.");
    let Path((operator, secret)) = path.ok_or_else(unknown)?;
    let headers = request.headers().iter();
    let callback = CallbackRequest {
        method: request.method().as_str().to_owned(),
        authority: state.authority.to_string(),
        path: request.uri().path().to_owned(),
        headers: headers
            .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
            .collect(),
        body: Vec::new(),
    };
    let body = read_body(request, state.body_timeout).await?.to_vec();
    let evidence = redact(&String::from_utf8_lossy(&body));
    let callback = CallbackRequest { body, ..callback };
    let outcome = state.callbacks.take(&operator, &secret, callback, evidence).await?;
    state.metrics.callback_received(outcome.label());
    match outcome {
        CallbackOutcome::Unknown => Err(unknown()),
        CallbackOutcome::WrongSignature => {
            let detail = "The signature of this callback is missing or wrong.";
            Err(ApiError::new(ErrorCode::InvalidCredentials, detail))
        }
        CallbackOutcome::Taken | CallbackOutcome::NotOurs | CallbackOutcome::Unreadable => {
            Ok(StatusCode::OK.into_response())
        }
        // How Paystack documents a refusal.
        CallbackOutcome::TransferRefused => Ok(StatusCode::BAD_REQUEST.into_response()),
    }
}
