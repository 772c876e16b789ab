//! The one request to the payment service: `POST /v1/checkout`.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode};
use reqwest::{Client, Url, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tua_contract::{Amount, ErrorCode};
use tua_http_json::{Fault, values::serialize_amount};

use crate::{
    order::{Line, Order},
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
    metadata: Metadata<'a>,
}

#[derive(Debug, Serialize)]
struct Metadata<'a> {
    items: &'a [Line],
}

/// The members of a problem document that the companion reads.
#[derive(Deserialize)]
struct Refusal {
    code: String,
}

impl<'a> CheckoutRequest<'a> {
    /// The request for an order, which the shop knows by `reference`.
    #[must_use]
    pub const fn new(order: &'a Order, reference: &'a str) -> Self {
        let metadata = Metadata { items: order.lines.as_slice() };
        Self { amount: order.total, currency: "GHS", email: order.email.as_str(), reference, metadata }
    }
}

impl Upstream {
    /// Checks the address and the key.
    ///
    /// # Errors
    /// Every fault, each in a sentence that says what to do.
    pub fn new(base_url: &str, key: SecretString, timeout: Duration) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let (test, live) =
            (key.expose_secret().starts_with("tua_test_v2_"), key.expose_secret().starts_with("tua_live_v2_"));
        if !(test || live) || !key.expose_secret().bytes().all(|byte| byte.is_ascii_graphic()) {
            faults.push(
                "secret key: opening a checkout takes a v2 key, which begins with tua_test_v2_ or tua_live_v2_".into(),
            );
        }
        let checkout = Url::parse(&format!("{}/checkout", base_url.trim_end_matches('/'))).ok().filter(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.query().is_none()
                && url.fragment().is_none()
                && url.username().is_empty()
        });
        let Some(checkout) = checkout else {
            faults.push(format!("--base-url {base_url:?}: write the API's address, such as https://pay.example/v1"));
            return Err(faults);
        };
        let loopback = is_loopback(&checkout);
        if live && checkout.scheme() == "http" && !loopback {
            faults.push(format!("--base-url {base_url:?}: a live key is only sent over https"));
        }
        // A redirect could carry the key to another address.
        let client = Client::builder().redirect(redirect::Policy::none()).timeout(timeout);
        let client = if loopback { client.no_proxy() } else { client };
        match client.build() {
            Ok(client) if faults.is_empty() => Ok(Self { client, checkout, key, timeout }),
            Ok(_) => Err(faults),
            Err(error) => {
                faults.push(format!("TLS cannot be set up: {error}"));
                Err(faults)
            }
        }
    }

    /// The time limit for a response.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Opens a session for the order.
    ///
    /// # Errors
    /// 502 where the response is not a session; 422 where the service refuses the e-mail address.
    pub async fn open(&self, order: &Order, reference: &str) -> Result<Session, Problem> {
        let request = CheckoutRequest::new(order, reference);
        let (status, body) = self.send(&request).await.map_err(|error| {
            let error = anyhow::Error::from(error.without_url());
            tracing::error!(reference, error = format!("{error:#}"), "the payment service cannot be reached");
            unavailable()
        })?;
        if status == StatusCode::CREATED {
            return self.session(&body).ok_or_else(|| {
                tracing::error!(reference, "the payment service responded with 201 but without a checkout session");
                unavailable()
            });
        }
        // Only a known code is logged: an unknown text could contain personal data.
        let code = serde_json::from_slice(&body).ok().and_then(|refusal: Refusal| ErrorCode::parse(&refusal.code));
        tracing::error!(reference, %status, code = code.map(ErrorCode::as_str), "the payment service refused the checkout");
        Err(match (status, code) {
            (StatusCode::UNPROCESSABLE_ENTITY, Some(code @ ErrorCode::InvalidEmail)) => Problem::from(vec![Fault {
                pointer: "/email".into(),
                code: code.as_str(),
                detail: "This is not an e-mail address.".into(),
            }]),
            _ if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => refused(),
            _ => unavailable(),
        })
    }

    async fn send(&self, body: &CheckoutRequest<'_>) -> reqwest::Result<(StatusCode, Vec<u8>)> {
        let mut request = self.client.post(self.checkout.clone()).json(body).build()?;
        if let Ok(mut key) = HeaderValue::from_str(self.key.expose_secret()) {
            key.set_sensitive(true);
            request.headers_mut().insert("x-api-key", key);
        }
        let mut response = self.client.execute(request).await?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > RESPONSE_MAX_BYTES {
                body.clear();
                break;
            }
        }
        Ok((response.status(), body))
    }

    /// Parses the session. It must be well-formed, and must not contain the secret key.
    fn session(&self, body: &[u8]) -> Option<Session> {
        let session: Session = serde_json::from_slice(body).ok()?;
        let token = session.checkout_token.strip_prefix("tua_checkout_")?;
        let plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let url = Url::parse(&session.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let keyed = url.query_pairs().any(|(name, value)| name == "key" && value == *session.checkout_token);
        let dated = session.expires_at.parse::<jiff::Timestamp>().is_ok();
        let leaks = [&session.checkout_token, &session.url, &session.expires_at]
            .into_iter()
            .any(|text| text.contains(self.key.expose_secret()));
        (plain && !token.is_empty() && keyed && dated && !leaks).then_some(session)
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

fn unavailable() -> Problem {
    let detail = "The payment service cannot be reached at the moment. No money has moved. Try again later.";
    Problem::new(StatusCode::BAD_GATEWAY, "upstream_unavailable", detail)
}

/// The shop's key or base URL is wrong. The payer cannot change that; the log has the reason for the merchant.
fn refused() -> Problem {
    let detail = "The payment service did not accept this shop's request. No money has moved. Please tell the shop.";
    Problem::new(StatusCode::BAD_GATEWAY, "upstream_refused", detail)
}
