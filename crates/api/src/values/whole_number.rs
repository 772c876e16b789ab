//! Whole numbers as JSON Schema sees them.

use tua_contract::{ErrorCode, amount};
use tua_http_json::{JsonText, Refusal};

/// Parses a JSON number of a unit such as `hours`. To JSON Schema, `24.0` and `2.4e1` are whole
/// numbers.
///
/// # Errors
/// `invalid_type`.
pub(super) fn parse_whole_number(value: &JsonText<'_>, unit: &str) -> Result<i64, Refusal> {
    amount::parse_whole_number(value.as_str()).ok_or_else(|| {
        let detail = format!("This must be a whole number of {unit}.");
        Refusal::new(ErrorCode::InvalidType, detail)
    })
}
