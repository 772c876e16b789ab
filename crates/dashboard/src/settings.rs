//! The settings of an account: its name, its branding, and the limits of its payouts in the mode of
//! the page.

use super::{
    accent,
    error::{DashboardError, redirect},
    fields::Fields,
    notice::Notice,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use jiff::Timestamp;
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tua_domain::{
    Mode,
    limit_lift::{LiftDecision, LiftRefusal},
    mail::QueuedMail,
    payout_controls::{Ceiling, ControlsChange, PayoutControls},
    ports::{AccountChange, LiftError},
    privacy::DAYS_OF_YEAR,
};
use tua_use_cases::{CurrentLimits, WaitingLift, enrolments::name};

/// The names of the fields with limits.
const LIMITS: [&str; 4] = ["limit", "daily-limit", "approval-above", "refund-approval-above"];

/// A form that was refused: what was typed into it, and its faults.
#[derive(Debug, Default)]
pub(super) struct RefusedForm<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) limits: Option<[String; 4]>,
    pub(super) accent: Option<&'a str>,
    /// The names of fields, each with the id of the text of its fault.
    pub(super) faults: BTreeMap<&'static str, String>,
}

impl RefusedForm<'_> {
    /// The change that was to be decided does not wait any more.
    fn lift_ended() -> Self {
        Self {
            faults: BTreeMap::from([(LIFT, "settings-lift-ended".to_owned())]),
            ..Self::default()
        }
    }
}

/// In the faults, the change that waits for a second person.
const LIFT: &str = "lift";

/// The page after a form of it was stored.
pub(super) const SAVED: &str = "/settings?done=saved";

/// `GET /settings`: the account's settings, and a lift of limits that waits for a second person.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    page(&state, &visitor, notice.key(), RefusedForm::default()).await
}

/// The limits as the fields of the form show them; empty for none.
fn written(controls: PayoutControls) -> [String; 4] {
    let text =
        |ceiling: Option<Ceiling>| ceiling.map_or_else(String::new, |ceiling| ceiling.to_string());
    [controls.limit, controls.daily_limit, controls.approval_above, controls.refund_approval_above]
        .map(text)
}

/// The page with every form, one of which may have been refused.
pub(super) async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    notice: &str,
    refused: RefusedForm<'_>,
) -> Result<Response, DashboardError> {
    let RefusedForm { name, limits, accent, faults } = refused;
    let status = if faults.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let current = state.payout_limits.read(&visitor.scope).await?;
    let limits = limits.unwrap_or_else(|| written(current.controls));
    let fields: Vec<Value> = LIMITS
        .iter()
        .zip(limits)
        .map(|(field, value)| context! { field => *field, value })
        .collect();
    let all = LIMITS.iter().chain(&["name", "accent", "logo", LIFT]);
    let fields_in_order = ["name", "accent", "logo"].iter().chain(&LIMITS);
    let first_fault = fields_in_order.copied().find(|field| faults.contains_key(field));
    let faults: BTreeMap<_, _> = all.map(|field| (*field, faults.get(field).cloned())).collect();
    let name = name.unwrap_or(&visitor.account.name);
    let (is_mail_on, given_up) =
        (state.mail_outbox.is_on().await?, given_up(state, visitor).await?.len());
    let values = context! {
        name,
        notice,
        fault => "",
        receipts => visitor.account.sends_receipts,
        is_mail_on,
        given_up,
        fields,
        faults,
        first_fault,
        branding => branding(visitor, accent),
        lift => lift(visitor, &current),
        retention => retention(state, visitor.scope.mode),
    };
    Ok(visitor.page_with(status, "settings.html", values))
}

/// The change of limits that waits for a second person.
fn lift(visitor: &Visitor, current: &CurrentLimits) -> Option<Value> {
    let WaitingLift { lift, can_be_decided } = current.lift.as_ref()?;
    let before = current.controls;
    let after = lift.change.apply(before);
    let rows = LIMITS.iter().zip(before.named().into_iter().zip(after.named()));
    let text = |ceiling: Option<Ceiling>| ceiling.map(|ceiling| ceiling.to_string());
    let rows = rows.filter(|(_, ((_, old), (_, new)))| old != new);
    let rows: Vec<Value> = rows
        .map(|(field, ((_, old), (_, new)))| {
            context! {
                field => *field,
                before => text(old),
                after => text(new),
            }
        })
        .collect();
    Some(context! {
        rows,
        can_be_decided,
        asked_by => &lift.asked_by,
        asked_at => lift.asked_at.to_string(),
        is_own => lift.asked_by == visitor.person.session.user.email.as_str(),
    })
}

