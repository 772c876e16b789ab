//! MTN's JSON. Unknown members are ignored; what is read is what MTN's API reference lists
//! (2026-11).

use crate::exact::ExactText;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use tua_contract::Phone;
use tua_domain::international::international;

/// The body of `requesttopay` and `transfer`.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderBody<'a> {
    pub amount: String,
    pub currency: &'a str,
    pub external_id: &'a str,
    /// The wallet of the payer; only of a charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payer: Option<Party>,
    /// The wallet of the recipient; only of a payout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payee: Option<Party>,
    pub payer_message: String,
    pub payee_note: String,
}

/// A wallet by its number, as `MSISDN`.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Party {
    party_id_type: &'static str,
    party_id: String,
}

impl Party {
    /// The wallet of a phone number.
    pub(super) fn of_number(phone: &Phone) -> Self {
        Self { party_id_type: "MSISDN", party_id: international(phone) }
    }
}

/// The body of `refund`. The wallet is that of the charge.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundBody<'a> {
    pub amount: String,
    pub currency: &'a str,
    pub external_id: &'a str,
    pub payer_message: String,
    pub payee_note: String,
    pub reference_id_to_refund: &'a str,
}

/// The response to a status read, and the body of a callback.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatusBody {
    pub status: String,
    pub amount: Option<ExactText>,
    pub currency: Option<String>,
    pub external_id: Option<ExactText>,
    pub financial_transaction_id: Option<ExactText>,
    #[serde(default)]
    pub reason: Reason,
}

/// Why an order failed. MTN's reference has an object; older clients, and some markets, have the
/// code as plain text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Reason {
    pub code: Option<String>,
    /// The text beside the code, which only the object has. Empty if there is none.
    pub text: String,
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Text(String),
            Object { code: Option<String>, message: Option<Value> },
            Other(serde::de::IgnoredAny),
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::Text(code) => Self { code: Some(code), text: String::new() },
            Form::Object { code, message } => {
                let text = message.as_ref().and_then(Value::as_str).unwrap_or_default();
                Self { code, text: text.to_owned() }
            }
            Form::Other(_) => Self::default(),
        })
    }
}

/// An error of the API, or of the gateway before it, which has `statusCode` and `message`, or
/// `error`.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorBody {
    pub code: Option<String>,
    pub message: Option<String>,
    pub status_code: Option<u16>,
    pub error: Option<String>,
}

/// The response to a token request.
#[derive(Deserialize)]
pub(super) struct TokenBody {
    /// A secret: this type has no `Debug`.
    pub access_token: String,
    /// The token's lifetime in seconds; ten minutes are assumed where it is absent.
    pub expires_in: Option<ExactText>,
}

/// The response about an account's balance.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct BalanceBody {
    pub available_balance: ExactText,
    pub currency: String,
}

/// The response about a wallet's owner.
#[derive(Deserialize, Debug)]
pub(super) struct UserInfoBody {
    pub given_name: Option<String>,
    pub family_name: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_an_object_or_a_text() {
        for (member, expected) in [
            (r#","reason":{"code":"EXPIRED","message":"…"}"#, (Some("EXPIRED"), "…")),
            (r#","reason":{"code":"EXPIRED","message":[1]}"#, (Some("EXPIRED"), "")),
            (r#","reason":{"code":"EXPIRED"}"#, (Some("EXPIRED"), "")),
            (r#","reason":"EXPIRED""#, (Some("EXPIRED"), "")),
            (r#","reason":{}"#, (None, "")),
            (r#","reason":null"#, (None, "")),
            (r#","reason":[1]"#, (None, "")),
            ("", (None, "")),
        ] {
            let json = format!(r#"{{"status":"FAILED"{member}}}"#);
            let Reason { code, text } = serde_json::from_str::<StatusBody>(&json).unwrap().reason;
            assert_eq!((code.as_deref(), text.as_str()), expected, "{json}");
        }
    }
}
