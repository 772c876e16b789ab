//! The token server that a merchant runs beside the shop: `POST /checkout`, and nothing else.
//!
//! A page sends what is in its cart; this server looks up the prices, opens a checkout
//! session with the secret key, and hands back the token that `<tua-checkout>` needs. The
//! key never leaves this process but in one header, to one address.
//!
//! | module | holds |
//! |---|---|
//! | [`catalogue`] | what the shop sells: the only source of names and prices |
//! | [`order`] | a page's request, read strictly, all faults at once |
//! | [`upstream`] | the one call to the payment service |
//! | [`problem`] | refusals, as RFC 9457 documents |
//!
//! Anybody on the internet may open a checkout, as in every shop, and an open checkout moves
//! no money; where that is a nuisance, limit the rate in the proxy that stands before this.

pub mod catalogue;
pub mod order;
pub mod problem;
pub mod upstream;

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use reqwest::Url;
use secrecy::SecretString;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tua_contract::ErrorCode;

use crate::{catalogue::Catalogue, order::Order, problem::Problem, upstream::Upstream};

/// The largest body that is read.
const BODY_LIMIT: usize = 32 * 1024;

/// Everything that a companion needs, checked.
#[derive(Debug)]
pub struct Config {
    catalogue: Catalogue,
    allow_origins: Vec<HeaderValue>,
    upstream: Upstream,
}

impl Config {
    /// How long the payment service, or a page in sending its cart, may take.
    pub const TIMEOUT: Duration = Duration::from_secs(10);

    /// Checks the parts and puts them together. Pages of the same origin need no entry in
    /// `allow_origins`.
    ///
    /// # Errors
    /// Every fault, each in a sentence that says what to do.
    pub fn new(
        base_url: &str,
        secret_key: SecretString,
        catalogue: Catalogue,
        allow_origins: &[String],
        timeout: Duration,
    ) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let origins: Vec<_> =
            allow_origins.iter().filter_map(|text| origin(text).map_err(|fault| faults.push(fault)).ok()).collect();
        match Upstream::new(base_url, secret_key, timeout) {
            Ok(upstream) if faults.is_empty() => Ok(Self { catalogue, allow_origins: origins, upstream }),
            Ok(_) => Err(faults),
            Err(more) => {
                faults.extend(more);
                Err(faults)
            }
        }
    }
}

/// Reads an origin exactly as a browser writes it, so that a comparison of bytes is enough.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let fault = || format!("--allow-origin {text:?}: write an origin as browsers do, such as https://shop.example");
    let url = Url::parse(text).map_err(|_| fault())?;
    if url.origin().ascii_serialization() != text || !matches!(url.scheme(), "http" | "https") {
        return Err(fault());
    }
    HeaderValue::from_str(text).map_err(|_| fault())
}

/// `POST /checkout` and `GET /healthz`. It has no fallback, so that a shop's own server can
/// merge it into its routes.
pub fn router(config: Config) -> Router {
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::list(config.allow_origins.clone()))
        .allow_methods([Method::POST])
        .allow_headers([header::CONTENT_TYPE])
        .max_age(Duration::from_secs(7200));
    let checkout = post(open_checkout).fallback(async || Problem::method_not_allowed("POST")).layer(cors);
    Router::new()
        .route("/checkout", checkout)
        .route("/healthz", get(async || "ok\n").fallback(async || Problem::method_not_allowed("GET,HEAD")))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(Arc::new(config))
}

async fn open_checkout(State(config): State<Arc<Config>>, request: Request) -> Result<Response, Problem> {
    let body = read_body(request, config.upstream.timeout()).await?;
    let order = Order::read(&body, &config.catalogue)?;
    let session = config.upstream.open(&order, &reference()?).await?;
    // The token pays for this order: no cache may keep it.
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(session)).into_response())
}

async fn read_body(request: Request, timeout: Duration) -> Result<Bytes, Problem> {
    if !is_json(request.headers()) {
        let detail = "Send the cart with Content-Type: application/json.";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::UnsupportedMediaType.as_str(), detail));
    }
    match tokio::time::timeout(timeout, Bytes::from_request(request, &())).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(refused)) if refused.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let detail = "A cart may have at most 32 KiB of JSON.";
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::BodyTooLarge.as_str(), detail))
        }
        Ok(Err(_)) => Err(Problem::malformed("The body ended too early.")),
        Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "request_timeout", "The body did not arrive in time.")),
    }
}

/// A browser asks before it sends this type to another origin; it does not ask for a form's.
fn is_json(headers: &HeaderMap) -> bool {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    sent.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// The shop's name for an order, such as `shop-7k3m9x2q4tza8c5d`: unguessable, and easy to
/// read out on the telephone (no i, l, o or u).
fn reference() -> Result<String, Problem> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| {
        tracing::error!(%error, "the system gave no random bytes");
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::InternalError.as_str(),
            "The companion failed to generate an order number.",
        )
    })?;
    let letters = random.iter().map(|byte| char::from(b"0123456789abcdefghjkmnpqrstvwxyz"[usize::from(byte % 32)]));
    Ok("shop-".chars().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_taken_only_as_browsers_write_it() {
        for good in ["https://shop.example", "http://127.0.0.1:8090", "https://shop.example:8443"] {
            assert_eq!(origin(good).unwrap(), good);
        }
        for bad in [
            "*",
            "null",
            "",
            "shop.example",
            "https://shop.example/",
            "https://SHOP.example",
            "https://a.b:443",
            "file:///x",
        ] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_reference_is_new_each_time() {
        let first = reference().unwrap();
        assert_eq!(first.len(), 21);
        assert_ne!(first, reference().unwrap());
    }
}
