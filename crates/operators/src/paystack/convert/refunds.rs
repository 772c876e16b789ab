//! Refunds. Paystack gives a refund no reference of the merchant, so our reference is its
//! `merchant_note`.

use super::{Refusal, amount, fulfilled, read, refusal, text};
use crate::{
    connection::Reply,
    paystack::wire::{Body, CURRENCY, Refund},
};
use reqwest::StatusCode;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Kind,
    ports::{Receipt, RefundRefusal, Report, SendResponse, StatusResponse},
    review::Attention,
    transfer::OperatorDetails,
};

/// Whether a list of refunds contains ours.
#[derive(Debug)]
pub(crate) enum FoundRefund {
    /// The first refund whose `merchant_note` is our reference.
    Found(Refund),
    /// No refund of the list has our reference.
    Missing,
    /// There is no readable list.
    Unanswered,
}

/// Looks for our refund in the response to `GET /refund`.
pub(crate) fn find_refund(reply: &Reply, reference: &str) -> FoundRefund {
    let Some(refunds) = fulfilled(reply).and_then(|body| body.data::<Vec<Refund>>()) else {
        return FoundRefund::Unanswered;
    };
    let found =
        refunds.into_iter().find(|refund| refund.merchant_note.as_deref() == Some(reference));
    found.map_or(FoundRefund::Missing, FoundRefund::Found)
}

/// The response to `POST /refund`.
pub(crate) fn refund_response(reply: &Reply, reference: &str) -> SendResponse {
    if *reply == Reply::NotSent {
        return SendResponse::NotSent;
    }
    let Some((status, body)) = read(reply) else { return Observation::Ambiguous.into() };
    if status.is_success() && body.status {
        let report = body.data().and_then(|data| refund_report(&data, reference));
        return report.unwrap_or_else(|| Observation::Ambiguous.into()).into();
    }
    match refusal(status, &body, Kind::Payout) {
        Refusal::Duplicate => SendResponse::Duplicate,
        Refusal::NothingAccepted(reason) => Report::from(refused(status, reason, &body)).into(),
        Refusal::NotFound => Report::from(RefundRefusal::ProvesNothing).into(),
        Refusal::Unclear => Observation::Ambiguous.into(),
    }
}

/// What a refused refund proves about the money of the charge. Paystack publishes no codes for
/// refunds, and most of its texts are about the charge: it was reversed, is refunded already, or
/// less is left than the refund. An earlier send of this refund may be what was returned. So every
/// text proves nothing, and a text that is not known neither.
fn refused(status: StatusCode, reason: FailureCode, body: &Body) -> RefundRefusal {
    match body.code.as_deref() {
        // The key is checked before anything else.
        _ if status == StatusCode::UNAUTHORIZED => {
            RefundRefusal::NothingReturned(FailureCode::NetworkUnavailable)
        }
        Some("insufficient_balance") => RefundRefusal::NothingReturned(reason),
        _ => RefundRefusal::ProvesNothing,
    }
}

/// The status of our refund, from the response to `GET /refund`. A list without it is no proof that
/// the refund was never received: Paystack does not document when a new refund appears there.
pub(crate) fn refund_status(reply: &Reply, reference: &str) -> StatusResponse {
    match find_refund(reply, reference) {
        FoundRefund::Found(refund) => refund_report(&refund, reference)
            .map_or(StatusResponse::Unanswered, StatusResponse::Known),
        FoundRefund::Missing | FoundRefund::Unanswered => StatusResponse::Unanswered,
    }
}

/// What a refund's data reports; `None` where the status is not documented, or the refund is not
/// ours.
fn refund_report(refund: &Refund, reference: &str) -> Option<Report> {
    let is_ours = refund.merchant_note.as_deref() == Some(reference);
    let observation = match refund.status.as_deref()? {
        "processed" => Observation::Succeeded,
        "failed" if is_ours => Observation::Failed(FailureCode::Unspecified),
        "pending" | "processing" | "needs-attention" if is_ours => Observation::StillPending,
        _ => return None,
    };
    let receipt = Receipt {
        amount: amount(refund.amount.as_ref()),
        is_currency_right: refund.currency.as_deref() == Some(CURRENCY),
        is_reference_right: is_ours,
    };
    let details =
        OperatorDetails { transaction_id: text(refund.id.as_ref()), ..OperatorDetails::NONE };
    let report = Report::new(observation).with_details(details);
    let report = match refund.status.as_deref() {
        // A person must enter the payer's account at Paystack.
        Some("needs-attention") => report.with_attention(Attention::ActAtOperator),
        _ => report,
    };
    Some(if observation == Observation::Succeeded { report.with_receipt(receipt) } else { report })
}
