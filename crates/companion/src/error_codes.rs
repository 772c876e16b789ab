//! The error codes that only the companion has. The payment service has a page for each, beside
//! those of its own codes.

use tua_contract::ErrorCode;

/// An error code of the companion.
#[derive(Clone, Copy, Debug)]
pub struct CompanionError {
    /// The code, as in the member `code` of a problem document.
    pub code: &'static str,
    /// The HTTP status of responses with this code.
    pub status: u16,
    /// The title, which is the same for every occurrence.
    pub title: &'static str,
}

/// Every error code that only the companion has.
pub const COMPANION_ERRORS: [CompanionError; 8] = [
    error("empty_cart", 422, "The cart is empty"),
    error("too_many_items", 422, "The cart has too many items"),
    error("unknown_sku", 422, "The shop does not sell this item"),
    error("duplicate_sku", 422, "An item appears twice"),
    error("invalid_quantity", 422, "A quantity is not valid"),
    error("donation_out_of_range", 422, "The donation is too small or too large"),
    error("upstream_unavailable", 502, "The payment service is not available"),
    error("upstream_refused", 502, "The payment service refused the shop's request"),
];

const fn error(code: &'static str, status: u16, title: &'static str) -> CompanionError {
    CompanionError { code, status, title }
}

/// The title of a code of the companion or the payment service; `Error` for every other code.
pub(crate) fn title(code: &str) -> &'static str {
    let companion_title =
        || COMPANION_ERRORS.iter().find(|error| error.code == code).map(|error| error.title);
    ErrorCode::parse(code).map(ErrorCode::title).or_else(companion_title).unwrap_or("Error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_lists_every_code_and_none_is_the_payment_services() {
        let reference = include_str!("../../../docs/reference/errors.md");
        for CompanionError { code, status, title } in COMPANION_ERRORS {
            assert!(reference.contains(&format!("| {status} | `{code}` | ")), "{code}");
            assert_eq!((ErrorCode::parse(code), super::title(code)), (None, title));
        }
    }
}
