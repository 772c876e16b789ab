//! A route of the API: its handler, and the documentation beside it.

use super::{openapi::operation::OperationSpec, state::HttpState};
use axum::{
    Router,
    routing::{MethodFilter, MethodRouter},
};
use utoipa::openapi::HttpMethod;

/// A route: one method of one path. The router and the OpenAPI document are made from the same
/// routes, so that each route is documented.
pub(super) struct Route {
    /// The handler, for the method of the operation.
    pub(super) handler: fn(MethodFilter) -> MethodRouter<HttpState>,
    /// Method, path, credentials and documentation.
    pub(super) operation: OperationSpec,
}

impl Route {
    /// Adds the route to a router. `path` is the route's path, without the prefix below which the
    /// router is nested.
    pub(super) fn add_to(&self, router: Router<HttpState>, path: &str) -> Router<HttpState> {
        router.route(&router_path(path), (self.handler)(filter(&self.operation.method)))
    }
}

const fn filter(method: &HttpMethod) -> MethodFilter {
    match method {
        HttpMethod::Get => MethodFilter::GET,
        HttpMethod::Post => MethodFilter::POST,
        HttpMethod::Put => MethodFilter::PUT,
        HttpMethod::Delete => MethodFilter::DELETE,
        HttpMethod::Options => MethodFilter::OPTIONS,
        HttpMethod::Head => MethodFilter::HEAD,
        HttpMethod::Patch => MethodFilter::PATCH,
        HttpMethod::Trace => MethodFilter::TRACE,
    }
}

/// The path as the router, logs and metrics have it. They write the names of parameters in snake
/// case: `/v1/status/{transaction_id}`.
fn router_path(path: &str) -> String {
    let mut written = String::with_capacity(path.len() + 1);
    for character in path.chars() {
        if character.is_ascii_uppercase() {
            written.push('_');
        }
        written.push(character.to_ascii_lowercase());
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_in_snake_case_in_the_router() {
        assert_eq!(router_path("/v1/status/{transactionId}"), "/v1/status/{transaction_id}");
        assert_eq!(router_path("/submit-otp"), "/submit-otp");
    }
}
