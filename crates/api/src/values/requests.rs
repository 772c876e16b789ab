//! Kinds of values that requests hold (docs/reference/values.md).

use super::{
    closed_enum, impl_schema, open_enum, string_schema, unexpected_character::unexpected_character,
};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, json, value::RawValue};
use std::collections::BTreeMap;
use tua_contract::{Code, ErrorCode, Network as NetworkCode, Phone};
use tua_domain::{
    Kind, refund,
    transfer::{NOTE_MAX_CHARS, REFERENCE_MAX_CHARS},
};
use tua_http_json::{JsonText, Refusal};
use utoipa::openapi::{ObjectBuilder, Schema, Type, schema::AdditionalProperties};

const METADATA_MAX_KEYS: usize = 50;
const METADATA_KEY_MAX_CHARS: usize = 64;
const METADATA_MAX_BYTES: usize = 8 << 10;

/// The pattern of a line of text: anything but control characters.
pub const LINE_PATTERN: &str = r"^[^\u0000-\u001f\u007f-\u009f]*$";
/// The pattern of a line that is not blank.
pub(super) const NOT_BLANK_LINE_PATTERN: &str = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";

/// Refuses control characters in a text that is stored or looked up. PostgreSQL cannot store NUL,
/// and SQLite must respond the same.
///
/// # Errors
/// `invalid_text`.
pub fn reject_control_characters(text: &str) -> Result<(), Refusal> {
    if text.contains(char::is_control) {
        Err(Refusal::new(ErrorCode::InvalidText, "This must not contain control characters."))
    } else {
        Ok(())
    }
}

/// Declares kinds of values that are JSON strings. Their doc comment is their description in the
/// OpenAPI document.
macro_rules! string_values {
    ($($(#[doc = $doc:literal])+ $name:ident($inner:ty) = $schema:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(pub $inner);

        impl_schema!($name, concat!($($doc),+), $schema);
    )+};
}

string_values! {
    /// Ten ASCII digits beginning with 0. In test mode the last four choose the outcome.
    PhoneNumber(Phone) = string_schema()
        .pattern(Some("^0[0-9]{9}$"))
        .examples([json!("0241234567")]);

    /// A mobile-money network of Ghana. A number's prefix does not decide it: numbers are portable.
    Network(NetworkCode) = open_enum(NetworkCode::ALL.map(NetworkCode::as_str));

    /// CHARGE from a payer to the merchant, or PAYOUT from the merchant to a recipient.
    PaymentType(Kind) = closed_enum(Kind::ALL.iter().map(|kind| kind.as_str()));

    /// One line of at most 160 characters.
    Note(String) = string_schema().max_length(Some(NOTE_MAX_CHARS)).pattern(Some(LINE_PATTERN));

    /// The merchant's own name for the payment, at most 64 characters. It need not be unique. Where
    /// it is absent, the service generates one.
    Reference(String) = string_schema()
        .max_length(Some(REFERENCE_MAX_CHARS))
        .pattern(Some(NOT_BLANK_LINE_PATTERN))
        .examples([json!("order-17")]);

    /// PAYOUT: return the money by a payout to the wallet that paid. Allowed only after a refund by
    /// the operator failed.
    RefundByPayout(()) = closed_enum([refund::RefundMethod::Payout.as_str()]);

    /// The passcode, or Telecel's voucher, that the payer gave: 4-10 ASCII letters or digits. White
    /// space around it is ignored. In test mode 123456 is right.
    Otp(Code) = string_schema()
        .pattern(Some(r"^\s*[A-Za-z0-9]{4,10}\s*$"))
        .examples([json!("123456")]);
}

impl TryFrom<String> for PhoneNumber {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let rule = "The phone number must be exactly 10 digits that begin with 0";
        Phone::parse(&text).map(Self).map_err(|_| {
            let detail = match Phone::parse_typed(&text) {
                Ok(meant) => format!("{rule}: send {}.", meant.as_str()),
                Err(_) => format!("{rule}, such as 0241234567."),
            };
            let detail =
                detail + &unexpected_character(&text, |character| character.is_ascii_digit());
            Refusal::new(ErrorCode::InvalidPhoneNumber, detail)
        })
    }
}

impl TryFrom<String> for Network {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let rule = "The network must be MTN, TELECEL or AIRTELTIGO";
        NetworkCode::parse(&text).map(Self).ok_or_else(|| {
            let detail = match NetworkCode::meant_by(&text) {
                Some(meant) => format!("{rule}: send {meant}."),
                None => format!("{rule}."),
            };
            let detail =
                detail + &unexpected_character(&text, |character| (' '..='~').contains(&character));
            Refusal::new(ErrorCode::UnsupportedNetwork, detail)
        })
    }
}

impl TryFrom<String> for PaymentType {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let detail = "The type must be CHARGE or PAYOUT.";
        Kind::parse(&text)
            .map(Self)
            .ok_or_else(|| Refusal::new(ErrorCode::InvalidParameter, detail))
    }
}

