//! Refunds. Hubtel refunds the whole amount of a charge, which is named by Hubtel's order id.

use super::{Body, Reply, charge_status, is_address_not_listed};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::ports::{Receipt, RefundRefusal, Report, SendResponse, StatusResponse};

/// Whether a charge is eligible for a refund, by its status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RefundEligibility {
    /// The charge is paid. The text is Hubtel's order id, which the refund needs.
    Eligible(String),
    /// The charge is refunded already.
    AlreadyRefunded,
    /// The status is not known, or the charge is not paid.
    Unknown,
}

/// Reads the status of a charge before its refund.
pub(crate) fn refund_eligibility(reply: &Reply, reference: &str) -> RefundEligibility {
    match charge_status(reply, reference) {
        StatusResponse::Known(report) => match (report.observation, report.details.order_id) {
            (Observation::Succeeded, Some(order_id)) => RefundEligibility::Eligible(order_id),
            (Observation::Reversed, _) => RefundEligibility::AlreadyRefunded,
            _ => RefundEligibility::Unknown,
        },
        StatusResponse::NeverReceived | StatusResponse::Unanswered => RefundEligibility::Unknown,
    }
}

/// Converts the response to a refund request.
pub(crate) fn refund_response(reply: &Reply) -> SendResponse {
    let response = match reply {
        Reply::NotSent => return SendResponse::NotSent,
        Reply::NoResponse => return Observation::Ambiguous.into(),
        Reply::Response(response) => response,
    };
    if is_address_not_listed(response) {
        return Observation::Failed(FailureCode::NetworkUnavailable).into();
    }
    let Some(body) = Body::read(response) else { return Observation::Ambiguous.into() };
    match (response.status, body.code.as_str()) {
        (status, "0001" | "0000") if status.is_success() => Observation::StillPending.into(),
        // A refund of this order is in process. An order has one refund, so this is ours.
        (status, "4515") if status.is_client_error() => SendResponse::Duplicate,
        (status, code) if status.is_client_error() => match refusal_of_code(code) {
            Some(refusal) => Report::from(refusal).into(),
            None => Observation::Ambiguous.into(),
        },
        _ => Observation::Ambiguous.into(),
    }
}

/// What a client error's code proves about the money of the charge. `None` if the outcome is
/// unknown; then the charge's status shows it later.
fn refusal_of_code(code: &str) -> Option<RefundRefusal> {
    match code {
        // 0000 and 0001 mean success, which contradicts the HTTP status.
        "0005" | "5000" | "0000" | "0001" => None,
        // The request is invalid, for example because the refund is smaller than 1 cedi.
        "4000" => Some(RefundRefusal::NothingReturned(FailureCode::OperatorRefused)),
        // The API keys are refused. They are checked before anything else.
        "4101" => Some(RefundRefusal::NothingReturned(FailureCode::NetworkUnavailable)),
        // For example 3000 (Hubtel does not have the order) and 4509 (the order is not eligible for
        // a refund).
        _ => Some(RefundRefusal::ProvesNothing),
    }
}

/// Reads the status of a refund from the status of its charge. Hubtel has no status of a refund,
/// and a refund returns the whole amount.
pub(crate) fn refund_status(reply: &Reply, reference: &str) -> StatusResponse {
    let StatusResponse::Known(report) = charge_status(reply, reference) else {
        return StatusResponse::Unanswered;
    };
    match report.observation {
        Observation::Reversed => {
            let Reply::Response(response) = reply else { return StatusResponse::Unanswered };
            let data = Body::read(response).map(|body| body.data).unwrap_or_default();
            let amount =
                data.text("amount").and_then(|text| tua_contract::Amount::parse(&text).ok());
            let receipt = Receipt {
                amount,
                is_currency_right: super::is_cedi(&data),
                is_reference_right: true,
            };
            StatusResponse::Known(Report::new(Observation::Succeeded).with_receipt(receipt))
        }
        Observation::Succeeded => StatusResponse::known(Observation::StillPending),
        _ => StatusResponse::Unanswered,
    }
}
