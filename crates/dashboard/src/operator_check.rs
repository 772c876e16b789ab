//! Checks an operator's credentials and settings now, as `tua operator check` does.

use super::{error::DashboardError, payment::PathValues, state::DashboardState, visitor::Visitor};
use axum::{extract::State, response::Response};
use minijinja::{Value, context};
use tua_domain::{ports::CheckResult, routing::CheckReport};
use tua_use_cases::CheckedConnection;

/// What was done just before a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BeforeCheck {
    /// Nothing: a person asked for the check alone.
    Nothing,
    /// The operator was connected.
    Connected,
    /// Its credentials were replaced.
    Replaced,
}

impl BeforeCheck {
    /// The key of the text about it, given what the check found; empty for none.
    pub(super) fn notice(
        self,
        CheckedConnection { report, is_accepted }: &CheckedConnection,
    ) -> &'static str {
        match (self, &report.results) {
            _ if *is_accepted => "done-operator-accepted",
            (Self::Nothing, _) => "",
            (_, Some(_)) => "done-operator-saved",
            (Self::Connected, None) => "done-operator-connected",
            (Self::Replaced, None) => "done-operator-replaced",
        }
    }
}

/// `POST /operators/{name}/check`: calls the operator without moving money. Nothing is stored.
/// Where nothing is wrong, the operator gets orders again of the networks that it refused.
pub(super) async fn check(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let name = path.get("name").ok_or(DashboardError::NotFound)?;
    let operators = &state.networks.operators;
    let scope = &visitor.scope;
    let entry = operators.named_in(scope.mode, &scope.account, name);
    let report = state.operator_checks.check(&*entry.ok_or(DashboardError::NotFound)?).await;
    let faults = report.faults().count();
    let values = context! {
        name,
        faults,
        is_late => report.results.is_none(),
        results => rows(&report),
    };
    Ok(visitor.page("operator_check.html", values))
}

/// The findings of a check, for the page.
pub(super) fn rows(report: &CheckReport) -> Vec<Value> {
    report.results.iter().flatten().map(row).collect()
}

fn row(result: &CheckResult) -> Value {
    let (is_fine, message) = match &result.outcome {
        Ok(message) => (true, message),
        Err(message) => (false, message),
    };
    context! { check => &result.name, is_fine, message }
}
