//! Refunds. Paystack gives a refund no reference of the merchant, so our reference is its `merchant_note`.

use super::{Refusal, amount, fulfilled, read, refusal, text};
use crate::{
    domain::{
        Kind,
        ports::{Answer, Receipt, Report, SendResponse},
        transfer::OperatorDetails,
    },
    operators::{
        connection::Reply,
        paystack::wire::{CURRENCY, Refund},
    },
};
use tua_contract::{FailureCode, lifecycle::Observation};

/// Whether a list of refunds contains ours.
#[derive(Debug)]
pub(in super::super) enum FoundRefund {
    /// It does.
    Found(Refund),
    /// It does not.
    Missing,
    /// There is no readable list.
    Unanswered,
}

/// Looks for our refund in the response to `GET /refund`.
pub(in super::super) fn find_refund(reply: &Reply, reference: &str) -> FoundRefund {
    let Some(refunds) = fulfilled(reply).and_then(|body| body.data::<Vec<Refund>>()) else {
        return FoundRefund::Unanswered;
    };
    let found = refunds.into_iter().find(|refund| refund.merchant_note.as_deref() == Some(reference));
    found.map_or(FoundRefund::Missing, FoundRefund::Found)
}

/// The response to `POST /refund`.
pub(in super::super) fn refund_response(reply: &Reply, reference: &str) -> SendResponse {
    if *reply == Reply::NotSent {
        return SendResponse::NotSent;
    }
    let Some((status, body)) = read(reply) else { return Observation::Ambiguous.into() };
    if status.is_success() && body.status {
        let report = body.data().and_then(|data| refund_report(&data, reference));
        return report.unwrap_or_else(|| Observation::Ambiguous.into()).into();
    }
    let message = body.message.as_deref().unwrap_or_default().to_lowercase();
    // An earlier send of this refund may be what was returned already.
    let may_be_ours =
        ["reversed", "been refunded", "already", "more than", "exceed"].iter().any(|word| message.contains(word));
    match refusal(status, &body, Kind::Payout) {
        Refusal::NothingAccepted(_) if may_be_ours => Observation::Ambiguous.into(),
        Refusal::NothingAccepted(FailureCode::NetworkUnavailable) => {
            Observation::Failed(FailureCode::NetworkUnavailable).into()
        }
        Refusal::NothingAccepted(FailureCode::MerchantFloatLow) => {
            Observation::Failed(FailureCode::MerchantFloatLow).into()
        }
        Refusal::NothingAccepted(_) => Observation::Failed(FailureCode::OperatorRefused).into(),
        Refusal::Duplicate => SendResponse::Duplicate,
        Refusal::NotFound | Refusal::Unclear => Observation::Ambiguous.into(),
    }
}

/// The status of our refund, from the response to `GET /refund`. A list without it is no proof that the refund was never
/// received: Paystack does not document when a new refund appears there.
pub(in super::super) fn refund_answer(reply: &Reply, reference: &str) -> Answer {
    match find_refund(reply, reference) {
        FoundRefund::Found(refund) => refund_report(&refund, reference).map_or(Answer::Unanswered, Answer::Known),
        FoundRefund::Missing | FoundRefund::Unanswered => Answer::Unanswered,
    }
}

/// What a refund's data reports; `None` where the status is not documented, or the refund is not ours.
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
    let details = OperatorDetails { transaction_id: text(refund.id.as_ref()), ..OperatorDetails::NONE };
    let report = Report::new(observation).with_details(details);
    let report = match refund.status.as_deref() {
        // A person must enter the payer's account at Paystack.
        Some("needs-attention") => report.with_need_of_person(),
        _ => report,
    };
    Some(if observation == Observation::Succeeded { report.with_receipt(receipt) } else { report })
}
