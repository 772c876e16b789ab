//! One parser for each kind of value that a body may hold (docs/reference/values.md).

use super::fields::Refusal;
use crate::domain::Mode;
use email_address::{EmailAddress, Options};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use tua_contract::{Amount, Code, ErrorCode, Network, Phone, amount::AmountError};
use url::{Host, Url};

pub(super) const NOTE_CHARS: usize = 160;
pub(super) const REFERENCE_CHARS: usize = 64;
pub(super) const METADATA_KEYS: usize = 50;
pub(super) const METADATA_KEY_CHARS: usize = 64;
const METADATA_BYTES: usize = 8 << 10;
pub(super) const URL_CHARS: usize = 2048;
/// RFC 5321 section 4.5.3.1.3, without the angle brackets.
pub(super) const EMAIL_CHARS: usize = 254;

pub(super) fn string(value: &RawValue) -> Result<String, Refusal> {
    serde_json::from_str(value.get()).map_err(|_| (ErrorCode::InvalidType, "This must be a string.".into()))
}

pub(super) fn amount(value: &RawValue) -> Result<Amount, Refusal> {
    Amount::parse(value.get()).map_err(|error| match error {
        AmountError::NotANumber => (ErrorCode::InvalidType, "The amount must be a JSON number, in cedis.".into()),
        AmountError::NotPositive => (ErrorCode::InvalidAmount, "The amount must be above 0.".into()),
        AmountError::TooPrecise => (ErrorCode::InvalidAmount, "The amount has at most 2 decimals.".into()),
        AmountError::TooLarge => (ErrorCode::InvalidAmount, "The amount is at most 1000000000.00.".into()),
    })
}

pub(super) fn phone(value: &RawValue) -> Result<Phone, Refusal> {
    Phone::parse(&string(value)?).map_err(|_| {
        (ErrorCode::InvalidPhoneNumber, "The phone number must be exactly 10 digits that begin with 0.".into())
    })
}

pub(super) fn network(value: &RawValue) -> Result<Network, Refusal> {
    Network::parse(&string(value)?)
        .ok_or((ErrorCode::UnsupportedNetwork, "The network must be MTN, TELECEL or AIRTELTIGO.".into()))
}

pub(super) fn otp(value: &RawValue) -> Result<Code, Refusal> {
    Code::parse(&string(value)?)
        .map_err(|_| (ErrorCode::InvalidOtp, "The passcode or voucher must be 4 to 10 letters or digits.".into()))
}

pub(super) fn email(value: &RawValue) -> Result<String, Refusal> {
    let text = string(value)?;
    let options = Options::default().with_required_tld().without_domain_literal().without_display_text();
    match EmailAddress::parse_with_options(&text, options) {
        Ok(_) if text.len() <= EMAIL_CHARS => Ok(text),
        _ => Err((ErrorCode::InvalidEmail, "This is not an e-mail address.".into())),
    }
}

pub(super) fn note(value: &RawValue) -> Result<String, Refusal> {
    line(value, NOTE_CHARS)
}

pub(super) fn reference(value: &RawValue) -> Result<String, Refusal> {
    let text = line(value, REFERENCE_CHARS)?;
    match text.trim().is_empty() {
        true => Err((ErrorCode::InvalidText, "The reference must not be empty.".into())),
        false => Ok(text),
    }
}

/// An id from a body; what it names is looked up later.
pub(super) fn id(value: &RawValue) -> Result<String, Refusal> {
    string(value)
}

fn line(value: &RawValue, most: usize) -> Result<String, Refusal> {
    let text = string(value)?;
    if text.chars().count() > most {
        Err((ErrorCode::TooLong, format!("This may have at most {most} characters.").into()))
    } else if text.chars().any(char::is_control) {
        Err((ErrorCode::InvalidText, "This must not contain control characters.".into()))
    } else {
        Ok(text)
    }
}

/// Kept as its own text, so that a merchant's numbers come back as they were sent.
pub(super) fn metadata(value: &RawValue) -> Result<String, Refusal> {
    let invalid = |detail: &'static str| Err((ErrorCode::InvalidMetadata, detail.into()));
    let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get()) else {
        return Err((ErrorCode::InvalidType, "The metadata must be a JSON object.".into()));
    };
    if members.len() > METADATA_KEYS {
        return invalid("The metadata has at most 50 keys.");
    }
    if members.keys().any(|key| key.chars().count() > METADATA_KEY_CHARS) {
        return invalid("A key of the metadata has at most 64 characters.");
    }
    if value.get().len() > METADATA_BYTES {
        return invalid("The metadata is at most 8 KiB of JSON.");
    }
    Ok(value.get().to_owned())
}

