//! What a response is about, for the log of test mode.

use axum::response::Response;

/// An extension of a response: the identifier of the transaction or checkout session that it is
/// about.
#[derive(Clone, Debug)]
pub(super) struct LoggedResource(pub(super) String);

/// Adds the identifier to a response.
pub(super) fn with_resource(mut response: Response, id: &str) -> Response {
    response.extensions_mut().insert(LoggedResource(id.to_owned()));
    response
}
