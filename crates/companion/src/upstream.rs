//! The one call to the payment service.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode};
use reqwest::{Client, Url, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tua_contract::{Amount, ErrorCode};

use crate::{
    order::{Line, Order, exact},
    problem::{Fault, Problem},
};

/// Far more than a session takes; a service that sends more is broken.
const ANSWER_LIMIT: usize = 64 * 1024;

/// The payment service, and the key to it.
#[derive(Debug)]
pub struct Upstream {
    client: Client,
    checkout: Url,
    key: SecretString,
    timeout: Duration,
}

/// What a page gets: never more than these three, whatever the service answered.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    checkout_token: String,
    url: String,
    expires_at: String,
}

#[derive(Serialize)]
struct NewCheckout<'a> {
    #[serde(serialize_with = "exact")]
    amount: Amount,
    currency: &'static str,
    email: &'a str,
    reference: &'a str,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    items: &'a [Line],
}

/// The parts of a refusal that are understood.
#[derive(Deserialize)]
struct Refusal {
    code: String,
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

    /// How long the service may take.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Opens a session for the order.
    ///
    /// # Errors
    /// 502 for whatever is not a session; 422 where the service refuses the e-mail address.
    pub async fn open(&self, order: &Order, reference: &str) -> Result<Session, Problem> {
        let new = NewCheckout {
            amount: order.total,
            currency: "GHS",
            email: &order.email,
            reference,
            metadata: Metadata { items: &order.lines },
        };
        let (status, body) = self.send(&new).await.map_err(|error| {
            let error = anyhow::Error::from(error.without_url());
            tracing::error!(reference, error = format!("{error:#}"), "the payment service cannot be reached");
            unavailable()
        })?;
        if status == StatusCode::CREATED {
            return self.session(&body).ok_or_else(|| {
                tracing::error!(reference, "the payment service answered 201 without a checkout session");
                unavailable()
            });
        }
        // Only a code that we know is logged: an unknown text could hold anything.
        let code = serde_json::from_slice(&body).ok().and_then(|refusal: Refusal| ErrorCode::parse(&refusal.code));
        tracing::error!(reference, %status, code = code.map(ErrorCode::as_str), "the payment service refused the checkout");
        Err(match (status, code) {
            (StatusCode::UNPROCESSABLE_ENTITY, Some(code @ ErrorCode::InvalidEmail)) => Problem::invalid(vec![Fault {
                pointer: "/email".into(),
                code: code.as_str(),
                detail: "This is not an e-mail address.".into(),
            }]),
            _ if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => refused(),
            _ => unavailable(),
        })
    }

    async fn send(&self, new: &NewCheckout<'_>) -> reqwest::Result<(StatusCode, Vec<u8>)> {
        let mut request = self.client.post(self.checkout.clone()).json(new).build()?;
        if let Ok(mut key) = HeaderValue::from_str(self.key.expose_secret()) {
            key.set_sensitive(true);
            request.headers_mut().insert("x-api-key", key);
        }
        let mut answer = self.client.execute(request).await?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > ANSWER_LIMIT {
                body.clear();
                break;
            }
        }
        Ok((answer.status(), body))
    }

    /// A session that a page may have: well formed, and without the key in it.
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

/// The shop's key or address is wrong: the payer cannot help it, the log tells the merchant.
fn refused() -> Problem {
    let detail = "The payment service did not accept this shop's request. No money has moved. Please tell the shop.";
    Problem::new(StatusCode::BAD_GATEWAY, "upstream_refused", detail)
}
