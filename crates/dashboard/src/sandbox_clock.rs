//! The form that advances the sandbox clock (docs/reference/test-mode.md#the-sandbox-clock).

use super::{
    error::{DashboardError, redirect},
    fields::Fields,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{extract::State, http::StatusCode, response::Response};
use tua_domain::{Mode, sandbox_clock::ClockAdvance};

/// What the form offers, in seconds. Each has a text of its own: 11 minutes, 31 minutes, 6 hours,
/// 25 hours and 73 hours.
pub(super) const CHOICES: [i64; 5] = [660, 1860, 21_600, 90_000, 262_800];

/// `POST /webhooks/sandbox-clock`: makes what is scheduled in test mode earlier.
pub(super) async fn advance(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    if visitor.scope.mode == Mode::Live {
        return Err(DashboardError::NotFound);
    }
    let seconds = fields.visible("seconds").parse().ok();
    let by = seconds
        .and_then(ClockAdvance::from_seconds)
        .ok_or(DashboardError::UnreadableForm(StatusCode::UNPROCESSABLE_ENTITY))?;
    let audit = visitor.audit(&state);
    state.sandbox_clock.advance(&visitor.scope.account, by, &audit).await?;
    Ok(redirect(&visitor.href("/webhooks?done=clock-advanced")))
}