/// https, or plain http on loopback for a merchant who tries things out.
pub(super) fn return_url(mode: Mode) -> impl Fn(&RawValue) -> Result<String, Refusal> {
    move |value| {
        let text = string(value)?;
        let fine = text.len() <= URL_CHARS
            && Url::parse(&text).is_ok_and(|url| {
                let secure =
                    url.scheme() == "https" || (url.scheme() == "http" && mode == Mode::Test && is_loopback(&url));
                secure && url.has_host() && url.username().is_empty() && url.password().is_none()
            });
        let detail = "This must be an https URL without a user name. In test mode, http on loopback is also allowed.";
        if fine { Ok(text) } else { Err((ErrorCode::InvalidUrl, detail.into())) }
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn an_amount_is_a_number_and_nothing_else() {
        assert_eq!(amount(&raw("10.500")).unwrap().pesewas(), 1050);
        for (json, code) in [
            ("\"10\"", ErrorCode::InvalidType),
            ("true", ErrorCode::InvalidType),
            ("[1]", ErrorCode::InvalidType),
            ("0", ErrorCode::InvalidAmount),
            ("1e400", ErrorCode::InvalidAmount),
            ("0.001", ErrorCode::InvalidAmount),
        ] {
            assert_eq!(amount(&raw(json)).unwrap_err().0, code, "{json}");
        }
    }

    #[test]
    fn an_e_mail_address_has_a_domain() {
        assert!(email(&raw("\"ama@example.com\"")).is_ok());
        for text in [
            "",
            "ama",
            "ama@",
            "@example.com",
            "ama@localhost",
            "Ama <ama@example.com>",
            "a b@example.com",
            "ama@[127.0.0.1]",
        ] {
            assert!(email(&raw(&serde_json::to_string(text).unwrap())).is_err(), "{text}");
        }
        assert!(email(&raw(&format!("\"{}@example.com\"", "a".repeat(300)))).is_err());
    }

    #[test]
    fn a_payer_is_sent_back_over_https_only() {
        let allowed = |mode, text: &str| return_url(mode)(&raw(&serde_json::to_string(text).unwrap())).is_ok();
        assert!(allowed(Mode::Live, "https://shop.example/thanks?order=1"));
        assert!(allowed(Mode::Test, "http://127.0.0.1:8090/"));
        assert!(allowed(Mode::Test, "http://localhost:8090/"));
        for text in [
            "http://127.0.0.1/",
            "javascript:alert(1)",
            "https://user:secret@shop.example/",
            "//shop.example",
            "",
            "data:text/html,x",
        ] {
            assert!(!allowed(Mode::Live, text), "{text}");
        }
        assert!(!allowed(Mode::Test, "http://shop.example/"));
    }

    #[test]
    fn metadata_keeps_its_text_within_its_limits() {
        assert_eq!(metadata(&raw("{\"n\": 1.10}")).unwrap(), "{\"n\": 1.10}");
        let many: String = (0..51).map(|n| format!("\"k{n}\":1")).collect::<Vec<_>>().join(",");
        for json in [
            format!("{{{many}}}"),
            format!("{{\"{}\":1}}", "k".repeat(65)),
            format!("{{\"k\":\"{}\"}}", "v".repeat(9000)),
        ] {
            assert_eq!(metadata(&raw(&json)).unwrap_err().0, ErrorCode::InvalidMetadata);
        }
        assert_eq!(metadata(&raw("[1]")).unwrap_err().0, ErrorCode::InvalidType);
    }

    #[test]
    fn a_note_is_one_line_of_160_characters() {
        assert!(note(&raw(&format!("\"{}\"", "é".repeat(160)))).is_ok());
        assert_eq!(note(&raw(&format!("\"{}\"", "é".repeat(161)))).unwrap_err().0, ErrorCode::TooLong);
        assert_eq!(note(&raw("\"a\\u0000b\"")).unwrap_err().0, ErrorCode::InvalidText);
        assert_eq!(reference(&raw("\"  \"")).unwrap_err().0, ErrorCode::InvalidText);
    }
}
