//! HTTP requests to the ACME server, with the service's HTTP client: one TLS implementation, with
//! time and size limits.

use super::AcmeSettings;
use crate::limited_request;
use axum::body::Bytes;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use reqwest::{Certificate, Client, redirect::Policy};
use std::{error::Error as StdError, fs, future::Future, pin::Pin, time::Duration};

/// The timeout of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The largest accepted body of a request, in bytes.
const MAX_REQUEST_BYTES: usize = 1 << 20;

/// Requests to one ACME server.
pub(super) struct AcmeHttpClient(Client);

impl AcmeHttpClient {
    /// A client that trusts the system's root certificates and the configured one.
    ///
    /// # Errors
    /// One line that names the invalid file.
    pub(super) fn new(settings: &AcmeSettings) -> Result<Self, String> {
        let builder =
            Client::builder().https_only(true).redirect(Policy::none()).timeout(REQUEST_TIMEOUT);
        let builder = match &settings.root {
            None => builder,
            Some(path) => {
                let with_path = |error: &dyn std::fmt::Display| {
                    format!("acme-root {}: {error}", path.display())
                };
                let pem = fs::read(path).map_err(|error| with_path(&error))?;
                let roots =
                    Certificate::from_pem_bundle(&pem).map_err(|error| with_path(&error))?;
                if roots.is_empty() {
                    return Err(with_path(&"holds no certificate in PEM form"));
                }
                builder.tls_certs_merge(roots)
            }
        };
        builder.build().map(Self).map_err(|error| format!("acme: {error}"))
    }
}

impl HttpClient for AcmeHttpClient {
    fn request(
        &self,
        request: axum::http::Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let client = self.0.clone();
        Box::pin(async move { send(client, request).await.map_err(Error::Other) })
    }
}

async fn send(
    client: Client,
    request: axum::http::Request<BodyWrapper<Bytes>>,
) -> Result<BytesResponse, Box<dyn StdError + Send + Sync>> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(axum::body::Body::new(body), MAX_REQUEST_BYTES).await?;
    let response =
        limited_request::send(&client, axum::http::Request::from_parts(parts, body)).await?;
    let (parts, body) = response.into_parts();
    Ok(BytesResponse { parts, body: Box::new(body) })
}
