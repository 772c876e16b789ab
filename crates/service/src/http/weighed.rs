//! Lists whose members carry weights: `fr-CI, fr;q=0.9` (RFC 9110, section 12.4.2).

use axum::http::{HeaderMap, HeaderName};

/// What is asked for in a header, each member with its weight in thousandths, in the order that it stands in.
pub(crate) fn weighed(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = (&str, u32)> {
    let lists = headers.get_all(name).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(member)
}

/// A weight that cannot be read is none.
fn member(text: &str) -> (&str, u32) {
    let (name, parameters) = text.split_once(';').unwrap_or((text, ""));
    let weight = match parameters.trim().strip_prefix("q=") {
        None => 1_000,
        Some(weight) => thousandths(weight.trim()).unwrap_or(0),
    };
    (name.trim(), weight)
}

/// `0.25` is 250.
fn thousandths(weight: &str) -> Option<u32> {
    let (whole, fraction) = weight.split_once('.').unwrap_or((weight, ""));
    let padded = format!("{fraction:0<3}");
    let whole: u32 = whole.parse().ok()?;
    Some(whole.checked_mul(1_000)?.saturating_add(padded.get(..3)?.parse().ok()?))
}
