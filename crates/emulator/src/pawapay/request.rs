//! The form of requests: what is refused with HTTP 400 before an order is considered.

use super::{provider::id_field, responses::failure};
use crate::{
    phase::Kind,
    wire::{Refusal, text},
};
use axum::http::StatusCode;
use serde_json::{Map, Value};
use tua_contract::Amount;
use uuid::Uuid;

/// The members that a deposit may have.
const DEPOSIT_MEMBERS: [&str; 10] = [
    "depositId",
    "amount",
    "currency",
    "payer",
    "customerMessage",
    "clientReferenceId",
    "preAuthorisationCode",
    "successfulUrl",
    "failedUrl",
    "metadata",
];
/// The members that a payout may have.
const PAYOUT_MEMBERS: [&str; 7] = [
    "payoutId",
    "amount",
    "currency",
    "recipient",
    "customerMessage",
    "clientReferenceId",
    "metadata",
];

/// Checks what is refused with HTTP 400, and returns the order's id.
pub(super) fn check_form(kind: Kind, request: &Value) -> Result<String, Refusal> {
    let bad = |code: &str, message: &str| failure(StatusCode::BAD_REQUEST, code, message);
    let members =
        request.as_object().ok_or_else(|| bad("INVALID_INPUT", "The body is not an object."))?;
    let (allowed, party): (&[&str], &str) = match kind {
        Kind::Charge => (&DEPOSIT_MEMBERS, "payer"),
        _ => (&PAYOUT_MEMBERS, "recipient"),
    };
    if let Some(unknown) = members.keys().find(|name| !allowed.contains(&name.as_str())) {
        return Err(bad("UNSUPPORTED_PARAMETER", &format!("Unsupported parameter: {unknown}")));
    }
    for name in [id_field(kind), "amount", "currency", party] {
        if !members.contains_key(name) {
            return Err(bad("MISSING_PARAMETER", &format!("Missing parameter: {name}")));
        }
    }
    let id = check_id(text(request, id_field(kind)))?;
    let account = &request[party]["accountDetails"];
    if request[party]["type"] != "MMO" || text(account, "provider").is_empty() {
        return Err(bad("INVALID_PARAMETER", &format!("Invalid parameter: {party}")));
    }
    let message = text(request, "customerMessage");
    let is_message = |character: char| character.is_ascii_alphanumeric() || character == ' ';
    let is_valid = (4..=22).contains(&message.len()) && message.chars().all(is_message);
    if !(message.is_empty() || is_valid) {
        return Err(bad("INVALID_PARAMETER", "Invalid parameter: customerMessage"));
    }
    metadata(request)?;
    Ok(id)
}

/// An id must be a UUID version 4.
pub(super) fn check_id(id: &str) -> Result<String, Refusal> {
    let is_valid = Uuid::parse_str(id).is_ok_and(|id| id.get_version_num() == 4) && id.len() == 36;
    if is_valid {
        Ok(id.to_owned())
    } else {
        Err(failure(
            StatusCode::BAD_REQUEST,
            "INVALID_PARAMETER",
            "The id is not a UUID version 4.",
        ))
    }
}

/// The metadata as one object, from the array of the request.
pub(super) fn metadata(request: &Value) -> Result<Map<String, Value>, Refusal> {
    let bad = |code: &str| failure(StatusCode::BAD_REQUEST, code, "Invalid parameter: metadata");
    let mut metadata = Map::new();
    let Some(entries) = request.get("metadata") else { return Ok(metadata) };
    let entries = entries
        .as_array()
        .filter(|entries| entries.len() <= 10)
        .ok_or_else(|| bad("INVALID_PARAMETER"))?;
    for entry in entries {
        let members = entry.as_object().ok_or_else(|| bad("INVALID_PARAMETER"))?;
        for (name, value) in members.iter().filter(|(name, _)| *name != "isPII") {
            if metadata.insert(name.clone(), value.clone()).is_some() {
                return Err(bad("DUPLICATE_METADATA_FIELD"));
            }
        }
    }
    Ok(metadata)
}

/// An amount as pawaPay writes it: at most two decimals, and no zero at the end of a fraction.
pub(super) fn parse_amount(text: &str) -> Option<Amount> {
    let amount = Amount::parse(text).ok()?;
    (amount.to_string() == text).then_some(amount)
}
