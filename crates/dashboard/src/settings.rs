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
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tua_domain::{
    Mode,
    limit_lift::LimitLift,
    line::parse_name,
    mail::QueuedMail,
    payout_controls::{Ceiling, ControlsChange, PayoutControls},
    ports::AccountChange,
    privacy::Retention,
};
use tua_use_cases::{CurrentLimits, WaitingLift};

/// The names of the form's fields with limits, in the order of [`PayoutControls::limits_by_name`].
pub(super) const LIMITS: [&str; 4] =
    ["limit", "daily-limit", "approval-above", "refund-approval-above"];

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
    /// A decision about a change of limits that does not wait any more.
    pub(super) fn lift_ended() -> Self {
        Self {
            faults: BTreeMap::from([(LIFT_FAULT, "settings-lift-ended".to_owned())]),
            ..Self::default()
        }
    }
}

/// The key of the fault about the change that waits for a second person.
const LIFT_FAULT: &str = "lift";

/// The path of the page after one of its forms was stored.
pub(super) const SAVED_PATH: &str = "/settings?done=saved";

/// `GET /settings`: the account's settings, and a lift of limits that waits for a second person.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    page(&state, &visitor, notice.key(), RefusedForm::default()).await
}

/// The limits as texts of the form's fields, in the order of [`LIMITS`]; empty for no limit.
fn limit_texts(controls: PayoutControls) -> [String; 4] {
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
    let limits = limits.unwrap_or_else(|| limit_texts(current.controls));
    let fields: Vec<Value> = LIMITS
        .iter()
        .zip(limits)
        .map(|(field, value)| context! { field => *field, value })
        .collect();
    let fault_keys = LIMITS.iter().chain(&["name", "accent", "logo", LIFT_FAULT]);
    let fields_in_order = ["name", "accent", "logo"].iter().chain(&LIMITS);
    let first_fault = fields_in_order.copied().find(|field| faults.contains_key(field));
    let faults: BTreeMap<_, _> =
        fault_keys.map(|field| (*field, faults.get(field).cloned())).collect();
    let name = name.unwrap_or(&visitor.account.name);
    let is_mail_on = state.mail_outbox.is_on(&visitor.account.id).await?;
    let given_up_count = given_up_mail(state, visitor).await?.len();
    let values = context! {
        name,
        notice,
        fault => "",
        receipts => visitor.account.sends_receipts,
        is_mail_on,
        given_up => given_up_count,
        fields,
        faults,
        first_fault,
        branding => branding(visitor, accent),
        lift => lift(visitor, &current),
        retention => retention(state, visitor.scope.mode),
    };
    Ok(visitor.page_with(status, "settings.html", values))
}

/// The limits that a change would lift, each with its values before and after.
pub(super) fn changed_limits(before: PayoutControls, lift: ControlsChange) -> Vec<Value> {
    let after = lift.apply(before);
    let rows = LIMITS.iter().zip(before.limits_by_name().into_iter().zip(after.limits_by_name()));
    let text = |ceiling: Option<Ceiling>| ceiling.map(|ceiling| ceiling.to_string());
    let rows = rows.filter(|(_, ((_, old), (_, new)))| old != new);
    rows.map(|(field, ((_, old), (_, new)))| {
        context! { field => *field, before => text(old), after => text(new) }
    })
    .collect()
}

/// Whether the visitor asked for this change of limits.
pub(super) fn is_own(visitor: &Visitor, lift: &LimitLift) -> bool {
    lift.asked_by == visitor.person.session.user.email.as_str()
}

/// The change of limits that waits for a second person, for the page.
fn lift(visitor: &Visitor, current: &CurrentLimits) -> Option<Value> {
    let WaitingLift { lift, can_be_decided } = current.lift.as_ref()?;
    let rows = changed_limits(current.controls, lift.change);
    Some(context! {
        rows,
        can_be_decided,
        asked_by => &lift.asked_by,
        asked_at => lift.asked_at.to_string(),
        is_own => is_own(visitor, lift),
    })
}

/// How long personal data of payers is kept in this mode before it may be erased; `None` if it may
/// be erased at once.
fn retention(state: &DashboardState, mode: Mode) -> Option<Value> {
    match (mode, state.retention_live) {
        (Mode::Test, _) | (Mode::Live, Retention::Years(0) | Retention::Days(0)) => None,
        (Mode::Live, Retention::Years(years)) => Some(context! { years, days => 0 }),
        (Mode::Live, Retention::Days(days)) => Some(context! { years => 0, days }),
    }
}

/// The largest number of given-up messages that are shown.
const GIVEN_UP_LIMIT: u32 = 100;

/// The newest messages about the account whose delivery was given up.
async fn given_up_mail(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Vec<QueuedMail>, DashboardError> {
    Ok(state.mail_outbox.given_up(&visitor.account.id, GIVEN_UP_LIMIT).await?)
}

/// `GET /settings/mail/given-up`: messages about the account whose delivery was given up, without
/// addresses.
pub(super) async fn show_given_up_mail(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let found = given_up_mail(&state, &visitor).await?;
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

/// The branding for the page. `typed` is the colour of a form that was refused.
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
    let Ok(name) = parse_name(typed) else {
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
    Ok(redirect(&visitor.href(SAVED_PATH)))
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
    Ok(redirect(&visitor.href(SAVED_PATH)))
}
