//! The scheme of `Authorization` (RFC 6750, section 2.1).

/// The credential behind the scheme `Bearer`; `None` where there is another scheme, or none.
pub(super) fn without_scheme(value: &str) -> Option<&str> {
    let (scheme, credential) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim())
}
