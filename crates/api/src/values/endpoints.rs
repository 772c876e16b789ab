//! Values of requests about webhook endpoints (docs/reference/webhooks.md).

use super::{impl_schema, string_schema, whole_number::parse_whole_number};
use jiff::SignedDuration;
use serde::{Deserialize, Deserializer, de};
use serde_json::json;
use tua_contract::ErrorCode;
use tua_http_json::{JsonText, Refusal};
use utoipa::openapi::{ObjectBuilder, SchemaFormat, Type};

/// The longest address of an endpoint, in characters.
const MAX_URL_LENGTH: usize = 2048;

/// The longest time during which the previous secret also signs: 90 days, as in the dashboard and
/// on the command line.
const MAX_OVERLAP_HOURS: u16 = 2160;

/// The address of an endpoint as it was sent. Which addresses are allowed depends on the mode.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub struct EndpointUrl(pub String);

impl_schema!(
    EndpointUrl,
    "The address that events are sent to: https, in test mode also http; without a user name and \
     without a fragment.",
    string_schema()
        .max_length(Some(MAX_URL_LENGTH))
        .format(Some(SchemaFormat::Custom("url".to_owned())))
        .pattern(Some("^https?://"))
        .examples([json!("https://shop.example/webhooks")])
);

impl From<String> for EndpointUrl {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// How long the previous secret of an endpoint also signs, in whole hours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverlapHours(u16);

impl_schema!(
    OverlapHours,
    "How many hours the previous secret also signs, at most 90 days. 0 ends it at once.",
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(0))
        .maximum(Some(MAX_OVERLAP_HOURS))
        .default(Some(json!(OverlapHours::default().0)))
);

impl Default for OverlapHours {
    /// A day.
    fn default() -> Self {
        Self(24)
    }
}

impl<'de> Deserialize<'de> for OverlapHours {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonText::deserialize(deserializer)?.try_into().map_err(de::Error::custom)
    }
}

impl TryFrom<JsonText<'_>> for OverlapHours {
    type Error = Refusal;

    fn try_from(value: JsonText<'_>) -> Result<Self, Refusal> {
        let hours = parse_whole_number(&value, "hours")?;
        let hours = u16::try_from(hours).ok().filter(|hours| *hours <= MAX_OVERLAP_HOURS);
        hours.map(Self).ok_or_else(|| {
            let detail = "This must be a number of hours from 0 to 2160.";
            Refusal::new(ErrorCode::InvalidParameter, detail)
        })
    }
}

impl From<OverlapHours> for SignedDuration {
    fn from(OverlapHours(hours): OverlapHours) -> Self {
        Self::from_hours(hours.into())
    }
}

/// Whether the events are sent that were recorded while an endpoint was disabled.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ResendRecorded(pub bool);

impl_schema!(
    ResendRecorded,
    "Whether the events are sent that were recorded while it was disabled. Absent: they are not.",
    ObjectBuilder::new().schema_type(Type::Boolean).default(Some(json!(false)))
);

impl<'de> Deserialize<'de> for ResendRecorded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonText::deserialize(deserializer)?.try_into().map_err(de::Error::custom)
    }
}

impl TryFrom<JsonText<'_>> for ResendRecorded {
    type Error = Refusal;

    fn try_from(value: JsonText<'_>) -> Result<Self, Refusal> {
        let refuse = |_| Refusal::new(ErrorCode::InvalidType, "This must be true or false.");
        serde_json::from_str(value.as_str()).map(Self).map_err(refuse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_http_json::JsonObject;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        hours: Option<OverlapHours>,
        resend: Option<ResendRecorded>,
    }

    fn read(text: &str) -> Result<Body, Vec<&'static str>> {
        let object = JsonObject::parse(text.as_bytes()).unwrap();
        object.read().map_err(|faults| faults.iter().map(|fault| fault.code).collect())
    }

    #[test]
    fn hours_are_a_whole_number_of_at_most_ninety_days() {
        for (text, hours) in [("0", 0), ("24", 24), ("24.0", 24), ("2.4e1", 24), ("2160", 2160)] {
            let body = read(&format!(r#"{{"hours":{text}}}"#)).unwrap();
            assert_eq!(body.hours, Some(OverlapHours(hours)), "{text}");
        }
        for (text, code) in [
            ("2161", "invalid_parameter"),
            ("-1", "invalid_parameter"),
            ("1.5", "invalid_type"),
            ("\"24\"", "invalid_type"),
            ("1e99", "invalid_parameter"),
        ] {
            let codes = read(&format!(r#"{{"hours":{text}}}"#)).err();
            assert_eq!(codes, Some(vec![code]), "{text}");
        }
    }

    #[test]
    fn a_resend_is_true_or_false() {
        assert_eq!(read(r#"{"resend":true}"#).unwrap().resend, Some(ResendRecorded(true)));
        assert_eq!(read(r#"{"resend":false}"#).unwrap().resend, Some(ResendRecorded(false)));
        assert_eq!(read(r#"{"resend":null}"#).unwrap().resend, None);
        assert_eq!(read(r#"{"resend":"yes"}"#).err(), Some(vec!["invalid_type"]));
    }
}
