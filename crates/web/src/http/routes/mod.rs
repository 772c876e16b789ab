//! The routes of the API: one file per route, which is named after its operation. It contains the
//! handler, the credentials and scopes, the OpenAPI description, and method and path.

mod advance_sandbox_clock;
mod cancel_payout;
mod cancel_payout_batch;
mod cancel_refund;
mod close_checkout;
mod close_link;
pub(super) mod create_charge;
pub(super) mod create_checkout;
mod create_link;
pub(super) mod create_payout;
mod create_payout_batch;
mod create_quote;
mod create_refund;
mod create_webhook_endpoint;
mod disable_webhook_endpoint;
mod enable_webhook_endpoint;
mod follow_logs;
mod is_alive;
mod is_ready;
mod list_checkouts;
mod list_events;
mod list_links;
mod list_networks;
mod list_refunds;
pub(super) mod list_transactions;
mod list_webhook_endpoints;
mod read_checkout;
mod read_document;
mod read_event;
mod read_link;
mod read_payout_batch;
mod read_refund;
mod read_session;
mod read_status;
mod read_webhook_endpoint;
mod remove_webhook_endpoint;
mod reopen_link;
mod rotate_webhook_secret;
pub(super) mod submit_otp;
#[cfg(test)]
mod tests;

use super::{route::Route, state::HttpState};
use axum::Router;

/// The prefix of the API's routes. The other routes are for the service's administrators.
const VERSION: &str = "/v1";

/// All routes, in the order of docs/reference/credentials.md#scopes. The router and the OpenAPI
/// document are made from this list.
pub(super) const ALL: &[Route] = &[
    create_charge::ROUTE,
    create_payout::ROUTE,
    cancel_payout::ROUTE,
    create_payout_batch::ROUTE,
    read_payout_batch::ROUTE,
    cancel_payout_batch::ROUTE,
    create_refund::ROUTE,
    list_refunds::ROUTE,
    read_refund::ROUTE,
    cancel_refund::ROUTE,
    create_checkout::ROUTE,
    read_checkout::ROUTE,
    list_checkouts::ROUTE,
    read_session::ROUTE,
    close_checkout::ROUTE,
    create_link::ROUTE,
    list_links::ROUTE,
    read_link::ROUTE,
    close_link::ROUTE,
    reopen_link::ROUTE,
    submit_otp::ROUTE,
    read_status::ROUTE,
    list_transactions::ROUTE,
    list_events::ROUTE,
    read_event::ROUTE,
    create_webhook_endpoint::ROUTE,
    list_webhook_endpoints::ROUTE,
    read_webhook_endpoint::ROUTE,
    rotate_webhook_secret::ROUTE,
    disable_webhook_endpoint::ROUTE,
    enable_webhook_endpoint::ROUTE,
    remove_webhook_endpoint::ROUTE,
    create_quote::ROUTE,
    list_networks::ROUTE,
    advance_sandbox_clock::ROUTE,
    follow_logs::ROUTE,
    is_alive::ROUTE,
    is_ready::ROUTE,
    read_document::ROUTE,
];

/// The paths of all routes, as the OpenAPI document has them.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|route| route.operation.path)
}

/// The routes below `/v1`, as a router that is nested there.
pub(super) fn versioned() -> Router<HttpState> {
    ALL.iter().fold(Router::new(), |router, route| {
        match route.operation.path.strip_prefix(VERSION) {
            Some(path) => route.add_to(router, path),
            None => router,
        }
    })
}

/// The routes that are not below `/v1`.
pub(super) fn unversioned() -> Router<HttpState> {
    ALL.iter()
        .filter(|route| !route.operation.path.starts_with(VERSION))
        .fold(Router::new(), |router, route| route.add_to(router, route.operation.path))
}
