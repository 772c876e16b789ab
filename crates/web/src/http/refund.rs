//! `POST /v1/refunds` and `POST /v1/refunds/{refundId}/cancel` (docs/reference/refunds.md).

use super::{
    access,
    auth::Authenticated,
    body::{JsonBody, read_no_members},
    idempotent,
    problem::ApiError,
    refusals::internal,
    segment::Segment,
    state::BodyTimeout,
};
use axum::{
    Json,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tua_api::{
    resources::RefundView,
    values::{Amount, Note, RefundByPayout, reject_control_characters},
};
use tua_domain::{Caller, Transaction, TransactionId};
use tua_use_cases::{Payouts, RefundRequest, Refunds, Requester, Resource};
use utoipa::ToSchema;

/// A refund of a charge, of all or a part of it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RefundRequest)]
pub(super) struct RefundBody {
    /// The identifier of the charge to refund.
    #[schema(pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$")]
    transaction_id: String,
    /// How much to return. Absent: all that is left of the payment.
    amount: Option<Amount>,
    /// A private note of the merchant.
    reason: Option<Note>,
    /// Only after a refund by the operator failed: return the money by a payout.
    method: Option<RefundByPayout>,
}

/// `POST /v1/refunds`: begins a refund of a charge of the key's account and mode.
pub(super) async fn create_refund(
    State(refunds): State<Refunds>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(access::CREATE_REFUND)?;
    let idempotency_key = idempotent::required_key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let body = body.object()?.require("transactionId", |id: &String| reject_control_characters(id));
    let RefundBody { transaction_id, amount, reason, method } = body.read()?;
    let request = RefundRequest {
        charge: TransactionId::new(transaction_id),
        amount: amount.map(|amount| amount.0),
        reason: reason.map(|Note(text)| text),
        is_by_payout: method.is_some(),
    };
    let begun = refunds.begin(Requester::Key(key), request, idempotency_key).await?;
    idempotent::response(StatusCode::ACCEPTED, &view(&begun.value)?, begun.is_replay)
}

/// Cancels a refund that is not handed over to its operator.
pub(super) async fn cancel_refund(
    State(payouts): State<Payouts>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.v2_key(access::CANCEL_REFUND)?);
    read_no_members(request, timeout).await?;
    let refund = payouts.cancel(&caller, Resource::Refund, &TransactionId::new(id)).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(view(&refund)?)).into_response())
}

/// A refund as a secret key sees it.
///
/// # Errors
/// 500 for a transaction that is none, which the use cases do not return.
pub(super) fn view(refund: &Transaction) -> Result<RefundView<'_>, ApiError> {
    refund.order.refund.as_ref().map(|of| RefundView::new(refund, of)).ok_or_else(internal)
}
