//! Whole numbers as JSON Schema sees them.

/// A JSON number without decimals that are zero: to JSON Schema `24.0` is a whole number.
pub(super) fn without_zero_decimals(number: &str) -> &str {
    match number.split_once('.') {
        Some((whole, decimals)) if decimals.trim_matches('0').is_empty() => whole,
        _ => number,
    }
}
