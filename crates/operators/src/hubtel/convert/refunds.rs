//! Refunds: the whole amount of a charge, by Hubtel's id of the order.

use super::{Body, Reply, charge_status, is_refused_address};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::ports::{Receipt, RefundRefusal, Report, SendResponse, StatusResponse};

/// Whether a charge can be refunded, by its status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refundable {
    /// It is paid; this is Hubtel's id of the order.
    Paid(String),
    /// It is refunded already.
    Refunded,
    /// The status is not known, or the charge is not paid.
    Unknown,
}

/// Reads the status of a charge before its refund.
pub(crate) fn refundable(reply: &Reply, reference: &str) -> Refundable {
    match charge_status(reply, reference) {
        StatusResponse::Known(report) => match (report.observation, report.details.order_id) {
            (Observation::Succeeded, Some(order_id)) => Refundable::Paid(order_id),
            (Observation::Reversed, _) => Refundable::Refunded,
            _ => Refundable::Unknown,
        },
        StatusResponse::NeverReceived | StatusResponse::Unanswered => Refundable::Unknown,
    }
}

/// The response to a refund.
pub(crate) fn refund_response(reply: &Reply) -> SendResponse {
    let response = match reply {
        Reply::NotSent => return SendResponse::NotSent,
        Reply::NoResponse => return Observation::Ambiguous.into(),
        Reply::Response(response) => response,
    };
    if is_refused_address(response) {
        return Observation::Failed(FailureCode::NetworkUnavailable).into();
    }
    let Some(body) = Body::read(response) else { return Observation::Ambiguous.into() };
    match (response.status, body.code.as_str()) {
        (status, "0001" | "0000") if status.is_success() => Observation::StillPending.into(),
        // A refund of this order is in process: ours, as there is one for each order.
        (status, "4515") if status.is_client_error() => SendResponse::Duplicate,
        (status, code) if status.is_client_error() => match refused(code) {
            Some(refusal) => Report::from(refusal).into(),
            None => Observation::Ambiguous.into(),
        },
        _ => Observation::Ambiguous.into(),
    }
}

/// What a code of a refused refund proves about the money of the charge; `None` for an unknown
/// outcome, which the charge's status shows later.
fn refused(code: &str) -> Option<RefundRefusal> {
    match code {
        // The last two contradict an error.
        "0005" | "5000" | "0000" | "0001" => None,
        // The request itself: the smallest refund is 1 cedi.
        "4000" => Some(RefundRefusal::NothingReturned(FailureCode::OperatorRefused)),
        // The keys are checked before anything else.
        "4101" => Some(RefundRefusal::NothingReturned(FailureCode::NetworkUnavailable)),
        // Among them 3000 and 4509: Hubtel does not have the order, or it is not eligible for a
        // refund.
        _ => Some(RefundRefusal::ProvesNothing),
    }
}

/// The status of a refund, which is the status of its charge: a refund has no status of its own,
/// and returns everything.
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
