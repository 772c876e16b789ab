//! Checks an operator's credentials and settings now, as `tua operator check` does.

use super::{error::DashboardError, payment::PathValues, state::DashboardState, visitor::Visitor};
use axum::{extract::State, response::Response};
use minijinja::{Value, context};
use tua_domain::{ports::CheckResult, routing::CheckReport};

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
    let report = state.operator_checks.check(entry).await;
    let faults = report.faults().count();
    let CheckReport { results, .. } = report;
    let values = context! {
        name,
        faults,
        is_late => results.is_none(),
        results => results.iter().flatten().map(row).collect::<Vec<_>>(),
    };
    Ok(visitor.page("operator_check.html", values))
}

fn row(result: &CheckResult) -> Value {
    let (is_fine, message) = match &result.finding {
        Ok(message) => (true, message),
        Err(message) => (false, message),
    };
    context! { check => &result.check, is_fine, message }
}
