//! Every route of the API. To add one, write an entry here; a test holds this list against the router.

mod checkouts;
mod payments;
mod reading;
mod service;

use super::route::Route;

/// What routes and webhooks are grouped by, in the order in which they are shown.
pub(super) const TAGS: [(&str, &str); 5] = [
    ("Payments", "Charges, payouts, and the passcodes or vouchers that some charges wait for."),
    ("Checkouts", "Sessions that a payer pays in a page, with a token in place of a secret key."),
    ("Reading", "How transactions stand."),
    ("Service", "The service itself."),
    ("Webhooks", "What is sent to a merchant's endpoint."),
];

/// All of them.
pub(super) fn all() -> impl Iterator<Item = &'static Route> {
    [payments::ROUTES, checkouts::ROUTES, reading::ROUTES, service::ROUTES].into_iter().flatten()
}
