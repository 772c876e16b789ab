//! Values of requests about the sandbox (docs/reference/test-mode.md).

use super::{impl_schema, whole_number::parse_whole_number};
use serde::{Deserialize, Deserializer, de};
use serde_json::json;
use tua_contract::ErrorCode;
use tua_domain::sandbox_clock::ClockAdvance;
use tua_http_json::{JsonText, Refusal};
use utoipa::openapi::{ObjectBuilder, Type};

/// By how many seconds the sandbox clock is advanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSeconds(pub ClockAdvance);

impl_schema!(
    ClockSeconds,
    "By how many seconds the sandbox clock is advanced: at most 366 days.",
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(ClockAdvance::MIN_SECONDS))
        .maximum(Some(ClockAdvance::MAX_SECONDS))
        .examples([json!(1860)])
);

impl<'de> Deserialize<'de> for ClockSeconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonText::deserialize(deserializer)?.try_into().map_err(de::Error::custom)
    }
}

impl TryFrom<JsonText<'_>> for ClockSeconds {
    type Error = Refusal;

    fn try_from(value: JsonText<'_>) -> Result<Self, Refusal> {
        let seconds = parse_whole_number(&value, "seconds")?;
        ClockAdvance::from_seconds(seconds).map(Self).ok_or_else(|| {
            let detail = "This must be a number of seconds from 1 to 31622400, which are 366 days.";
            Refusal::new(ErrorCode::InvalidParameter, detail)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_http_json::JsonObject;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        seconds: ClockSeconds,
    }

    fn read(seconds: &str) -> Result<i64, Vec<&'static str>> {
        let text = format!(r#"{{"seconds":{seconds}}}"#);
        let body: Result<Body, _> = JsonObject::parse(text.as_bytes()).unwrap().read();
        body.map(|body| body.seconds.0.seconds())
            .map_err(|faults| faults.iter().map(|fault| fault.code).collect())
    }

    #[test]
    fn seconds_are_a_whole_number_up_to_366_days() {
        for (text, seconds) in [("1", 1), ("1860", 1860), ("60.0", 60), ("31622400", 31_622_400)] {
            assert_eq!(read(text), Ok(seconds), "{text}");
        }
        for (text, code) in [
            ("0", "invalid_parameter"),
            ("-60", "invalid_parameter"),
            ("31622401", "invalid_parameter"),
            ("1.5", "invalid_type"),
            ("\"31m\"", "invalid_type"),
            ("1e99", "invalid_parameter"),
            ("null", "field_required"),
        ] {
            assert_eq!(read(text), Err(vec![code]), "{text}");
        }
    }
}
