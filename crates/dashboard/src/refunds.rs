//! Refunds: all of an account, and the form that begins one.

use super::{
    confirmation::confirmed_pesewas,
    error::{DashboardError, redirect},
    fields::Fields,
    payment::{self, PathValues},
    refund_form::{RefundForm, row},
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::context;
use serde::Deserialize;
use tua_contract::Amount;
use tua_domain::{
    idempotency::RepeatError,
    listing::Cursor,
    ports::BeginError,
    refund::{NotRefundable, RefundRefused},
};
use tua_use_cases::{RefundPage, RefundRequest, Requester};

/// How many refunds a page shows.
const ROWS: u32 = 50;

/// The query of `GET /refunds`.
#[derive(Debug, Deserialize)]
pub(super) struct RefundPageQuery {
    #[serde(default)]
    after: String,
}

/// `GET /refunds`: newest first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(query): Query<RefundPageQuery>,
) -> Result<Response, DashboardError> {
    let after = Cursor::read(&query.after);
    let RefundPage { refunds, next } = state.refund_lists.page(&visitor.scope, after, ROWS).await?;
    let next = next.map(|next| next.write());
    let rows = refunds.iter().map(row).collect::<Vec<_>>();
    Ok(visitor.page("refunds.html", context! { rows, next }))
}

/// `POST /payments/{id}/refund`: begins a refund of a charge.
pub(super) async fn begin(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let form = RefundForm::of(&fields);
    let response = begin_once(&state, &visitor, &path, &form, confirmed_pesewas(&fields)).await;
    let charge = path.get("id").map(String::as_str).unwrap_or_default();
    form.repeatable(charge).or_form_again(&visitor, response)
}

async fn begin_once(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
    form: &RefundForm,
    confirmed: Option<i64>,
) -> Result<Response, DashboardError> {
    let charge = payment::find(state, visitor, path).await?;
    let fault = match form.read(&charge) {
        Err(fault) => fault,
        // The sum that the person confirms is the one that is returned: an empty field has none.
        Ok((RefundRequest { amount, .. }, _))
            if amount.map(Amount::pesewas).is_none_or(|sum| confirmed != Some(sum)) =>
        {
            match form.confirmation(&charge) {
                Ok(confirmation) => return Ok(confirmation.page(visitor)),
                Err(fault) => fault,
            }
        }
        Ok((request, key)) => {
            let requester = Requester::Person(visitor.scope.clone(), visitor.audit(state));
            match state.refunds.begin(requester, request, key).await {
                Ok(completed) => {
                    let id = &completed.value.order.id;
                    return Ok(redirect(&visitor.href(&format!("/payments/{id}?done=refund"))));
                }
                Err(error) => fault_of(error)?,
            }
        }
    };
    payment::refused_refund(state, visitor, &charge, form, fault).await
}

/// The key of the text that says why the refund was refused.
fn fault_of(error: BeginError) -> Result<&'static str, DashboardError> {
    Ok(match error {
        BeginError::Refund(RefundRefused::ExceedsPayment { .. }) => "fault-refund-exceeds",
        BeginError::Refund(RefundRefused::NotRefundable(NotRefundable::NoFailedRefund)) => {
            "fault-refund-by-payout"
        }
        BeginError::Refund(RefundRefused::NotRefundable(_)) => "fault-not-refundable",
        BeginError::LimitExceeded(_) => "fault-refund-limit",
        BeginError::AccountSuspended => "fault-refund-suspended",
        BeginError::Unroutable(_) => "fault-refund-unroutable",
        BeginError::Repeat(RepeatError::InProgress) => "fault-refund-running",
        BeginError::Repeat(RepeatError::KeyReused) => "fault-refund-form",
        BeginError::ChargeNotFound => return Err(DashboardError::NotFound),
        BeginError::Store(error) => return Err(error.into()),
        _ => "fault-refund-later",
    })
}
