//! Hubtel's responses as ours. Pure functions: no call, no clock.

mod refunds;

#[cfg(test)]
mod tests;

use super::{
    codes::{Meaning, meaning, scope},
    members::Members,
    wire::{Body, client_reference, our_reference},
};
use crate::{
    connection::{Reply, Response},
    minor_units::minor_units,
};
use reqwest::StatusCode;
use tua_contract::{
    Amount, FailureCode,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    Kind,
    ports::{FailureScope, ReadError, Receipt, Report, SendResponse, StatusResponse},
    transfer::OperatorDetails,
};

pub(super) use refunds::{RefundEligibility, refund_eligibility, refund_response, refund_status};

/// The response to a request to receive or to send money.
pub(super) fn send_response(reply: &Reply, reference: &str, kind: Kind) -> SendResponse {
    let response = match reply {
        Reply::NotSent => return SendResponse::NotSent,
        Reply::NoResponse => return Observation::Ambiguous.into(),
        Reply::Response(response) => response,
    };
    if is_address_not_listed(response) {
        // Hubtel documents that such a request does not reach its service.
        return denied().into();
    }
    let Some(body) = Body::read(response) else { return reply.unclear().into() };
    let names_ours = names_reference(&body.data, reference);
    if response.status.is_server_error() || names_ours == Some(false) {
        return Observation::Ambiguous.into();
    }
    match meaning(&body.code, &body.text, kind) {
        // The money is collected or sent after this answer; the status is asked for before a
        // success is believed.
        Meaning::Accepted | Meaning::Executed if response.status.is_success() => {
            let next = match kind {
                Kind::Charge => Observation::Awaits(Step::ApproveOnPhone),
                Kind::Payout => Observation::StillPending,
            };
            Report::new(next).with_details(fee_details(&body.data)).into()
        }
        // The keys are checked before anything else. A 401 without a code of Hubtel may be that of
        // a proxy.
        Meaning::Failed(_) if body.status == StatusCode::UNAUTHORIZED => denied().into(),
        Meaning::Failed(_) if is_about_reference(&body) => SendResponse::Duplicate,
        Meaning::Failed(code) => {
            let failed = Report::new(Observation::Failed(code));
            failed.with_failure_scope(scope(&body.code)).into()
        }
        Meaning::Accepted | Meaning::Executed | Meaning::Unknown => reply.unclear().into(),
    }
}

/// What an order reveals whose keys, or whose sender's address, Hubtel refused before it looked at
/// the order.
fn denied() -> Report {
    let failed = Report::new(Observation::Failed(FailureCode::NetworkUnavailable));
    failed.with_failure_scope(FailureScope::Network)
}

/// Whether a validation error is about the reference. The code of a repeated reference is not
/// documented, so every such error is taken for one: then the status is asked for, and nothing
/// fails.
fn is_about_reference(body: &Body) -> bool {
    let words = ["clientreference", "client reference", "duplicate", "already", "exists"];
    body.code == "4000" && words.iter().any(|word| body.text.contains(word))
}

/// Whether this machine's address is not on Hubtel's list. The response is then HTTP 403 without a
/// code of Hubtel.
pub(super) fn is_address_not_listed(response: &Response) -> bool {
    response.status == StatusCode::FORBIDDEN && Body::read(response).is_none()
}

/// Whether the order is ours; `None` where it names no reference.
fn names_reference(data: &Members, reference: &str) -> Option<bool> {
    data.text("clientreference")
        .map(|named| client_reference(&named) == client_reference(reference))
}

/// The status of a charge. It has no word for failure: an unpaid charge may still be paid.
pub(super) fn charge_status(reply: &Reply, reference: &str) -> StatusResponse {
    status_answer(reply, reference, |data| match data.text("status")?.as_str() {
        "Paid" => Some(Observation::Succeeded),
        "Unpaid" => Some(Observation::StillPending),
        "Refunded" => Some(Observation::Reversed),
        _ => None,
    })
}

/// The status of a payout. Hubtel's sample has `success`; clients have seen `Paid` too. A failure
/// has no reason; the callback has one.
pub(super) fn payout_status(reply: &Reply, reference: &str) -> StatusResponse {
    let answer = status_answer(reply, reference, |data| {
        match data.text("transactionstatus")?.to_ascii_lowercase().as_str() {
            "success" | "paid" => Some(Observation::Succeeded),
            "pending" | "unpaid" => Some(Observation::StillPending),
            "failed" => Some(Observation::Failed(FailureCode::Unspecified)),
            _ => None,
        }
    });
    match answer {
        StatusResponse::Known(report) => StatusResponse::Known(report.with_reason_to_follow()),
        answer => answer,
    }
}

fn status_answer(
    reply: &Reply,
    reference: &str,
    word: impl Fn(&Members) -> Option<Observation>,
) -> StatusResponse {
    let Reply::Response(response) = reply else { return StatusResponse::Unanswered };
    let Some(body) = Body::read(response) else { return StatusResponse::Unanswered };
    if response.status == StatusCode::NOT_FOUND && body.code == "3000" {
        return StatusResponse::NeverReceived;
    }
    let is_read = response.status.is_success() && matches!(body.code.as_str(), "0000" | "success");
    let observation = word(&body.data).filter(|_| is_read);
    observation
        .and_then(|observation| report(observation, &body.data, reference))
        .map_or(StatusResponse::Unanswered, StatusResponse::Known)
}

