//! Every route of the API. To add one, add an entry here. A test compares this list with the
//! router.

mod batches;
mod checkouts;
mod links;
mod payments;
mod quotes;
mod reading;
mod refunds;
mod service;

use super::route::Route;

/// The groups of routes and webhooks, in the order of the document.
pub(super) const TAGS: [(&str, &str); 7] = [
    ("Payments", "Charges, payouts, passcodes and vouchers, and what they cost."),
    ("Refunds", "Money of charges, back to their payers."),
    ("Checkouts", "Sessions that a payer pays in a page with a token."),
    ("Links", "Pages with a short address, on which anybody who has it can pay."),
    ("Reading", "Transactions."),
    ("Service", "The service itself."),
    ("Webhooks", "Requests to the merchant's endpoint."),
];

/// The routes of all files, in the order of the files here.
pub(super) fn all() -> impl Iterator<Item = &'static Route> {
    [
        payments::ROUTES,
        quotes::ROUTES,
        batches::ROUTES,
        refunds::ROUTES,
        checkouts::ROUTES,
        links::ROUTES,
        reading::ROUTES,
        service::ROUTES,
    ]
    .into_iter()
    .flatten()
}
