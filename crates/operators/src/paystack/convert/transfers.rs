//! Transfers, which pay out, and their recipients.

use super::{
    ExpectedOrder, Refusal, failed, failure_code, fulfilled, pesewas, read, refusal, report, text,
};
use crate::{
    connection::Reply,
    paystack::wire::{Recipient, Transaction},
};
use reqwest::StatusCode;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Kind,
    ports::{Report, SendResponse, StatusResponse},
    transfer::OperatorDetails,
};

/// A recipient, from the response to `POST /transferrecipient`.
///
/// # Errors
/// The response to the payout: no transfer was sent. An explicit refusal of the recipient is final.
pub(crate) fn recipient(reply: &Reply) -> Result<Recipient, SendResponse> {
    if let Some(recipient) = fulfilled(reply).and_then(|body| body.data::<Recipient>()) {
        return Ok(recipient);
    }
    let Some((status, body)) = read(reply) else { return Err(SendResponse::NotSent) };
    match refusal(status, &body, Kind::Payout) {
        Refusal::NothingAccepted(code) => Err(failed(code).into()),
        Refusal::Duplicate | Refusal::NotFound | Refusal::Unclear => Err(SendResponse::NotSent),
    }
}

/// Whether a transfer was refused because its recipient does not exist.
pub(crate) fn refuses_recipient(reply: &Reply) -> bool {
    let Some((status, body)) = read(reply) else { return false };
    status.is_client_error()
        && !body.status
        && body.code.as_deref() == Some("invalid_transfer_recipient")
}

/// The response to `POST /transfer`.
pub(crate) fn transfer_response(reply: &Reply, expected: ExpectedOrder<'_>) -> SendResponse {
    if *reply == Reply::NotSent {
        return SendResponse::NotSent;
    }
    let Some((status, body)) = read(reply) else { return reply.unclear().into() };
    if status.is_success() && body.status {
        let report = body.data().and_then(|data| transfer_report(&data, expected.reference));
        return report.unwrap_or_else(|| Observation::Ambiguous.into()).into();
    }
    match refusal(status, &body, Kind::Payout) {
        Refusal::Duplicate => SendResponse::Duplicate,
        Refusal::NothingAccepted(code) => failed(code).into(),
        Refusal::NotFound | Refusal::Unclear => reply.unclear().into(),
    }
}

/// The response to `GET /transfer/verify/{reference}`.
pub(crate) fn transfer_status(reply: &Reply, expected: ExpectedOrder<'_>) -> StatusResponse {
    let Some((status, body)) = read(reply) else { return StatusResponse::Unanswered };
    if status.is_success() && body.status {
        let report = body.data().and_then(|data| transfer_report(&data, expected.reference));
        return report.map_or(StatusResponse::Unanswered, StatusResponse::Known);
    }
    match refusal(status, &body, Kind::Payout) {
        Refusal::NotFound
            if status == StatusCode::NOT_FOUND || status == StatusCode::BAD_REQUEST =>
        {
            StatusResponse::NeverReceived
        }
        _ => StatusResponse::Unanswered,
    }
}

/// What a transfer's data reports; `None` where the status is not documented. Which statuses are
/// conclusive: paystack.com/docs/transfers/how-transfers-work, read in November 2026.
fn transfer_report(transfer: &Transaction, reference: &str) -> Option<Report> {
    let observation = match transfer.status.as_deref()? {
        "success" => Observation::Succeeded,
        "failed" => Observation::Failed(failure_code(&transfer.failure_text(), Kind::Payout)),
        // Not approved by the merchant's server or not in time, or its code was not entered within
        // 30 minutes.
        "rejected" | "blocked" | "abandoned" => Observation::Failed(FailureCode::OperatorRefused),
        "reversed" => Observation::Reversed,
        // `otp` waits for a person who enters a code at Paystack.
        "pending" | "processing" | "queued" | "received" | "otp" => Observation::StillPending,
        _ => return None,
    };
    let fee = transfer.fee_charged.as_ref().filter(|_| observation == Observation::Succeeded);
    let details = OperatorDetails {
        transaction_id: text(transfer.id.as_ref()),
        order_id: transfer.transfer_code.clone(),
        fee_pesewas: pesewas(fee),
    };
    report(observation, transfer, reference, details)
}
