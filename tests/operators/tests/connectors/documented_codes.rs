//! The rows of every connector, beside its page and its modules.

use super::{hubtel, mtn_momo, pawapay, paystack};

#[test]
fn every_code_of_a_page_and_of_its_modules_has_a_row() {
    for (sources, rows) in [
        (hubtel::codes::SOURCES, hubtel::codes::rows()),
        (mtn_momo::codes::SOURCES, mtn_momo::codes::rows()),
        (pawapay::codes::SOURCES, pawapay::codes::rows()),
        (paystack::codes::SOURCES, paystack::codes::rows()),
    ] {
        sources.assert_complete(&rows);
    }
}