impl TryFrom<String> for RefundByPayout {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        match refund::RefundMethod::parse(&text) {
            Some(refund::RefundMethod::Payout) => Ok(Self(())),
            _ => Err(Refusal::new(
                ErrorCode::InvalidParameter,
                "The method must be PAYOUT, or absent.",
            )),
        }
    }
}

impl TryFrom<String> for Note {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        parse_line(text, NOTE_MAX_CHARS).map(Self)
    }
}

impl TryFrom<String> for Reference {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let text = parse_line(text, REFERENCE_MAX_CHARS)?;
        if text.trim().is_empty() {
            Err(Refusal::new(ErrorCode::InvalidText, "The reference must not be empty."))
        } else {
            Ok(Self(text))
        }
    }
}

impl TryFrom<String> for Otp {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        Code::parse(&text).map(Self).map_err(|_| {
            let rule = "The passcode or voucher must be 4 to 10 letters or digits.";
            // The message may name an invalid character, but never the code, which is a secret.
            let detail =
                unexpected_character(text.trim(), |character| character.is_ascii_alphanumeric());
            Refusal::new(ErrorCode::InvalidOtp, format!("{rule}{detail}"))
        })
    }
}

/// Checks that a text has at most `max_chars` characters and no control characters.
///
/// # Errors
/// `too_long` or `invalid_text`.
pub(super) fn parse_line(text: String, max_chars: usize) -> Result<String, Refusal> {
    if text.chars().count() > max_chars {
        Err(Refusal::new(
            ErrorCode::TooLong,
            format!("This may have at most {max_chars} characters."),
        ))
    } else {
        reject_control_characters(&text).map(|()| text)
    }
}

/// The only currency, on every route. It is the default.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Currency {
    /// The Ghana cedi, `GHS` (ISO 4217).
    #[default]
    Ghs,
}

impl_schema!(Currency, "The only currency.", closed_enum(["GHS"]).default(Some(json!("GHS"))));

impl TryFrom<String> for Currency {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        match text.as_str() {
            "GHS" => Ok(Self::Ghs),
            _ => {
                let detail = unexpected_character(&text, |character| character.is_ascii_graphic());
                Err(Refusal::new(
                    ErrorCode::UnsupportedCurrency,
                    format!("Only the currency GHS is supported.{detail}"),
                ))
            }
        }
    }
}

/// The merchant's own data, stored as the JSON text that was sent, so that numbers stay exact.
#[derive(Clone, Debug)]
pub struct Metadata(pub String);

impl_schema!(
    Metadata,
    "The merchant's own data: at most 50 keys of at most 64 characters, 8 KiB of JSON in all. No \
     control characters, except tabs and line ends in values. It comes back as it was sent.",
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .max_properties(Some(METADATA_MAX_KEYS))
        .property_names(Some(Schema::Object(
            string_schema()
                .max_length(Some(METADATA_KEY_MAX_CHARS))
                .pattern(Some(LINE_PATTERN))
                .build()
        )))
        .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true)))
        .examples([json!({ "order": 17 })])
);

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonText::deserialize(deserializer)?.try_into().map_err(de::Error::custom)
    }
}

impl TryFrom<JsonText<'_>> for Metadata {
    type Error = Refusal;

    fn try_from(value: JsonText<'_>) -> Result<Self, Refusal> {
        let text = value.with_empty_object().as_str();
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(|_| {
            Refusal::new(ErrorCode::InvalidType, "The metadata must be a JSON object.")
        })?;
        let detail = if members.len() > METADATA_MAX_KEYS {
            "The metadata may have at most 50 keys."
        } else if members.keys().any(|key| key.chars().count() > METADATA_KEY_MAX_CHARS) {
            "A key of the metadata may have at most 64 characters."
        } else if text.len() > METADATA_MAX_BYTES {
            "The metadata may have at most 8 KiB of JSON."
        } else if has_control_characters(text, &members) {
            "The metadata must not contain control characters, except tabs and line ends in values."
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(Refusal::new(ErrorCode::InvalidMetadata, detail))
    }
}

/// Whether a key has control characters, or a text at any depth has others than tabs and line ends.
fn has_control_characters(text: &str, members: &BTreeMap<String, &RawValue>) -> bool {
    fn is_forbidden(value: &Value) -> bool {
        match value {
            Value::String(text) => {
                text.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
            }
            Value::Array(items) => items.iter().any(is_forbidden),
            Value::Object(members) => members
                .iter()
                .any(|(key, value)| key.contains(char::is_control) || is_forbidden(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    // JSON writes a control character as an escape, except U+007F to U+009F.
    let may_have =
        text.contains('\\') || text.contains(|c: char| c.is_control() && !c.is_ascii_whitespace());
    may_have
        && members.iter().any(|(key, value)| {
            key.contains(char::is_control)
                || serde_json::from_str(value.get()).is_ok_and(|value| is_forbidden(&value))
        })
}

#[cfg(test)]
#[path = "requests_tests.rs"]
mod tests;
