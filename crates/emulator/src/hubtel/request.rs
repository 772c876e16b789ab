//! The request to receive or to send money.

use super::{outcomes, responses::error, values::network};
use crate::wire::{Refusal, refuse};
use axum::http::StatusCode;
use serde_json::{Value, json};
use tua_contract::{Amount, Network};

/// A member of an object, whatever the case of its name. Hubtel's own examples differ in it.
pub(super) fn member<'a>(body: &'a Value, name: &str) -> &'a Value {
    let members = body.as_object();
    let found =
        members.and_then(|members| members.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)));
    found.map_or(&Value::Null, |(_, value)| value)
}

/// The text of a member, whatever the case of its name.
pub(super) fn member_text<'a>(body: &'a Value, name: &str) -> &'a str {
    member(body, name).as_str().unwrap_or_default()
}

/// What receiving and sending have in common.
pub(super) struct Transfer {
    pub(super) phone: String,
    pub(super) network: Network,
    pub(super) amount: Amount,
    pub(super) reference: String,
    pub(super) callback_url: String,
}

/// Checks a request to receive or send money. `msisdn` is the name of the member with the wallet's
/// number.
pub(super) fn check(request: &Value, msisdn: &str) -> Result<Transfer, Refusal> {
    let invalid = |field: &str| {
        let fault =
            json!([{"Field": field, "ErrorMessage": format!("The field {field} is invalid.")}]);
        let body = json!({"ResponseCode": "4000", "Message": "Validation Errors", "Data": fault});
        refuse(StatusCode::BAD_REQUEST, body)
    };
    let phone = member_text(request, msisdn);
    let is_number = phone.len() == 12
        && phone.starts_with("233")
        && phone.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(invalid(msisdn));
    }
    let network = network(member_text(request, "Channel")).ok_or_else(|| invalid("Channel"))?;
    let amount = member(request, "Amount")
        .as_number()
        .and_then(|number| Amount::parse(&number.to_string()).ok());
    let amount = amount.ok_or_else(|| invalid("Amount"))?;
    let reference = member_text(request, "ClientReference");
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !(1..=36).contains(&reference.len()) || !reference.bytes().all(is_allowed) {
        return Err(invalid("ClientReference"));
    }
    let description = member_text(request, "Description");
    if description.is_empty() || description.contains(['&', '%', '^']) {
        return Err(invalid("Description"));
    }
    let callback_url = member_text(request, "PrimaryCallbackUrl");
    if !callback_url.starts_with("http") {
        return Err(invalid("PrimaryCallbackUrl"));
    }
    if amount.pesewas() < MIN_PESEWAS {
        let (status, code, message) = outcomes::FEES_NOT_SET;
        return Err(error(status, code, message));
    }
    Ok(Transfer {
        phone: phone.to_owned(),
        network,
        amount,
        reference: reference.to_owned(),
        callback_url: callback_url.to_owned(),
    })
}

/// The smallest amount that has a fee.
pub(super) const MIN_PESEWAS: i64 = 10;
