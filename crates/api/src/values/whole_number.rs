//! Whole numbers as JSON Schema sees them.

use tua_contract::ErrorCode;
use tua_http_json::{JsonText, Refusal};

/// The whole numbers that a float has exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// Parses a JSON number of a unit such as `hours`. To JSON Schema, `24.0` and `2.4e1` are whole
/// numbers.
///
/// # Errors
/// `invalid_type`.
pub(super) fn parse_whole_number(value: &JsonText<'_>, unit: &str) -> Result<i64, Refusal> {
    let text = value.as_str();
    let number =
        serde_json::from_str(text).ok().or_else(|| whole(serde_json::from_str(text).ok()?));
    number.ok_or_else(|| {
        let detail = format!("This must be a whole number of {unit}.");
        Refusal::new(ErrorCode::InvalidType, detail)
    })
}

fn whole(number: f64) -> Option<i64> {
    // The bounds are those within which it is the same number.
    (number.fract() == 0.0 && number.abs() <= MAX_EXACT).then_some(number as i64)
}
