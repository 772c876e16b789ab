//! Paystack's callbacks: webhooks, and the question whether a transfer is approved.

use super::question::Question;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use sha2::Sha512;
use tua_domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, SignatureIsRight, Verification,
};
use tua_http_json::JsonObject;

/// The header of the signature.
const SIGNATURE: &str = "x-paystack-signature";

/// What a verified callback is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum About {
    /// What an event is about, or no payment at all.
    Subject(CallbackSubject),
    /// A question whose recipient must still be identified.
    Question(Question),
}

/// Verifies the signature, then reads what the callback is about. `domain` is Paystack's word for
/// the mode of the secret key.
///
/// # Errors
/// [`CallbackRefusal`].
pub(super) fn verify(
    request: &CallbackRequest,
    key: &SecretString,
    domain: &str,
) -> Result<(Verification, About), CallbackRefusal> {
    let proof = SignatureIsRight::from_check(is_signed(request, key))?;
    Ok((Verification::Signature(proof), about(&members(&request.body)?, domain)?))
}

/// Any body may be a question, until it is known to be something else. Of two members with one
/// name, Paystack may mean the other one.
fn members(body: &[u8]) -> Result<Map<String, Value>, CallbackRefusal> {
    JsonObject::parse(body).map_err(|_| CallbackRefusal::UnclearQuestion)?;
    serde_json::from_slice(body).map_err(|_| CallbackRefusal::UnclearQuestion)
}

/// Whether the header has the HMAC-SHA512 of the exact bytes of the body under the secret key, in
/// hexadecimal digits. The comparison takes the same time wherever the first difference is.
fn is_signed(request: &CallbackRequest, key: &SecretString) -> bool {
    let Some(signature) = request.header(SIGNATURE).and_then(|digits| hex::decode(digits).ok())
    else {
        return false;
    };
    let Ok(mac) = Hmac::<Sha512>::new_from_slice(key.expose_secret().as_bytes()) else {
        return false;
    };
    mac.chain_update(&request.body).verify_slice(&signature).is_ok()
}

/// The question whether to execute a transfer.
const QUESTION: &str = "transferrequest.approval-required";

/// The documented events of other products and of other stages, about which nothing is done. A name
/// that is on no list may be a question.
const OTHER_EVENTS: [&str; 20] = [
    "bank.transfer.rejected",
    "charge.failed",
    "customeridentification.failed",
    "customeridentification.success",
    "dedicatedaccount.assign.failed",
    "dedicatedaccount.assign.success",
    "direct_debit.authorization.active",
    "direct_debit.authorization.created",
    "invoice.create",
    "invoice.payment_failed",
    "invoice.update",
    "paymentrequest.pending",
    "paymentrequest.success",
    "subscription.create",
    "subscription.disable",
    "subscription.enable",
    "subscription.expiring_cards",
    "subscription.not_renew",
    "subscription.update",
    "transfer.pending",
];

/// What a body is about.
///
/// # Errors
/// [`CallbackRefusal::Unreadable`] where an event does not name its payment, and
/// [`CallbackRefusal::UnclearQuestion`] where the body is, or may be, a question that is not about
/// exactly one transfer.
fn about(body: &Map<String, Value>, domain: &str) -> Result<About, CallbackRefusal> {
    let data = body.get("data").unwrap_or(&Value::Null);
    let order = |reference| CallbackSubject::Order { reference, claim: None };
    let name = match body.get("event") {
        // Some published samples have the transfer alone.
        None | Some(Value::Null) => QUESTION,
        Some(event) => event.as_str().ok_or(CallbackRefusal::UnclearQuestion)?,
    };
    let subject = match name {
        QUESTION => {
            let question = Question::read(body, domain);
            return question.map(About::Question).ok_or(CallbackRefusal::UnclearQuestion);
        }
        "charge.success" | "transfer.success" | "transfer.failed" | "transfer.reversed" => {
            text(&data["reference"]).map(order)
        }
        "charge.dispute.create" | "charge.dispute.remind" | "charge.dispute.resolve" => {
            charge_reference(data).map(|reference| CallbackSubject::Dispute { reference })
        }
        // A refund has no reference of ours, so the callback is about its charge.
        "refund.pending"
        | "refund.processing"
        | "refund.processed"
        | "refund.failed"
        | "refund.needs-attention" => charge_reference(data).map(order),
        name if OTHER_EVENTS.contains(&name) => Some(CallbackSubject::Nothing),
        _ => return Err(CallbackRefusal::UnclearQuestion),
    };
    subject.map(About::Subject).ok_or(CallbackRefusal::Unreadable)
}

/// The reference of the charge that is disputed or refunded.
fn charge_reference(data: &Value) -> Option<String> {
    text(&data["transaction"]["reference"]).or_else(|| text(&data["transaction_reference"]))
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests;
