//! The error codes that only the companion has. The payment service has a page for each, beside
//! those of its own codes.

use tua_contract::ErrorCode;

/// Each code with its HTTP status and its title, which is the same for every occurrence.
pub const OWN: [(&str, u16, &str); 8] = [
    ("empty_cart", 422, "The cart is empty"),
    ("too_many_items", 422, "The cart has too many items"),
    ("unknown_sku", 422, "The shop does not sell this item"),
    ("duplicate_sku", 422, "An item appears twice"),
    ("invalid_quantity", 422, "A quantity is not valid"),
    ("donation_out_of_range", 422, "The donation is too small or too large"),
    ("upstream_unavailable", 502, "The payment service is not available"),
    ("upstream_refused", 502, "The payment service refused the shop's request"),
];

/// The title of a code, the companion's or the payment service's.
pub(crate) fn title(code: &str) -> &'static str {
    let own = || OWN.iter().find(|(own, ..)| *own == code).map(|(.., title)| *title);
    ErrorCode::parse(code).map(ErrorCode::title).or_else(own).unwrap_or("Error")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_lists_every_code_and_none_is_the_payment_services() {
        let reference = include_str!("../../../docs/reference/errors.md");
        for (code, status, own_title) in OWN {
            assert!(reference.contains(&format!("| {status} | `{code}` | ")), "{code}");
            assert_eq!((ErrorCode::parse(code), title(code)), (None, own_title));
        }
    }
}
