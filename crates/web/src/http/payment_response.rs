//! The responses to charges, payouts and refunds.

use super::{idempotent, logged_resource::with_resource, problem::ApiError, refusals::internal};
use axum::{http::StatusCode, response::Response};
use tua_api::resources::{RefundView, TransactionForCallerWithMessage};
use tua_contract::{State, Step};
use tua_domain::{Caller, Kind, Transaction};
use tua_use_cases::IdempotentResult;

/// The 202 for a payment that was begun, now or by an earlier request with the same key.
pub(super) fn accepted(
    IdempotentResult { value: transaction, is_replay }: &IdempotentResult<Transaction>,
    caller: &Caller,
) -> Result<Response, ApiError> {
    let view = TransactionForCallerWithMessage::new(initiation(transaction), transaction, caller);
    let response = idempotent::response(StatusCode::ACCEPTED, &view, *is_replay)?;
    Ok(with_resource(response, transaction.order.id.as_str()))
}

/// The text about a payment that was begun.
pub(super) fn initiation(transaction: &Transaction) -> &'static str {
    match (transaction.state, transaction.order.transfer.kind) {
        (State::Pending(Step::ApproveOnPhone), _) => {
            "Started. The payer must approve it on the phone."
        }
        (State::Pending(Step::EnterOtp), _) => {
            "Started. The payer must enter the passcode that the operator sent."
        }
        (State::Pending(Step::EnterVoucher), _) => {
            "Started. The payer must create a voucher on the phone and enter it."
        }
        (State::Pending(Step::ApproveInDashboard), _) => {
            "Accepted, not sent. A person must approve this payout. Until then no money moves."
        }
        (State::Pending(Step::Wait), Kind::Charge) => "Started. The outcome is not known yet.",
        (State::Pending(Step::Wait), Kind::Payout) => "Accepted. The outcome is not known yet.",
        (State::Successful, _) => "Successful. The money has moved.",
        (State::Failed(_), _) if transaction.conflict.is_some() => {
            "Failed. The member failure shows the reason, and whether money moved."
        }
        (State::Failed(_), _) => "Failed. No money moved. The member failure shows the reason.",
    }
}

/// A refund as a secret key sees it.
///
/// # Errors
/// 500 for a transaction that is none, which the use cases do not return.
pub(super) fn refund_view(refund: &Transaction) -> Result<RefundView<'_>, ApiError> {
    refund.order.refund.as_ref().map(|of| RefundView::new(refund, of)).ok_or_else(internal)
}
