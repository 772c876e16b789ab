//! What the pages of the companion's own error codes say
//! (docs/reference/errors.md#error-codes-of-the-companion).

use super::templates::ErrorCodePage;
use tua_companion::error_codes::{COMPANION_ERRORS, CompanionError};

/// The page of this code, if it is one of the companion's.
pub(super) fn page(code: &str) -> Option<ErrorCodePage> {
    let &CompanionError { code, status, title } =
        COMPANION_ERRORS.iter().find(|error| error.code == code)?;
    let (explanation, remedy) = texts(code)?;
    let money = "No money moved. The companion only opens checkouts.";
    Some(ErrorCodePage { code, status, title, explanation, money, remedy, has_request_id: false })
}

/// What happened, and what to do next.
fn texts(code: &str) -> Option<(&'static str, &'static str)> {
    Some(match code {
        "empty_cart" => ("The cart has no items.", "Send at least one item."),
        "too_many_items" => (
            "The cart has more than 30 items.",
            "Send at most 30 items, each with its whole quantity.",
        ),
        "unknown_sku" => (
            "The companion's catalogue does not contain this sku.",
            "Send a sku of the catalogue. To sell another item, add it to the file of --catalogue \
             and restart the companion.",
        ),
        "duplicate_sku" => (
            "The cart has two entries with the same sku.",
            "Send one entry for the item, with its whole quantity.",
        ),
        "invalid_quantity" => (
            "The quantity is not a whole number from 1 to 999.",
            "Send a whole number from 1 to 999, without quotes and decimals.",
        ),
        "donation_out_of_range" => (
            "The amount is below the minimum or above the maximum of the donation in the \
             companion's catalogue.",
            "Send an amount within the limits that the detail names.",
        ),
        "upstream_unavailable" => (
            "The payment service did not respond to the companion, or its response was not a \
             checkout.",
            "Try again later. The companion's log says more.",
        ),
        "upstream_refused" => (
            "The payment service refused the companion's request: its secret key or its --base-url \
             is wrong, or its --return-url is not allowed.",
            "The merchant corrects the companion's settings. Its log has the payment service's \
             error code.",
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_companion_has_a_page() {
        assert!(COMPANION_ERRORS.iter().all(|error| page(error.code).is_some()));
        assert!(page("not_found").is_none());
    }
}
