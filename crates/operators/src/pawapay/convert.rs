//! From pawaPay's responses to what they reveal. Pure functions.

use super::{
    reasons::{OrderKind, failed, refusal, rejected},
    wire::{ErrorBody, FailureReason, InitiatedBody, OrderData, StatusBody},
};
use crate::{
    connection::{Reply, Response},
    exact::ExactText,
};
use reqwest::StatusCode;
use tua_contract::{
    Amount,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    ports::{Receipt, Report, SendResponse, StatusResponse},
    transfer::OperatorDetails,
};

/// The currency of all orders and balances (ISO 4217).
pub(super) const CURRENCY: &str = "GHS";

/// What an order waits for that pawaPay has and has not decided: a deposit for the payer's
/// approval.
const fn pending(kind: OrderKind) -> Observation {
    match kind {
        OrderKind::Deposit => Observation::Awaits(Step::ApproveOnPhone),
        OrderKind::Payout | OrderKind::Refund => Observation::StillPending,
    }
}

/// The response to a send.
pub(super) fn sent(reply: Reply, kind: OrderKind, reference: &str) -> SendResponse {
    let unclear = reply.unclear();
    let response = match reply {
        Reply::NotSent => return SendResponse::NotSent,
        Reply::NoResponse => return unclear.into(),
        Reply::Response(response) => response,
    };
    if response.status == StatusCode::OK {
        let body: Option<InitiatedBody> = response.json();
        return body.map_or_else(
            || Observation::Ambiguous.into(),
            |body| initiated(body, kind, reference),
        );
    }
    // A refused request was not accepted; every other error, above all 500, leaves the outcome
    // open.
    match error_code(&response).and_then(|code| refusal(response.status.as_u16(), &code)) {
        Some(report) => report.into(),
        None => unclear.into(),
    }
}

/// The documented code of a refused request.
pub(super) fn error_code(response: &Response) -> Option<String> {
    response.json().and_then(|body: ErrorBody| body.failure_reason.failure_code)
}

fn initiated(body: InitiatedBody, kind: OrderKind, reference: &str) -> SendResponse {
    let InitiatedBody { deposit_id, payout_id, refund_id, status, next_step, failure_reason } =
        body;
    let id = id(kind, deposit_id, payout_id, refund_id);
    if id.as_ref().is_some_and(|id| id != reference) {
        return Observation::Ambiguous.into();
    }
    match status.as_str() {
        // GET_AUTH_URL: the payer would approve on a page of the provider's, which no provider in
        // Ghana has.
        "ACCEPTED" if next_step.is_some_and(|step| step != "FINAL_STATUS") => {
            Observation::StillPending.into()
        }
        "ACCEPTED" => pending(kind).into(),
        "DUPLICATE_IGNORED" => SendResponse::Duplicate,
        // Every documented answer names the order, so one that does not may be about another
        // request.
        "REJECTED" if id.is_none() => Observation::Ambiguous.into(),
        "REJECTED" => match code(failure_reason.as_ref()) {
            // pawaPay asks not to take this code for a failure.
            Some("UNKNOWN_ERROR") => Observation::Ambiguous.into(),
            code => rejected(code, kind).into(),
        },
        _ => Observation::Ambiguous.into(),
    }
}

fn code(reason: Option<&FailureReason>) -> Option<&str> {
    reason.and_then(|reason| reason.failure_code.as_deref())
}

/// The text beside the code; empty if there is none.
fn text(reason: Option<&FailureReason>) -> &str {
    reason.and_then(|reason| reason.failure_message.as_str()).unwrap_or_default()
}

fn id(
    kind: OrderKind,
    deposit: Option<String>,
    payout: Option<String>,
    refund: Option<String>,
) -> Option<String> {
    match kind {
        OrderKind::Deposit => deposit,
        OrderKind::Payout => payout,
        OrderKind::Refund => refund,
    }
}

/// The response to a status read.
pub(super) fn status(response: &Response, kind: OrderKind, reference: &str) -> StatusResponse {
    let body: Option<StatusBody> = response.json().filter(|_| response.status == StatusCode::OK);
    let Some(StatusBody { status, data }) = body else { return StatusResponse::Unanswered };
    match (status.as_str(), data) {
        ("FOUND", Some(data)) => {
            known(data, kind, reference).map_or(StatusResponse::Unanswered, StatusResponse::Known)
        }
        ("NOT_FOUND", None) => StatusResponse::NeverReceived,
        _ => StatusResponse::Unanswered,
    }
}

/// The order as pawaPay has it; `None` where its status is not known to us, or where it is another
/// order that has failed.
fn known(data: OrderData, kind: OrderKind, reference: &str) -> Option<Report> {
    let id = id(kind, data.deposit_id, data.payout_id, data.refund_id);
    let is_reference_right = id.as_deref() == Some(reference);
    let report: Report = match data.status.as_str() {
        "COMPLETED" => Observation::Succeeded.into(),
        "FAILED" if !is_reference_right => return None,
        "FAILED" => {
            let reason = data.failure_reason.as_ref();
            failed(code(reason), text(reason), kind)
        }
        "ACCEPTED" | "PROCESSING" => pending(kind).into(),
        // The provider's outcome is not known to pawaPay, and the payer has nothing to do.
        "IN_RECONCILIATION" | "ENQUEUED" => Observation::Awaits(Step::Wait).into(),
        _ => return None,
    };
    let receipt = Receipt {
        amount: data.amount.and_then(|amount| Amount::parse(amount.as_str()).ok()),
        is_currency_right: data.currency.as_deref() == Some(CURRENCY),
        is_reference_right,
    };
    let transaction_id = data.provider_transaction_id.map(|ExactText(id)| id);
    let details = OperatorDetails { transaction_id, ..OperatorDetails::NONE };
    Some(report.with_receipt(receipt).with_details(details))
}

/// Whether pawaPay accepted the cancellation of an order that it holds back.
pub(super) fn is_cancellation_accepted(reply: &Reply) -> bool {
    let Reply::Response(response) = reply else { return false };
    let body: Option<InitiatedBody> = response.json().filter(|_| response.status == StatusCode::OK);
    body.is_some_and(|body| body.status == "ACCEPTED")
}

#[cfg(test)]
mod tests;
