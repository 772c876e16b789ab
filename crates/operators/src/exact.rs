//! Values of operators' JSON that must be read exactly.

use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

/// A JSON text, or a JSON number by its own digits: an amount that was a floating-point number for
/// a moment may be another amount. Operators also write the same member as a number in one response
/// and as a text in the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExactText(pub String);

impl ExactText {
    /// The text, or the digits of the number exactly as they were received.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for ExactText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let json = raw.get();
        match json.as_bytes().first() {
            Some(b'"') => serde_json::from_str(json).map(Self).map_err(de::Error::custom),
            Some(b'-' | b'0'..=b'9') => Ok(Self(json.to_owned())),
            _ => Err(de::Error::custom("neither a text nor a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_digits() {
        let texts: Vec<Option<ExactText>> =
            serde_json::from_str(r#"[0.80, 1e2, "12.50", 10, null, "a\"b"]"#).unwrap();
        let texts: Vec<_> = texts.iter().map(|text| text.as_ref().map(ExactText::as_str)).collect();
        assert_eq!(
            texts,
            [Some("0.80"), Some("1e2"), Some("12.50"), Some("10"), None, Some("a\"b")]
        );
        for json in ["true", "{}", "[]"] {
            assert!(serde_json::from_str::<ExactText>(json).is_err(), "{json}");
        }
    }
}
