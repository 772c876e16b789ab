//! The statements of an operator for several days at once, such as a month, compared both ways.

use super::{
    error::{DashboardError, redirect},
    fields::typed_day,
    state::DashboardState,
    statement::{exception, sum_rows},
    statements::entitled_operators,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use jiff::civil::Date;
use minijinja::context;
use serde::Deserialize;

/// The most days that are compared at once.
const MAX_DAYS: i32 = 31;

/// The query of `GET /statements/period`.
#[derive(Debug, Deserialize)]
pub(super) struct PeriodQuery {
    #[serde(default)]
    operator: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
}

/// `GET /statements/period`: how the lines of all statements and the payments of some days agree,
/// with sums. Without days that can be read it leads back to the list.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(asked): Query<PeriodQuery>,
) -> Result<Response, DashboardError> {
    let days = typed_day(&asked.from).zip(typed_day(&asked.to));
    let is_readable = |(from, to): &(Date, Date)| from <= to && (*to - *from).get_days() < MAX_DAYS;
    let Some(days) = days.filter(is_readable) else {
        return Ok(redirect(&visitor.href("/statements?fault=period")));
    };
    let operators = entitled_operators(&state, &visitor).await?;
    let operator = operators.iter().find(|one| one.pin.name.as_str() == asked.operator);
    let operator = operator.ok_or(DashboardError::NotFound)?;
    let fingerprint = &operator.pin.fingerprint;
    let found = state.day_closing.verify_period(Some(fingerprint), days).await?.found;
    let values = context! {
        operator => operator.pin.name.as_str(),
        from => days.0.to_string(),
        to => days.1.to_string(),
        lines => found.lines,
        agreeing => found.lines - found.differing_lines(),
        differing => found.differing_lines(),
        missing => found.missing_transactions(),
        agrees => found.agrees(),
        is_empty => found.is_empty(),
        sums => sum_rows(&found),
        rows => found.listed.iter().map(exception).collect::<Vec<_>>(),
        cut => found.is_cut().then_some("statement"),
    };
    Ok(visitor.page("statement_period.html", values))
}
