//! Paystack's responses as ours. Pure functions: no call, no clock.

mod refunds;
mod refusal;
mod transfers;

#[cfg(test)]
mod tests;

use super::wire::{Body, CURRENCY, Transaction};
use crate::{
    connection::{Reply, Response},
    exact::ExactText,
};
use refusal::{Refusal, failed, failure_code, refusal};
use reqwest::StatusCode;
use tua_contract::{
    Amount, Network,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    Kind,
    ports::{CodeResponse, ReadError, Receipt, Report, SendResponse, StatusResponse},
    transfer::OperatorDetails,
};

pub(super) use refunds::{FoundRefund, find_refund, refund_response, refund_status};
pub(super) use transfers::{recipient, refuses_recipient, transfer_response, transfer_status};

/// The order that a response must be about.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedOrder<'a> {
    /// The reference that our order was sent with.
    pub(super) reference: &'a str,
    /// The payer's or recipient's network.
    pub(super) network: Network,
}

/// The status and the body of a response; `None` where there is no response, or none in Paystack's
/// format.
fn read(reply: &Reply) -> Option<(StatusCode, Body)> {
    match reply {
        Reply::NotSent | Reply::NoResponse => None,
        Reply::Response(response) => Some((response.status, Body::read(response)?)),
    }
}

/// The body of a fulfilled request.
fn fulfilled(reply: &Reply) -> Option<Body> {
    read(reply).filter(|(status, body)| status.is_success() && body.status).map(|(_, body)| body)
}

/// The response to `POST /charge`.
pub(super) fn charge_response(reply: &Reply, expected: ExpectedOrder<'_>) -> SendResponse {
    if *reply == Reply::NotSent {
        return SendResponse::NotSent;
    }
    let Some((status, body)) = read(reply) else { return reply.unclear().into() };
    let report = if status.is_success() && body.status {
        body.data().and_then(|data| charge_report(&data, expected))
    } else {
        refused_report(status, &body, expected)
    };
    match report {
        Some(report) => report.into(),
        None => match refusal(status, &body, Kind::Charge) {
            Refusal::Duplicate => SendResponse::Duplicate,
            Refusal::NothingAccepted(code) => failed(code).into(),
            Refusal::NotFound | Refusal::Unclear => reply.unclear().into(),
        },
    }
}

/// The response to `GET /transaction/verify/{reference}` or `GET /charge/{reference}`.
pub(super) fn charge_status(reply: &Reply, expected: ExpectedOrder<'_>) -> StatusResponse {
    let Some((status, body)) = read(reply) else { return StatusResponse::Unanswered };
    if status.is_success() && body.status {
        let report = body.data().and_then(|data| charge_report(&data, expected));
        return report.map_or(StatusResponse::Unanswered, StatusResponse::Known);
    }
    match refusal(status, &body, Kind::Charge) {
        Refusal::NotFound => StatusResponse::NeverReceived,
        Refusal::Duplicate | Refusal::NothingAccepted(_) | Refusal::Unclear => {
            StatusResponse::Unanswered
        }
    }
}

/// Whether a charge waits for something that the payer must do. Which step it is, only `GET
/// /charge/{reference}` reports.
pub(super) fn is_ongoing(reply: &Reply) -> bool {
    let data = fulfilled(reply).and_then(|body| body.data::<Transaction>());
    data.is_some_and(|data| data.status.as_deref() == Some("ongoing"))
}

/// The response to `POST /charge/submit_otp`.
pub(super) fn code_response(reply: &Reply, expected: ExpectedOrder<'_>) -> CodeResponse {
    let Some((status, body)) = read(reply) else { return CodeResponse::Unanswered };
    let report = if status.is_success() && body.status {
        body.data().and_then(|data| charge_report(&data, expected))
    } else {
        refused_report(status, &body, expected)
    };
    match report.map(|report| (report.observation, report)) {
        // Paystack requests the code again.
        Some((Observation::Awaits(Step::EnterOtp | Step::EnterVoucher), _)) => CodeResponse::Wrong,
        // It accepted the code, so the payer must not be asked for it again.
        Some((Observation::StillPending, report)) => CodeResponse::Accepted(Report {
            observation: Observation::Awaits(Step::Wait),
            ..report
        }),
        Some((_, report)) => CodeResponse::Accepted(report),
        None if is_wrong_code(status, &body) => CodeResponse::Wrong,
        None => CodeResponse::Unanswered,
    }
}

