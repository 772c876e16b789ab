//! `POST /v1/payouts/{transactionId}/cancel` (docs/reference/endpoints.md#cancel-a-payout).

use super::{
    access, auth::Authenticated, body::read_no_members, problem::ApiError, segment::Segment,
    state::BodyTimeout,
};
use axum::{
    Json,
    extract::{Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use tua_api::resources::{Outcome, TransactionView};
use tua_domain::{Caller, TransactionId};
use tua_use_cases::{Payouts, Resource};

/// The message of the response.
pub(super) const CANCELLED: &str = "Cancelled. The payout was not sent, and no money moved.";

/// Cancels a payout that is not handed over to its operator.
pub(super) async fn cancel_payout(
    State(payouts): State<Payouts>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.v2_key(access::CANCEL_PAYOUT)?);
    read_no_members(request, timeout).await?;
    let transaction = payouts.cancel(&caller, Resource::Payment, &TransactionId::new(id)).await?;
    let view =
        Outcome { message: CANCELLED, transaction: TransactionView::new(&transaction, &caller) };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response())
}
