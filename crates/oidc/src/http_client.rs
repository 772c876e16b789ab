//! HTTP requests to the sign-in provider, with the service's HTTP client.

use openidconnect::{HttpRequest, HttpResponse};
use reqwest::{Client, redirect::Policy};
use std::time::Duration;
use tua_net::limited_request::{self, RequestError};

/// The timeout of a request. A person waits for it.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for this provider.
///
/// # Errors
/// One line, if the HTTP client cannot be built.
pub(super) fn build(issuer: &str) -> Result<Client, String> {
    Client::builder()
        // Where discovery named a plain address, our secret would be sent unencrypted.
        .https_only(issuer.starts_with("https://"))
        // A redirect could lead to another server, also to one inside the network.
        .redirect(Policy::none())
        .timeout(REQUEST_TIMEOUT)
        .build()
        .map_err(|error| format!("oidc: {error}"))
}

pub(super) async fn send(
    client: Client,
    request: HttpRequest,
) -> Result<HttpResponse, RequestError> {
    limited_request::send(&client, request.map(Into::into))
        .await
        .map(|response| response.map(|body| body.to_vec()))
}
