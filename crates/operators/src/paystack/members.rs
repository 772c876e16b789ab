//! The names and values of a body's members.

use serde_json::Value;

/// A member's name in lower case and without separators.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a value has members or items of its own.
pub(super) const fn is_compound(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}