/// Whether a 4xx explicitly refuses the code itself.
fn is_wrong_code(status: StatusCode, body: &Body) -> bool {
    let message = body.message.as_deref().unwrap_or_default().to_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| message.contains(word));
    let is_about_code =
        names(&["otp", "voucher", "token", "the code"]) && !names(&["reference", "key"]);
    let is_refused = names(&["invalid", "incorrect", "wrong", "expired", "not valid"]);
    is_refusal(status) && !body.status && is_about_code && is_refused
}

/// Whether a status refuses a request as it is. 401 is about the secret key, 429 about the rate.
fn is_refusal(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY)
}

/// A refusal that contains the charge with an explicit failure.
fn refused_report(status: StatusCode, body: &Body, expected: ExpectedOrder<'_>) -> Option<Report> {
    let data = body.data().filter(|_| is_refusal(status))?;
    charge_report(&data, expected)
        .filter(|report| matches!(report.observation, Observation::Failed(_)))
}

/// What a charge's data reports; `None` where the status is not documented.
fn charge_report(charge: &Transaction, expected: ExpectedOrder<'_>) -> Option<Report> {
    let observation = match charge.status.as_deref()? {
        "success" => Observation::Succeeded,
        "failed" => Observation::Failed(failure_code(&charge.failure_text(), Kind::Charge)),
        "reversed" => Observation::Reversed,
        "pay_offline" => Observation::Awaits(Step::ApproveOnPhone),
        "send_otp" if expected.network == Network::Telecel && !charge.asks_for_passcode() => {
            Observation::Awaits(Step::EnterVoucher)
        }
        "send_otp" => Observation::Awaits(Step::EnterOtp),
        // `abandoned` is documented as "not completed": the payer may still approve.
        "pending" | "processing" | "queued" | "ongoing" | "abandoned" | "timeout" => {
            Observation::StillPending
        }
        // Steps of cards and bank accounts, which our form does not have.
        "send_pin" | "send_phone" | "send_birthday" | "send_address" | "open_url" => {
            Observation::StillPending
        }
        _ => return None,
    };
    let details = OperatorDetails {
        transaction_id: text(charge.id.as_ref()),
        order_id: None,
        fee_pesewas: pesewas(charge.fees.as_ref()),
    };
    report(observation, charge, expected.reference, details)
}

/// A report about our reference. About another one only a success is reported, which the domain
/// then rejects: anything else proves nothing about our payment.
fn report(
    observation: Observation,
    order: &Transaction,
    reference: &str,
    details: OperatorDetails,
) -> Option<Report> {
    let named = order.reference.as_ref().map(ExactText::as_str);
    let report = match observation {
        Observation::Failed(code) => failed(code),
        observation => observation.into(),
    };
    match (observation, named) {
        (Observation::Succeeded, _) => {
            let is_reference_right = named == Some(reference);
            let receipt = Receipt {
                amount: amount(order.amount.as_ref()),
                is_currency_right: order.currency.as_deref() == Some(CURRENCY),
                is_reference_right,
            };
            let details = if is_reference_right { details } else { OperatorDetails::NONE };
            Some(report.with_receipt(receipt).with_details(details))
        }
        (_, Some(named)) if named != reference => None,
        _ => Some(report.with_details(details)),
    }
}

fn text(value: Option<&ExactText>) -> Option<String> {
    value.map(|text| text.as_str().to_owned()).filter(|text| !text.is_empty())
}

fn pesewas(value: Option<&ExactText>) -> Option<i64> {
    value?.as_str().parse().ok()
}

fn amount(value: Option<&ExactText>) -> Option<Amount> {
    Amount::from_pesewas(pesewas(value)?).ok()
}

/// The response to a read without a reference, such as `GET /balance`.
pub(super) fn read_response(reply: &Reply) -> Result<(&Response, Body), ReadError> {
    let Reply::Response(response) = reply else {
        return Err(ReadError::Unanswered("there was no response".to_owned()));
    };
    let status = response.status;
    let body = Body::read(response);
    match (status, body) {
        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, body) => {
            let message = body
                .and_then(|body| body.message)
                .unwrap_or_else(|| "not in Paystack's format".to_owned());
            Err(ReadError::Refused(format!("HTTP {}: {message}", status.as_u16())))
        }
        (_, Some(body)) if status.is_success() && body.status => Ok((response, body)),
        (_, body) => {
            let message = body
                .and_then(|body| body.message)
                .unwrap_or_else(|| "not in Paystack's format".to_owned());
            Err(ReadError::Unanswered(format!("HTTP {}: {message}", status.as_u16())))
        }
    }
}