/// How long what names a payer is kept in this mode before it may be erased; `None` if it may be
/// erased at once.
fn retention(state: &DashboardState, mode: Mode) -> Option<Value> {
    let days = match mode {
        Mode::Live => state.retention_live.as_hours() / 24,
        Mode::Test => 0,
    };
    let years = (days % DAYS_OF_YEAR == 0).then_some(days / DAYS_OF_YEAR);
    (days > 0).then(|| context! { days, years })
}

/// How many messages that were given up are shown.
const GIVEN_UP_SHOWN: u32 = 100;

/// The newest messages about the account that were given up.
async fn given_up(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Vec<QueuedMail>, DashboardError> {
    Ok(state.mail_outbox.given_up(&visitor.account.id, GIVEN_UP_SHOWN).await?)
}

/// `GET /settings/mail`: messages about the account that were given up, without addresses.
pub(super) async fn mail(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let found = given_up(&state, &visitor).await?;
    let row = |mail: &QueuedMail| {
        context! {
            id => mail.id.as_str(),
            kind => mail.kind.as_str(),
            status => mail.status.as_str(),
            attempts => mail.attempts,
            occurred_at => mail.occurred_at.to_string(),
            attempted_at => mail.attempted_at.map(|at| at.to_string()),
            fault => &mail.fault,
        }
    };
    Ok(visitor.page("mail.html", context! { rows => found.iter().map(row).collect::<Vec<_>>() }))
}

/// What the page shows of the branding. `typed` is the colour of a form that was refused.
fn branding(visitor: &Visitor, typed: Option<&str>) -> Value {
    let stored = visitor.account.branding.accent.map(|accent| accent.to_string());
    let chosen = typed.map(str::to_owned).or(stored).unwrap_or_default();
    context! { logo => logo_address(visitor), ..accent::values(visitor, &chosen) }
}

/// The address of the account's logo in the dashboard; `None` if it has none. A new logo has
/// another address, so that browsers do not show the old one.
pub(super) fn logo_address(visitor: &Visitor) -> Option<String> {
    let name = visitor.account.branding.logo.as_ref()?;
    Some(format!("{}?name={}", visitor.href("/settings/logo.png"), name.as_str()))
}

/// `POST /settings/name`: changes the account's name, as payers see it.
pub(super) async fn rename(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = fields.get("name");
    let Some(name) = name(typed) else {
        let faults = BTreeMap::from([("name", "fault-name".to_owned())]);
        return page(
            &state,
            &visitor,
            "",
            RefusedForm { name: Some(typed), faults, ..RefusedForm::default() },
        )
        .await;
    };
    let by = visitor.audit(&state);
    state.accounts.change(&visitor.account.id, AccountChange::Rename(name), &by).await?;
    Ok(redirect(&visitor.href(SAVED)))
}

/// `POST /settings/receipts`: turns receipts on where the box is checked, else off.
pub(super) async fn send_receipts(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let by = visitor.audit(&state);
    let change = AccountChange::SendReceipts(!fields.get("receipts").is_empty());
    state.accounts.change(&visitor.account.id, change, &by).await?;
    Ok(redirect(&visitor.href(SAVED)))
}

/// `POST /settings/payouts`: an empty field lifts a limit, which waits for a second person where
/// there is one.
pub(super) async fn limit_payouts(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = LIMITS.map(|field| fields.get(field).trim().to_owned());
    let read =
        |text: &String| if text.is_empty() { Ok(None) } else { text.parse::<Ceiling>().map(Some) };
    let limits = [read(&typed[0]), read(&typed[1]), read(&typed[2]), read(&typed[3])];
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
    let by = visitor.audit(&state);
    let requested = state.payout_limits.request(&visitor.scope, change, &by).await?;
    Ok(redirect(&visitor.href(if requested.lift.is_some() {
        "/settings?done=lift-requested"
    } else {
        SAVED
    })))
}

/// `POST /settings/payouts/approve`: lifts the limits that another person asked to lift.
pub(super) async fn approve_lift(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    decide_lift(&state, &visitor, &fields, LiftDecision::Approve).await
}

/// `POST /settings/payouts/refuse`: refuses to lift the limits that another person asked to lift.
pub(super) async fn refuse_lift(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    decide_lift(&state, &visitor, &fields, LiftDecision::Refuse).await
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
