//! Checks an operator's credentials and settings now, as `tua operator check` does.

use super::{error::DashboardError, payment::PathValues, state::DashboardState, visitor::Visitor};
use axum::{extract::State, response::Response};
use jiff::SignedDuration;
use minijinja::{Value, context};
use tua_domain::{
    ports::{CheckResult, ClusterMessage},
    routing::{BreakerState, OperatorEntry},
};

/// How long all calls of a check may take.
const TIME_LIMIT: SignedDuration = SignedDuration::from_secs(30);

/// `POST /operators/{name}/check`: calls the operator without moving money. Nothing is stored.
/// Where nothing is wrong, the operator gets orders again of the networks that it refused.
pub(super) async fn check(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let name = path.get("name").ok_or(DashboardError::NotFound)?;
    let entry = state.networks.operators.named(name).ok_or(DashboardError::NotFound)?;
    if !entry.is_of(visitor.scope.mode, &visitor.scope.account) {
        return Err(DashboardError::NotFound);
    }
    let results = results(&state, entry).await;
    let faults = results.iter().flatten().filter(|one| one.finding.is_err()).count();
    if results.is_some() && faults == 0 {
        for scope in entry.retry_refused() {
            let change = entry.breaker_change(scope, BreakerState::HalfOpen);
            state.gateway.changes.publish(ClusterMessage::Breaker(change));
        }
    }
    let values = context! {
        name,
        faults,
        is_late => results.is_none(),
        results => results.iter().flatten().map(row).collect::<Vec<_>>(),
    };
    Ok(visitor.page("operator_check.html", values))
}

/// What was found; `None` where the operator did not respond in time.
async fn results(state: &DashboardState, entry: &OperatorEntry) -> Option<Vec<CheckResult>> {
    tokio::select! {
        results = entry.operator.check() => Some(results),
        () = state.clock.sleep_until(state.clock.now() + TIME_LIMIT) => None,
    }
}

fn row(result: &CheckResult) -> Value {
    let (is_fine, message) = match &result.finding {
        Ok(message) => (true, message),
        Err(message) => (false, message),
    };
    context! { check => &result.check, is_fine, message }
}
