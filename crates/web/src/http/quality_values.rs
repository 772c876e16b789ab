//! Lists whose members have quality values: `fr-CI, fr;q=0.9` (RFC 9110 section 12.4.2).

use axum::http::{HeaderMap, HeaderName};
use std::cmp::Reverse;

/// The members of a list header, each with its quality value in thousandths, in the order of the
/// header.
pub(super) fn quality_values(
    headers: &HeaderMap,
    name: HeaderName,
) -> impl Iterator<Item = (&str, u32)> {
    let lists = headers.get_all(name).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(member)
}

/// The members that are accepted, most preferred first; of equal ones the first in the header.
pub fn by_preference(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let mut wanted: Vec<(&str, u32)> =
        quality_values(headers, name).filter(|(_, quality)| *quality > 0).collect();
    // Stable.
    wanted.sort_by_key(|(_, quality)| Reverse(*quality));
    wanted.into_iter().map(|(member, _)| member)
}

/// A quality value that is not valid is 0.
fn member(text: &str) -> (&str, u32) {
    let (name, parameters) = text.split_once(';').unwrap_or((text, ""));
    let quality = match parameters.trim().strip_prefix("q=") {
        None => 1_000,
        Some(quality) => thousandths(quality.trim()).unwrap_or(0),
    };
    (name.trim(), quality)
}

/// Reads `0.25` as 250.
fn thousandths(quality: &str) -> Option<u32> {
    let (whole, fraction) = quality.split_once('.').unwrap_or((quality, ""));
    let padded = format!("{fraction:0<3}");
    let whole: u32 = whole.parse().ok()?;
    Some(whole.checked_mul(1_000)?.saturating_add(padded.get(..3)?.parse().ok()?))
}
