//! One JSON value as it was written.

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};
use std::fmt;

/// How a [`JsonText`] asks this crate's deserializer for the text, as `serde_json`'s `RawValue`
/// asks its own.
pub(crate) const JSON_TEXT: &str = "tua_http_json::JsonText";

/// The text of one JSON value, with the digits and the spacing that the sender chose.
///
/// Only [`crate::JsonObject::read`] can deserialize into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonText<'a>(pub(crate) &'a str);

impl<'a> JsonText<'a> {
    /// The text, which is valid JSON without duplicate names.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// The text; of an empty array that of an empty object. PHP's `json_encode` writes an empty
    /// array as `[]` where an object is meant.
    #[must_use]
    pub fn with_empty_object(self) -> Self {
        let inside = self.0.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        if inside.is_some_and(|text| text.trim().is_empty()) { Self("{}") } else { self }
    }

    /// Whether the value is a JSON number.
    #[must_use]
    pub fn is_number(self) -> bool {
        self.0.starts_with(|first: char| first == '-' || first.is_ascii_digit())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsWritten;

        impl<'de> Visitor<'de> for AsWritten {
            type Value = JsonText<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(JsonText(text))
            }
        }

        deserializer.deserialize_newtype_struct(JSON_TEXT, AsWritten)
    }
}
