//! The scopes that a secret key needs on each route: the only table of them. The handlers, the
//! OpenAPI document and the table in docs/reference/credentials.md#scopes use it.

use tua_domain::{
    KeyScope,
    KeyScope::{Collect, Payout, Read, Refund},
};

/// A route that secret keys may call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    method: &'static str,
    path: &'static str,
    /// A key needs one of these.
    pub(super) scopes: &'static [KeyScope],
}

pub(super) const CREATE_CHARGE: Access =
    Access { method: "POST", path: "/v1/charge", scopes: &[Collect] };
pub(super) const CREATE_PAYOUT: Access =
    Access { method: "POST", path: "/v1/payout", scopes: &[Payout] };
pub(super) const CANCEL_PAYOUT: Access =
    Access { method: "POST", path: "/v1/payouts/{transactionId}/cancel", scopes: &[Payout] };
pub(super) const CREATE_BATCH: Access =
    Access { method: "POST", path: "/v1/payouts/batches", scopes: &[Payout] };
pub(super) const READ_BATCH: Access =
    Access { method: "GET", path: "/v1/payouts/batches/{batchId}", scopes: &[Payout, Read] };
pub(super) const CANCEL_BATCH: Access =
    Access { method: "POST", path: "/v1/payouts/batches/{batchId}/cancel", scopes: &[Payout] };
pub(super) const CREATE_REFUND: Access =
    Access { method: "POST", path: "/v1/refunds", scopes: &[Refund] };
pub(super) const LIST_REFUNDS: Access =
    Access { method: "GET", path: "/v1/refunds", scopes: &[Refund, Read] };
pub(super) const READ_REFUND: Access =
    Access { method: "GET", path: "/v1/refunds/{refundId}", scopes: &[Refund, Read] };
pub(super) const CANCEL_REFUND: Access =
    Access { method: "POST", path: "/v1/refunds/{refundId}/cancel", scopes: &[Refund] };
pub(super) const CREATE_CHECKOUT: Access =
    Access { method: "POST", path: "/v1/checkout", scopes: &[Collect] };
pub(super) const READ_SESSION: Access =
    Access { method: "GET", path: "/v1/checkout/{checkoutId}", scopes: &[Collect, Read] };
pub(super) const CLOSE_CHECKOUT: Access =
    Access { method: "POST", path: "/v1/checkout/{checkoutId}/close", scopes: &[Collect] };
pub(super) const CREATE_LINK: Access =
    Access { method: "POST", path: "/v1/links", scopes: &[Collect] };
pub(super) const LIST_LINKS: Access =
    Access { method: "GET", path: "/v1/links", scopes: &[Collect, Read] };
pub(super) const READ_LINK: Access =
    Access { method: "GET", path: "/v1/links/{linkId}", scopes: &[Collect, Read] };
pub(super) const CLOSE_LINK: Access =
    Access { method: "POST", path: "/v1/links/{linkId}/close", scopes: &[Collect] };
pub(super) const REOPEN_LINK: Access =
    Access { method: "POST", path: "/v1/links/{linkId}/reopen", scopes: &[Collect] };
pub(super) const SUBMIT_OTP: Access =
    Access { method: "POST", path: "/v1/submit-otp", scopes: &[Collect] };
/// Every key reads something; what it may not read is not found.
pub(super) const READ_STATUS: Access =
    Access { method: "GET", path: "/v1/status/{transactionId}", scopes: KeyScope::ALL };
pub(super) const LIST_TRANSACTIONS: Access =
    Access { method: "GET", path: "/v1/transactions", scopes: KeyScope::ALL };
/// Which of the two scopes is needed, the type of the payment says.
pub(super) const CREATE_QUOTE: Access =
    Access { method: "POST", path: "/v1/quote", scopes: &[Collect, Payout] };
pub(super) const LIST_NETWORKS: Access =
    Access { method: "GET", path: "/v1/networks", scopes: KeyScope::ALL };

/// Every route that secret keys may call.
pub(super) const ALL: &[Access] = &[
    CREATE_CHARGE,
    CREATE_PAYOUT,
    CANCEL_PAYOUT,
    CREATE_BATCH,
    READ_BATCH,
    CANCEL_BATCH,
    CREATE_REFUND,
    LIST_REFUNDS,
    READ_REFUND,
    CANCEL_REFUND,
    CREATE_CHECKOUT,
    READ_SESSION,
    CLOSE_CHECKOUT,
    CREATE_LINK,
    LIST_LINKS,
    READ_LINK,
    CLOSE_LINK,
    REOPEN_LINK,
    SUBMIT_OTP,
    READ_STATUS,
    LIST_TRANSACTIONS,
    CREATE_QUOTE,
    LIST_NETWORKS,
];

/// The scopes of a route, by method in capitals and path; `None` if no secret key may call it.
pub(super) fn scopes_of(method: &str, path: &str) -> Option<&'static [KeyScope]> {
    ALL.iter()
        .find(|access| (access.method, access.path) == (method, path))
        .map(|access| access.scopes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of the table rows of a section.
    fn table(section: &str) -> Vec<(String, String)> {
        let reference = include_str!("../../../../docs/reference/credentials.md");
        let (_, section) = reference.split_once(section).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let rows = section
            .lines()
            .filter(|line| line.starts_with("| `POST") || line.starts_with("| `GET"));
        let cells =
            rows.map(|row| row.split('|').map(|cell| cell.replace('`', "").trim().to_owned()));
        cells.map(|mut cells| (cells.nth(1).unwrap(), cells.next().unwrap())).collect()
    }

    #[test]
    fn the_reference_lists_the_scopes_of_every_route() {
        let expected: Vec<_> = ALL
            .iter()
            .map(|access| {
                let scopes: Vec<&str> = access.scopes.iter().map(|scope| scope.as_str()).collect();
                let scopes = if access.scopes == KeyScope::ALL {
                    "any".to_owned()
                } else {
                    scopes.join(" or ")
                };
                (format!("{} {}", access.method, access.path.trim_start_matches("/v1")), scopes)
            })
            .collect();
        assert_eq!(table("\n## Scopes\n"), expected);
    }
}
