//! Kinds of values that both servers take.

use crate::{JsonText, Refusal};
use email_address::{EmailAddress, Options};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;
use tua_contract::{ErrorCode, amount::AmountError};

/// How many bytes an e-mail address may have (RFC 5321 section 4.5.3.1.3, without the angle
/// brackets).
pub const EMAIL_MAX_BYTES: usize = 254;

/// An amount in cedis. In JSON it is a number, which is parsed from and written as its own decimal
/// text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount(pub tua_contract::Amount);

impl Amount {
    /// Parses the text of a JSON number, in cedis.
    ///
    /// # Errors
    /// `invalid_type` where it is not a number, and `invalid_amount` where it is not an amount.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let refuse = |code, detail: &'static str| Err(Refusal::new(code, detail));
        match tua_contract::Amount::parse(text) {
            Ok(amount) => Ok(Self(amount)),
            Err(AmountError::NotANumber) => {
                refuse(ErrorCode::InvalidType, "The amount must be a JSON number, in cedis.")
            }
            Err(AmountError::NotPositive) => {
                refuse(ErrorCode::InvalidAmount, "The amount must be more than 0.")
            }
            Err(AmountError::TooPrecise) => refuse(
                ErrorCode::InvalidAmount,
                "The amount has at most 2 decimals: round it before sending, so that 0.1 + 0.2 is \
                 0.3. In PHP, also leave serialize_precision at -1: with 17, json_encode(10.3) is \
                 10.300000000000001.",
            ),
            Err(AmountError::TooLarge) => {
                refuse(ErrorCode::InvalidAmount, "The amount is at most 1000000000.00.")
            }
        }
    }
}

impl TryFrom<JsonText<'_>> for Amount {
    type Error = Refusal;

    fn try_from(value: JsonText<'_>) -> Result<Self, Refusal> {
        Self::parse(value.as_str())
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonText::deserialize(deserializer)?.try_into().map_err(de::Error::custom)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_amount(&self.0, serializer)
    }
}

/// Writes an amount as a JSON number by its own decimal text, for `#[serde(serialize_with = "…")]`.
///
/// # Errors
/// The serializer's own.
pub fn serialize_amount<S: Serializer>(
    amount: &tua_contract::Amount,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    RawValue::from_string(amount.to_string()).map_err(ser::Error::custom)?.serialize(serializer)
}

/// An e-mail address with a domain that has a top level.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Email(String);

impl Email {
    /// The address as it was sent.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl TryFrom<String> for Email {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        let options =
            Options::default().with_required_tld().without_domain_literal().without_display_text();
        match EmailAddress::parse_with_options(&text, options) {
            // A quoted local part may contain tabs (RFC 5322), and C1 control characters (RFC
            // 6532).
            Ok(_) if text.len() <= EMAIL_MAX_BYTES && !text.contains(char::is_control) => {
                Ok(Self(text))
            }
            _ => Err(Refusal::new(ErrorCode::InvalidEmail, "This is not an e-mail address.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_number_and_nothing_else() {
        let amount = |text| Amount::try_from(JsonText(text));
        assert_eq!(amount("10.500").unwrap().0.pesewas(), 1050);
        for (json, code) in [
            ("\"10\"", "invalid_type"),
            ("true", "invalid_type"),
            ("[1]", "invalid_type"),
            ("0", "invalid_amount"),
            ("1e400", "invalid_amount"),
            ("0.001", "invalid_amount"),
        ] {
            assert_eq!(amount(json).unwrap_err().code, code, "{json}");
        }
    }

    #[test]
    fn an_amount_is_written_digit_for_digit() {
        let amount = Amount(tua_contract::Amount::parse("1234567.80").unwrap());
        assert_eq!(serde_json::to_string(&amount).unwrap(), "1234567.8");
    }

    #[test]
    fn an_email_address_has_a_domain() {
        assert!(Email::try_from("ama@example.com".to_owned()).is_ok());
        for text in [
            "",
            "ama",
            "ama@",
            "@example.com",
            "ama@localhost",
            "Ama <ama@example.com>",
            "a b@example.com",
            "ama@[127.0.0.1]",
            "\"a\tb\"@example.com",
            "a\u{0}b@example.com",
            "a\u{85}b@example.com",
            "ama@example.com\u{0}",
        ] {
            assert!(Email::try_from(text.to_owned()).is_err(), "{text}");
        }
        assert!(Email::try_from(format!("{}@example.com", "a".repeat(300))).is_err());
    }
}
