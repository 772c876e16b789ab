//! Numbers of sheets, as decimal texts.

/// A number as a decimal text with the 15 digits that spreadsheet programs show: those behind are
/// errors of their arithmetic. `None` for what is no number.
pub(super) fn decimal(value: f64) -> Option<String> {
    // More zeros than any number of a table has.
    const MAX_EXPONENT: i32 = 20;
    if !value.is_finite() {
        return None;
    }
    let written = format!("{value:.14e}");
    let (mantissa, exponent) = written.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    if exponent.abs() > MAX_EXPONENT {
        return Some(written);
    }
    let (sign, mantissa) =
        mantissa.strip_prefix('-').map_or(("", mantissa), |mantissa| ("-", mantissa));
    let digits = mantissa.replace('.', "");
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let length = i32::try_from(digits.len()).ok()?;
    let padded = format!("{}{digits}{}", zeros(-exponent), zeros(exponent + 1 - length));
    let (whole, decimals) = padded.split_at(usize::try_from(exponent.max(0) + 1).ok()?);
    let decimals = decimals.trim_end_matches('0');
    Some(if decimals.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{decimals}")
    })
}
