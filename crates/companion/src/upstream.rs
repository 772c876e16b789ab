//! The one request to the payment service: `POST /v1/checkout`.

use std::time::Duration;

use axum::{
    body::{Body, Bytes, to_bytes},
    http::{HeaderValue, StatusCode},
};
use reqwest::{Client, Url, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tua_contract::{Amount, ErrorCode};
use tua_http_json::{Fault, values::serialize_amount};

use crate::{
    order::{self, Line, Order},
    problem::Problem,
};

/// The largest response that is read. A session is far smaller.
const RESPONSE_MAX_BYTES: usize = 64 * 1024;

/// The payment service, and the key to it.
#[derive(Debug)]
pub struct Upstream {
    client: Client,
    checkout: Url,
    key: SecretString,
    timeout: Duration,
}

/// The session, as a page receives it: these three members only, whatever the service responds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    checkout_token: String,
    url: String,
    expires_at: String,
}

/// The body of `POST /v1/checkout` for an order.
#[derive(Debug, Serialize)]
pub struct CheckoutRequest<'a> {
    #[serde(serialize_with = "serialize_amount")]
    amount: Amount,
    currency: &'static str,
    email: &'a str,
    reference: &'a str,
    #[serde(rename = "returnUrl", skip_serializing_if = "Option::is_none")]
    return_url: Option<String>,
    metadata: Metadata<'a>,
}

/// The page's own metadata, and what is bought.
#[derive(Debug, Serialize)]
struct Metadata<'a> {
    #[serde(flatten)]
    of_cart: &'a order::Metadata,
    items: &'a [Line],
}

/// The members of a problem document that the companion reads.
#[derive(Deserialize)]
struct Refusal {
    code: String,
    #[serde(default)]
    errors: Vec<RefusedMember>,
}

#[derive(Deserialize)]
struct RefusedMember {
    pointer: String,
    code: String,
    detail: String,
}

/// The members that come from the cart as they are. The page can correct their faults.
const MEMBERS_OF_CART: [&str; 3] = ["/email", "/reference", "/metadata"];

impl<'a> CheckoutRequest<'a> {
    /// The request for an order. `reference` is the shop's reference of it.
    #[must_use]
    pub fn new(order: &'a Order, reference: &'a str) -> Self {
        let metadata = Metadata { of_cart: &order.metadata, items: &order.lines };
        Self {
            amount: order.total,
            currency: "GHS",
            email: order.email.as_str(),
            reference,
            return_url: None,
            metadata,
        }
    }

    /// The same, with the address that the payer returns to.
    #[must_use]
    pub fn with_return_url(self, return_url: Option<String>) -> Self {
        Self { return_url, ..self }
    }
}

