//! Whole numbers as JSON Schema sees them.

use tua_contract::ErrorCode;
use tua_http_json::{JsonText, Refusal};

/// Parses a JSON number of a unit such as `hours`. To JSON Schema, `24.0` is a whole number.
///
/// # Errors
/// `invalid_type`.
pub(super) fn parse_whole_number(value: &JsonText<'_>, unit: &str) -> Result<i64, Refusal> {
    serde_json::from_str(strip_zero_decimals(value.as_str())).map_err(|_| {
        let detail = format!("This must be a whole number of {unit}.");
        Refusal::new(ErrorCode::InvalidType, detail)
    })
}

fn strip_zero_decimals(number: &str) -> &str {
    match number.split_once('.') {
        Some((whole, decimals)) if decimals.trim_matches('0').is_empty() => whole,
        _ => number,
    }
}
