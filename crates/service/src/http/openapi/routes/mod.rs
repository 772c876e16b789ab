//! Every route of the API. To add one, write an entry here; a test holds this list against the router.

mod checkouts;
mod payments;
mod reading;
mod service;

use super::route::Route;

/// What routes and webhooks are grouped by, in the order in which they are shown.
pub(super) const TAGS: [(&str, &str); 5] = [
    ("Payments", "Charges, payouts, passcodes and vouchers."),
    ("Checkouts", "Sessions that a payer pays in a page with a token."),
    ("Reading", "Transactions."),
    ("Service", "The service itself."),
    ("Webhooks", "Requests to the merchant's endpoint."),
];

/// All of them.
pub(super) fn all() -> impl Iterator<Item = &'static Route> {
    [payments::ROUTES, checkouts::ROUTES, reading::ROUTES, service::ROUTES].into_iter().flatten()
}