impl Upstream {
    /// Checks the address and the key.
    ///
    /// # Errors
    /// Every fault, each in a sentence with its remedy.
    pub fn new(base_url: &str, key: SecretString, timeout: Duration) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let text = key.expose_secret();
        let is_test = text.starts_with("tua_test_v2_");
        let is_live = text.starts_with("tua_live_v2_");
        if !(is_test || is_live) || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            let fault = "secret key: opening a checkout takes a v2 key, which begins with \
                tua_test_v2_ or tua_live_v2_";
            faults.push(fault.to_owned());
        }
        let fault = |what| format!("--base-url {base_url:?}: {what}");
        let checkout = Url::parse(&format!("{}/checkout", base_url.trim_end_matches('/')))
            .ok()
            .filter(|url| {
                let is_plain =
                    url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
                is_plain && matches!(url.scheme(), "http" | "https")
            });
        let is_loopback = checkout.as_ref().is_some_and(is_loopback);
        match &checkout {
            None => faults.push(fault("write the API's address, such as https://pay.example/v1")),
            Some(url) if is_live && url.scheme() == "http" && !is_loopback => {
                faults.push(fault("a live key is only sent over https"));
            }
            Some(_) => {}
        }
        // A redirect could carry the key to another address.
        let client = Client::builder().redirect(redirect::Policy::none()).timeout(timeout);
        let client = if is_loopback { client.no_proxy() } else { client };
        let client =
            client.build().map_err(|error| faults.push(format!("TLS cannot be set up: {error}")));
        match (client, checkout) {
            (Ok(client), Some(checkout)) if faults.is_empty() => {
                Ok(Self { client, checkout, key, timeout })
            }
            _ => Err(faults),
        }
    }

    /// The time limit for a response.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Opens a session.
    ///
    /// # Errors
    /// 422 with the faults that the service finds in members of the cart; 502 where the response is
    /// not a session.
    pub async fn open(&self, request: CheckoutRequest<'_>) -> Result<Session, Problem> {
        let reference = request.reference;
        let (status, body) = self.send(&request).await.map_err(|error| {
            let error = anyhow::Error::from(error.without_url());
            tracing::error!(
                reference,
                error = format!("{error:#}"),
                "the payment service cannot be reached"
            );
            unavailable()
        })?;
        if status == StatusCode::CREATED {
            return self.session(&body).ok_or_else(|| {
                tracing::error!(
                    reference,
                    "the payment service responded with 201 but without a checkout session"
                );
                unavailable()
            });
        }
        let refusal =
            self.without_key(&body).and_then(|text| serde_json::from_str::<Refusal>(text).ok());
        let faults = refusal
            .as_ref()
            .filter(|_| status == StatusCode::UNPROCESSABLE_ENTITY)
            .map(faults_of_cart);
        if let Some(faults) = faults.filter(|faults| !faults.is_empty()) {
            return Err(faults.into());
        }
        // Only a known code is logged: an unknown text could contain personal data.
        let code =
            refusal.and_then(|refusal| ErrorCode::parse(&refusal.code)).map(ErrorCode::as_str);
        tracing::error!(reference, %status, code, "the payment service refused the checkout");
        let is_refused = status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS;
        Err(if is_refused { refused() } else { unavailable() })
    }

    /// The payment service's page about an error code.
    #[must_use]
    pub fn error_page(&self, code: &str) -> String {
        let page = self.checkout.join(&format!("../docs/errors/{code}"));
        page.map_or_else(|_| "about:blank".to_owned(), String::from)
    }

    async fn send(&self, body: &CheckoutRequest<'_>) -> reqwest::Result<(StatusCode, Bytes)> {
        let mut request = self.client.post(self.checkout.clone()).json(body).build()?;
        if let Ok(mut key) = HeaderValue::from_str(self.key.expose_secret()) {
            key.set_sensitive(true);
            request.headers_mut().insert("x-api-key", key);
        }
        let response = self.client.execute(request).await?;
        let status = response.status();
        let body = to_bytes(Body::new(reqwest::Body::from(response)), RESPONSE_MAX_BYTES).await;
        // A response that is too long, or that ends too early, is no session.
        Ok((status, body.unwrap_or_default()))
    }

    /// The text of a response, unless it contains the secret key.
    fn without_key<'a>(&self, body: &'a [u8]) -> Option<&'a str> {
        str::from_utf8(body).ok().filter(|text| !text.contains(self.key.expose_secret()))
    }

    /// Parses the session. It must be well-formed, and must not contain the secret key.
    fn session(&self, body: &[u8]) -> Option<Session> {
        let session: Session = serde_json::from_str(self.without_key(body)?).ok()?;
        let url = Url::parse(&session.url).ok()?;
        let is_plain = session
            .checkout_token
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let is_good = is_plain
            && session.checkout_token.starts_with("tua_checkout_")
            && matches!(url.scheme(), "http" | "https")
            && url
                .query_pairs()
                .any(|(name, value)| name == "key" && value == *session.checkout_token)
            && session.expires_at.parse::<jiff::Timestamp>().is_ok();
        is_good.then_some(session)
    }
}

/// The faults that the page can correct. Others are the merchant's, or follow from these.
fn faults_of_cart(refusal: &Refusal) -> Vec<Fault> {
    let of_cart =
        refusal.errors.iter().filter(|fault| MEMBERS_OF_CART.contains(&fault.pointer.as_str()));
    let known = of_cart.filter_map(|fault| {
        let pointer = fault.pointer.clone();
        let detail = fault.detail.clone().into();
        Some(Fault { pointer, code: ErrorCode::parse(&fault.code)?.as_str(), detail })
    });
    known.collect()
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

fn unavailable() -> Problem {
    let detail =
        "The payment service cannot be reached at the moment. No money has moved. Try again later.";
    Problem::new(StatusCode::BAD_GATEWAY, "upstream_unavailable", detail)
}

/// The shop's key or base URL is wrong. The payer cannot change that; the log has the reason for
/// the merchant.
fn refused() -> Problem {
    let detail = "The payment service did not accept this shop's request. No money has moved. \
        Please tell the shop.";
    Problem::new(StatusCode::BAD_GATEWAY, "upstream_refused", detail)
}
