//! HTTP requests of libraries, sent with the service's HTTP client: one TLS implementation, and
//! responses of limited size.

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use reqwest::Client;

/// The largest accepted response, in bytes.
const MAX_RESPONSE_BYTES: usize = 1 << 20;

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The request was not sent, or the response broke off.
    #[error(transparent)]
    Failed(#[from] reqwest::Error),
    /// The response is larger than any that is expected.
    #[error("the response is larger than {MAX_RESPONSE_BYTES} bytes")]
    TooLarge,
}

/// Sends a request and reads the whole response.
///
/// # Errors
/// [`RequestError`].
pub async fn send(
    client: &Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, RequestError> {
    let mut response = client.execute(request.try_into()?).await?;
    let mut received = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if received.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err(RequestError::TooLarge);
        }
        received.extend_from_slice(&chunk);
    }
    let (parts, _) = Response::from(response).into_parts();
    Ok(Response::from_parts(parts, received.into()))
}
