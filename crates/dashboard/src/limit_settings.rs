//! The limits of payouts and refunds on the page Settings: their form, and the decision about a
//! request to lift some of them.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    settings::{LIMITS, RefusedForm, SAVED_PATH, changed_limits, is_own, page},
    state::DashboardState,
    visitor::Visitor,
};
use axum::{extract::State, response::Response};
use jiff::Timestamp;
use tua_domain::{
    limit_lift::{LiftDecision, LiftRefusal, LimitLift},
    payout_controls::{Ceiling, ControlsChange},
    ports::LiftError,
};

/// `POST /settings/payouts`: changes the limits of payouts; an empty field removes a limit. Lifting
/// a limit waits for a second person if the account has one.
pub(super) async fn limit_payouts(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = LIMITS.map(|field| fields.visible(field));
    let parse_limit =
        |text: &String| if text.is_empty() { Ok(None) } else { text.parse::<Ceiling>().map(Some) };
    let limits = typed.each_ref().map(parse_limit);
    let [Ok(limit), Ok(daily_limit), Ok(approval_above), Ok(refund_approval_above)] = &limits
    else {
        let faults = LIMITS.iter().zip(&limits).filter(|(_, limit)| limit.is_err());
        let faults = faults.map(|(field, _)| (*field, "fault-amount".to_owned())).collect();
        return page(
            &state,
            &visitor,
            "",
            RefusedForm { limits: Some(typed), faults, ..RefusedForm::default() },
        )
        .await;
    };
    let change = ControlsChange {
        limit: (*limit).into(),
        daily_limit: (*daily_limit).into(),
        approval_above: (*approval_above).into(),
        refund_approval_above: (*refund_approval_above).into(),
    };
    if !is_confirmed(&fields)
        && let Some(question) = lift_question(&state, &visitor, change, typed).await?
    {
        return Ok(question.page(&visitor));
    }
    let by = visitor.audit(&state);
    let requested = state.payout_limits.request(&visitor.scope, change, &by).await?;
    Ok(redirect(&visitor.href(if requested.lift.is_some() {
        "/settings?done=lift-requested"
    } else {
        SAVED_PATH
    })))
}

/// The question before limits are lifted; `None` where the change lifts none.
async fn lift_question(
    state: &DashboardState,
    visitor: &Visitor,
    change: ControlsChange,
    typed: [String; 4],
) -> Result<Option<Confirmation>, DashboardError> {
    let before = state.payout_limits.read(&visitor.scope).await?.controls;
    let (_, lift) = change.split_lift(before);
    let limits = changed_limits(before, lift);
    Ok((!limits.is_empty()).then(|| Confirmation {
        limits,
        fields: LIMITS.into_iter().zip(typed).collect(),
        ..Confirmation::of(
            "confirm-own-lift",
            visitor.account.name.clone(),
            "/settings/payouts".to_owned(),
            "/settings",
        )
    }))
}

/// `POST /settings/payouts/approve`: approves the lift of limits that another person requested.
pub(super) async fn approve_lift(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    ask_or_decide(&state, &visitor, &fields, LiftDecision::Approve).await
}

/// `POST /settings/payouts/refuse`: refuses the lift of limits that another person requested.
pub(super) async fn refuse_lift(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    ask_or_decide(&state, &visitor, &fields, LiftDecision::Refuse).await
}

/// Asks before a decision. A decision about one's own request is refused without a question.
async fn ask_or_decide(
    state: &DashboardState,
    visitor: &Visitor,
    fields: &Fields,
    decision: LiftDecision,
) -> Result<Response, DashboardError> {
    if !is_confirmed(fields) {
        let current = state.payout_limits.read(&visitor.scope).await?;
        let asked_at = fields.get("asked-at");
        let asked: Timestamp = asked_at.parse().map_err(|_| DashboardError::NotFound)?;
        let waiting = current.lift.as_ref().map(|waiting| &waiting.lift);
        let is_asked = |lift: &&LimitLift| lift.asked_at == asked && !is_own(visitor, lift);
        if let Some(lift) = waiting.filter(is_asked) {
            let (key, action) = match decision {
                LiftDecision::Approve => ("confirm-lift", "/settings/payouts/approve"),
                LiftDecision::Refuse => ("confirm-refuse-lift", "/settings/payouts/refuse"),
            };
            let question = Confirmation {
                limits: changed_limits(current.controls, lift.change),
                fields: vec![("asked-at", asked_at.to_owned())],
                ..Confirmation::of(key, lift.asked_by.clone(), action.to_owned(), "/settings")
            };
            return Ok(question.page(visitor));
        }
    }
    decide_lift(state, visitor, fields, decision).await
}

async fn decide_lift(
    state: &DashboardState,
    visitor: &Visitor,
    fields: &Fields,
    decision: LiftDecision,
) -> Result<Response, DashboardError> {
    let asked_at =
        fields.get("asked-at").parse::<Timestamp>().map_err(|_| DashboardError::NotFound)?;
    let by = visitor.audit(state);
    let done = match state.payout_limits.decide(&visitor.scope, asked_at, decision, &by).await {
        Ok(_) if decision == LiftDecision::Approve => "lift-approved",
        Ok(_) => "lift-refused",
        Err(LiftError::Refused(LiftRefusal::OwnRequest)) => {
            return Err(DashboardError::NotPermitted);
        }
        Err(LiftError::Refused(LiftRefusal::NotWaiting)) => {
            return page(state, visitor, "", RefusedForm::lift_ended()).await;
        }
        Err(LiftError::Store(error)) => return Err(error.into()),
    };
    Ok(redirect(&visitor.href(&format!("/settings?done={done}"))))
}
