//! Refunds: all of an account, and the form that begins one.

use super::{
    error::{DashboardError, redirect},
    fields::Fields,
    payment::{self, PathValues},
    state::DashboardState,
    views,
    visitor::Visitor,
};
use crate::domain::{
    Transaction, TransactionId,
    idempotency::IdempotencyKey,
    listing::{Cursor, Filter, Page, RefundFilter},
    ports::BeginError,
    refund::{self, NotRefundable, RefundRefused},
    review::Note,
    use_cases::{Asker, RefundRequest},
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use tua_contract::Amount;

/// How many refunds a page shows.
const ROWS: usize = 50;

/// Where the page begins.
#[derive(Debug, Deserialize)]
pub(super) struct After {
    #[serde(default)]
    after: String,
}

/// `GET /refunds`: newest first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(after): Query<After>,
) -> Result<Response, DashboardError> {
    let page = Page { limit: ROWS as u32 + 1, after: Cursor::read(&after.after) };
    let filter = Filter { refunds: RefundFilter::All, ..Filter::default() };
    let mut refunds = state.store.transactions(&visitor.scope, filter, page).await?;
    let has_more = refunds.len() > ROWS;
    refunds.truncate(ROWS);
    let next = refunds.last().filter(|_| has_more).map(|last| Cursor::after(last).write());
    let rows = refunds.iter().map(row).collect::<Vec<_>>();
    Ok(visitor.page("refunds.html", context! { rows, next }))
}

/// A refund, with its charge and how the money returns.
pub(super) fn row(refund: &Transaction) -> Value {
    let of = refund.begun.refund.as_ref();
    let is_decided = !refund.begun.needs_approval || refund.approved_at.is_some();
    context! {
        charge => of.map(|of| of.charge.as_str()),
        method => of.filter(|_| is_decided).map(|of| of.method.as_str()),
        reason => &refund.begun.details.payer_message,
        ..views::transaction(refund)
    }
}

/// What a person fills in.
#[derive(Debug, Default)]
pub(super) struct RefundForm {
    amount: String,
    reason: String,
    /// Whether to return the money by a payout, after the operator's own refund failed.
    is_by_payout: bool,
    /// The same each time that the same form is sent, so that two clicks make one refund.
    key: String,
}

impl RefundForm {
    fn of(fields: &Fields) -> Self {
        let get = |name| fields.get(name).trim().to_owned();
        let is_by_payout = !get("by-payout").is_empty();
        Self { amount: get("amount"), reason: get("reason"), is_by_payout, key: get("key") }
    }

    /// The request, or the key of the text that says what is wrong.
    fn read(&self, charge: &Transaction) -> Result<(RefundRequest, IdempotencyKey), &'static str> {
        let amount = match self.amount.as_str() {
            "" => None,
            text => Some(Amount::parse(text).map_err(|_| "fault-refund-amount")?),
        };
        let reason = match self.reason.as_str() {
            "" => None,
            text => Some(Note::parse(text).map_err(|_| "fault-refund-reason")?.as_str().to_owned()),
        };
        let key = IdempotencyKey::parse(self.key.as_bytes()).ok_or("fault-refund-form")?;
        let charge = charge.begun.id.clone();
        Ok((RefundRequest { charge, amount, reason, is_by_payout: self.is_by_payout }, key))
    }

    /// The form as the page shows it, with what is left to refund; `None` where nothing can be refunded.
    pub(super) fn show(&self, charge: &Transaction, refunds: &[Transaction]) -> Option<Value> {
        let left = refund::left(charge).ok().filter(|left| *left > 0)?;
        let key = if self.key.is_empty() { TransactionId::mint().as_str().to_owned() } else { self.key.clone() };
        Some(context! {
            left => views::cedis(left),
            key,
            amount => &self.amount,
            reason => &self.reason,
            can_be_by_payout => refunds.iter().any(refund::is_failed_by_operator),
            is_by_payout => self.is_by_payout,
        })
    }
}

/// `POST /payments/{id}/refund`: begins a refund of a charge.
pub(super) async fn begin(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let charge = payment::find(&state, &visitor, &path).await?;
    let form = RefundForm::of(&fields);
    let fault = match form.read(&charge) {
        Err(fault) => fault,
        Ok((request, key)) => {
            let asker = Asker::Person(visitor.scope.clone(), visitor.audit(&state));
            match state.refunds.begin(asker, request, key).await {
                Ok(begun) => {
                    let id = &begun.value.begun.id;
                    return Ok(redirect(&visitor.href(&format!("/payments/{id}?done=refund"))));
                }
                Err(error) => fault_of(error)?,
            }
        }
    };
    payment::refused_refund(&state, &visitor, &charge, form, fault).await
}

/// The key of the text that says why the refund was refused.
fn fault_of(error: BeginError) -> Result<&'static str, DashboardError> {
    Ok(match error {
        BeginError::Refund(RefundRefused::ExceedsPayment { .. }) => "fault-refund-exceeds",
        BeginError::Refund(RefundRefused::NotRefundable(NotRefundable::NoFailedRefund)) => "fault-refund-by-payout",
        BeginError::Refund(RefundRefused::NotRefundable(_)) => "fault-not-refundable",
        BeginError::LimitExceeded(_) => "fault-refund-limit",
        BeginError::AccountSuspended => "fault-refund-suspended",
        BeginError::Unroutable(_) => "fault-refund-unroutable",
        BeginError::Repeat(_) => "fault-refund-form",
        BeginError::ChargeNotFound => return Err(DashboardError::NotFound),
        BeginError::Store(error) => return Err(error.into()),
        _ => "fault-refund-later",
    })
}
