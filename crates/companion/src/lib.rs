//! The companion: the token server that a merchant runs beside the shop. It serves
//! `POST /checkout` and `GET /healthz`.
//!
//! A page sends its cart. This server looks up the prices, opens a checkout session with
//! the secret key, and responds with the token that `<tua-checkout>` needs. The
//! key leaves this process only in one header, to one address.
//!
//! | module | holds |
//! |---|---|
//! | [`catalogue`] | what the shop sells: the only source of names and prices |
//! | [`order`] | a page's cart: its parser, and the prices |
//! | [`upstream`] | the one call to the payment service |
//! | [`limits`], [`server`] | what one address may do; connections and their timeouts |
//! | [`problem`], [`error_codes`] | refused requests, as problem documents (RFC 9457) |
//! | [`empty_variables`] | variables of the environment without a value, which count as unset |
//!
//! Anybody on the internet may open a checkout, as in every shop. An open checkout moves no
//! money. The README lists what is limited.

pub mod catalogue;
pub mod empty_variables;
pub mod error_codes;
pub mod limits;
pub mod order;
pub mod problem;
pub mod return_url;
pub mod server;
pub mod upstream;

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::map_response_with_state,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use axum_client_ip::{ClientIp, ClientIpSource};
use reqwest::Url;
use secrecy::SecretString;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};
use tua_contract::ErrorCode;
use tua_http_json::body::{BODY_MAX_BYTES, read_json};

use crate::{
    catalogue::Catalogue,
    limits::AddressLimits,
    order::Order,
    problem::Problem,
    return_url::ReturnUrl,
    upstream::{CheckoutRequest, Upstream},
};

/// Everything that a companion needs, checked.
#[derive(Debug)]
pub struct Config {
    catalogue: Catalogue,
    allow_origins: Vec<HeaderValue>,
    upstream: Upstream,
    return_url: Option<ReturnUrl>,
    client_ip: ClientIpSource,
    limits: AddressLimits,
}

impl Config {
    /// How many open sessions one address may have, unless [`Self::with_limits`] sets another
    /// number.
    pub const MAX_OPEN_SESSIONS: NonZeroU32 = NonZeroU32::new(200).unwrap();

    /// The time limit for the payment service's response, and for the arrival of a cart.
    pub const TIMEOUT: Duration = Duration::from_secs(10);

    /// Checks the parts and puts them together. Pages of the same origin need no entry in
    /// `allow_origins`.
    ///
    /// # Errors
    /// Every fault of the configuration, each with its remedy.
    pub fn new(
        base_url: &str,
        secret_key: SecretString,
        catalogue: Catalogue,
        allow_origins: &[String],
        timeout: Duration,
    ) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let origins = allow_origins
            .iter()
            .filter_map(|text| parse_origin(text).map_err(|fault| faults.push(fault)).ok());
        let allow_origins = origins.collect();
        let upstream =
            Upstream::new(base_url, secret_key, timeout).map_err(|more| faults.extend(more)).ok();
        let client_ip = ClientIpSource::ConnectInfo;
        let limits = AddressLimits::new(Self::MAX_OPEN_SESSIONS);
        match upstream {
            Some(upstream) if faults.is_empty() => {
                Ok(Self { catalogue, allow_origins, upstream, return_url: None, client_ip, limits })
            }
            _ => Err(faults),
        }
    }

    /// Sets the page to which payers return from the payment page.
    #[must_use]
    pub fn with_return_url(self, return_url: Option<ReturnUrl>) -> Self {
        Self { return_url, ..self }
    }

    /// Sets where the client's address is found, and how many open sessions one address may have.
    #[must_use]
    pub fn with_limits(self, client_ip: ClientIpSource, max_open_sessions: NonZeroU32) -> Self {
        Self { client_ip, limits: AddressLimits::new(max_open_sessions), ..self }
    }
}

/// Parses an origin in the form that browsers send, so that origins can be compared byte by byte.
fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.filter(|url| url.origin().ascii_serialization() == text)
        .and_then(|_| HeaderValue::from_str(text).ok())
        .ok_or_else(|| {
            format!(
                "--allow-origin {text:?}: write an origin as browsers do, such as \
                 https://shop.example"
            )
        })
}

/// The routes `POST /checkout` and `GET /healthz`. The router has no fallback, so that a shop's own
/// server can merge it. Such a server needs `into_make_service_with_connect_info::<SocketAddr>()`:
/// without the client's address nothing is limited by it.
pub fn router(config: Config) -> Router {
    let config = Arc::new(config);
    routes(&config).layer(map_response_with_state(config, write_problem))
}

/// The companion alone: its routes, and a problem document for every other path.
pub fn standalone_router(config: Config) -> Router {
    let config = Arc::new(config);
    let routes = routes(&config).fallback(async || Problem::not_found());
    routes.layer(map_response_with_state(config, write_problem))
}

/// Writes the problem document of a refused request into its response.
async fn write_problem(State(config): State<Arc<Config>>, response: Response) -> Response {
    Problem::write(response, |code| config.upstream.error_page(code))
}

fn routes(config: &Arc<Config>) -> Router {
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::list(config.allow_origins.clone()))
        .allow_methods([Method::POST])
        // Monitoring libraries add headers to every request of a page. The companion ignores them.
        .allow_headers(AllowHeaders::mirror_request())
        .max_age(Duration::from_secs(7200));
    let checkout =
        post(open_checkout).fallback(async || Problem::method_not_allowed("POST")).layer(cors);
    Router::new()
        .route("/checkout", checkout)
        .route(
            "/healthz",
            get(async || "ok\n").fallback(async || Problem::method_not_allowed("GET,HEAD")),
        )
        .layer((config.client_ip.clone().into_extension(), DefaultBodyLimit::max(BODY_MAX_BYTES)))
        .with_state(config.clone())
}

async fn open_checkout(
    State(config): State<Arc<Config>>,
    client: Result<ClientIp, axum_client_ip::Rejection>,
    request: Request,
) -> axum::response::Result<Response> {
    let address = client.map(|ClientIp(address)| address).ok();
    address
        .map_or(Ok(()), |address| config.limits.count_cart(address))
        .map_err(Problem::rate_limited)?;
    let body = read_json(request, config.upstream.timeout()).await.map_err(Problem::from)?;
    let order = Order::read(&body, &config.catalogue)?;
    address
        .map_or(Ok(()), |address| config.limits.count_session(address))
        .map_err(Problem::rate_limited)?;
    let reference = order.reference.clone().map_or_else(generate_reference, Ok)?;
    let return_url = config.return_url.as_ref().map(|url| url.for_order(&reference));
    let session = config
        .upstream
        .open(CheckoutRequest::new(&order, &reference).with_return_url(return_url))
        .await?;
    // The token opens this payment: no cache may store it.
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(session)).into_response())
}

/// Generates an order reference, such as `shop-7k3m9x2q4tza8c5d`. It cannot be guessed, and it is
/// easy to spell on the telephone (no i, l, o or u).
fn generate_reference() -> Result<String, Problem> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| {
        tracing::error!(%error, "the system returned no random bytes");
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::InternalError.as_str(),
            "The companion failed to generate an order number.",
        )
    })?;
    let letters = random
        .iter()
        .map(|byte| char::from(b"0123456789abcdefghjkmnpqrstvwxyz"[usize::from(byte % 32)]));
    Ok("shop-".chars().chain(letters).collect())
}
