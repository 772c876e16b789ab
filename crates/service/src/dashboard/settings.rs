//! The settings of an account: its name, and the limits of its payouts in the mode of the page.

use super::{
    error::{DashboardError, redirect},
    fields::Fields,
    state::DashboardState,
    visitor::Visitor,
};
use crate::domain::{
    payout_controls::{Ceiling, ControlsChange},
    ports::AccountChange,
    use_cases::enrolments::name,
};
use axum::{extract::State, http::StatusCode, response::Response};
use minijinja::{Value, context};

/// The names of the fields with limits.
const LIMITS: [&str; 4] = ["limit", "daily-limit", "approval-above", "refund-approval-above"];

/// `GET /settings`.
pub(super) async fn show(State(state): State<DashboardState>, visitor: Visitor) -> Result<Response, DashboardError> {
    let limits = stored(&state, &visitor).await?;
    Ok(page(&visitor, &visitor.account.name, &limits, &[]))
}

async fn stored(state: &DashboardState, visitor: &Visitor) -> Result<[String; 4], DashboardError> {
    let controls = state.store.payout_controls(&visitor.scope).await?;
    let text = |ceiling: Option<Ceiling>| ceiling.map_or_else(String::new, |ceiling| ceiling.to_string());
    Ok([controls.limit, controls.daily_limit, controls.approval_above, controls.refund_approval_above].map(text))
}

fn page(visitor: &Visitor, name: &str, limits: &[String; 4], faults: &[&str]) -> Response {
    let status = if faults.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let fields = LIMITS.iter().zip(limits).map(|(field, value)| {
        context! { field => *field, value, has_fault => faults.contains(field) }
    });
    let fields: Vec<Value> = fields.collect();
    visitor.page_with(status, "settings.html", context! { name, has_fault => faults.contains(&"name"), fields })
}

/// `POST /settings/name`.
pub(super) async fn rename(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = fields.get("name");
    let Some(name) = name(typed) else {
        return Ok(page(&visitor, typed, &stored(&state, &visitor).await?, &["name"]));
    };
    let by = visitor.audit(&state);
    state.store.change_account(&visitor.account.id, AccountChange::Rename(name), &by).await?;
    Ok(redirect(&visitor.href("/settings")))
}

/// `POST /settings/payouts`: an empty field lifts a limit.
pub(super) async fn limit_payouts(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = LIMITS.map(|field| fields.get(field).trim().to_owned());
    let read = |text: &String| if text.is_empty() { Ok(None) } else { text.parse::<Ceiling>().map(Some) };
    let limits = [read(&typed[0]), read(&typed[1]), read(&typed[2]), read(&typed[3])];
    let [Ok(limit), Ok(daily_limit), Ok(approval_above), Ok(refund_approval_above)] = &limits else {
        let faults = LIMITS.iter().zip(&limits).filter(|(_, limit)| limit.is_err()).map(|(field, _)| *field);
        return Ok(page(&visitor, &visitor.account.name, &typed, &faults.collect::<Vec<_>>()));
    };
    let change = ControlsChange {
        limit: Some(*limit),
        daily_limit: Some(*daily_limit),
        approval_above: Some(*approval_above),
        refund_approval_above: Some(*refund_approval_above),
    };
    let by = visitor.audit(&state);
    state.store.set_payout_controls(&visitor.scope, change, &by).await?;
    Ok(redirect(&visitor.href("/settings")))
}