/// A report about our reference. About another one only a success is reported, which the domain
/// then rejects: anything else proves nothing about our payment.
fn report(observation: Observation, data: &Members, reference: &str) -> Option<Report> {
    let is_ours = names_reference(data, reference);
    let report = Report::new(observation);
    match (observation, is_ours) {
        (Observation::Succeeded, is_ours) => {
            let is_reference_right = is_ours == Some(true);
            // The amount that was asked for. Where the payer bears the fee, the wallet is debited
            // by more: `AmountCharged`.
            let amount = data.text("amount").and_then(|text| Amount::parse(&text).ok());
            let receipt = Receipt { amount, is_currency_right: is_cedi(data), is_reference_right };
            let details = if is_reference_right { details(data) } else { OperatorDetails::NONE };
            Some(report.with_receipt(receipt).with_details(details))
        }
        (_, Some(true)) => Some(report.with_details(details(data))),
        (_, Some(false) | None) => None,
    }
}

/// Whether the currency is ours. Hubtel's accounts have one currency, and its documented samples
/// write null.
fn is_cedi(data: &Members) -> bool {
    let currency = data.text("currencycode").or_else(|| data.text("currency"));
    currency.is_none_or(|currency| currency == "GHS")
}

/// The ids and the fee of an order.
pub(super) fn details(data: &Members) -> OperatorDetails {
    OperatorDetails {
        transaction_id: data
            .text("externaltransactionid")
            .or_else(|| data.text("networktransactionid")),
        // The status has no order id. In Hubtel's samples the order id of the callback is the
        // transaction's id.
        order_id: data.text("orderid").or_else(|| data.text("transactionid")),
        ..fee_details(data)
    }
}

/// The fee alone, while the order is not executed.
fn fee_details(data: &Members) -> OperatorDetails {
    let fee = data.text("charges").or_else(|| data.text("fees"));
    OperatorDetails {
        fee_pesewas: fee.and_then(|text| minor_units(&text)),
        ..OperatorDetails::NONE
    }
}

/// The response to the question who owns a wallet.
///
/// # Errors
/// [`ReadError`].
pub(super) fn account_name(reply: &Reply) -> Result<Option<String>, ReadError> {
    let body = read_response(reply)?;
    let status = body.status;
    let is_registered = body.data.flag("isregistered");
    match (body.code.as_str(), is_registered) {
        ("0000", Some(true)) if status.is_success() => match body.data.text("name") {
            Some(name) => Ok(Some(name)),
            None => Err(ReadError::Unanswered("the name is missing".to_owned())),
        },
        ("0000", Some(false)) if status.is_success() => Ok(None),
        // 424 with 2001 is trouble of the network.
        ("3000" | "2001", _) if status == StatusCode::NOT_FOUND => Ok(None),
        (code, _) => Err(ReadError::Unanswered(format!("HTTP {}, code {code}", status.as_u16()))),
    }
}

/// The response to the search for a charge: our reference, without hyphens.
///
/// # Errors
/// [`ReadError`].
pub(super) fn found_reference(reply: &Reply) -> Result<Option<String>, ReadError> {
    let body = read_response(reply)?;
    match (body.status, body.code.as_str()) {
        (StatusCode::NOT_FOUND, "3000") => Ok(None),
        (status, "0000") if status.is_success() => {
            Ok(body.data.text("clientreference").map(our_reference))
        }
        (status, code) => {
            Err(ReadError::Unanswered(format!("HTTP {}, code {code}", status.as_u16())))
        }
    }
}

/// A response with a code of Hubtel, whatever the code.
///
/// # Errors
/// [`ReadError`] where there is none, or the credentials or the address are refused.
pub(super) fn read_response(reply: &Reply) -> Result<Body, ReadError> {
    let Reply::Response(response) = reply else {
        return Err(ReadError::Unanswered(
            "there was no response; Hubtel may ignore addresses that it does not list".to_owned(),
        ));
    };
    let status = response.status.as_u16();
    match Body::read(response) {
        _ if is_address_not_listed(response) => Err(ReadError::Refused(NOT_LISTED.to_owned())),
        Some(body) if matches!(status, 401 | 403) => {
            Err(ReadError::Refused(format!("HTTP {status}, code {}", body.code)))
        }
        None if status == 401 => Err(ReadError::Refused("HTTP 401".to_owned())),
        Some(body) if status < 500 => Ok(body),
        _ => Err(ReadError::Unanswered(format!("HTTP {status}"))),
    }
}

/// What a 403 of Hubtel's gateway means, and what to do about it.
pub(super) const NOT_LISTED: &str = "this machine's address is not on Hubtel's list: ask Hubtel to \
    add it, or set outbound-proxy to a proxy whose address is listed";
