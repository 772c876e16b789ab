//! One signed request to an endpoint.

use super::{
    Attempted, Delivery, Endpoint,
    address::{GuardedResolver, OutOfReach, Reach},
};
use crate::{domain::Mode, secret::ServerKey};
use jiff::Timestamp;
use reqwest::{
    Client, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
    redirect,
};
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook};
use std::{error::Error, net::IpAddr};
use url::Host;

/// How much of an answer is read: enough to use a connection again, too little to harm.
const MOST_ANSWER: usize = 16 << 10;

/// Sends webhooks, to the public Internet only or to private networks too.
#[derive(Clone, Debug)]
pub struct Sender {
    public: Client,
    private: Client,
    allow_private: bool,
    /// Whether test mode may reach this machine: the service itself is only reached there.
    is_local: bool,
}

impl Sender {
    /// A sender for a service that is reached at this address.
    ///
    /// # Errors
    /// Where the system's certificates cannot be read.
    pub fn new(public_url: &str, allow_private: bool) -> Result<Self, String> {
        let client = |reach| client(reach).map_err(|error| format!("webhooks: {error}"));
        let is_local = Url::parse(public_url).is_ok_and(|url| is_loopback(&url));
        Ok(Self { public: client(Reach::Public)?, private: client(Reach::Private)?, allow_private, is_local })
    }

    /// Sends a delivery once, and says what came of it.
    pub async fn send(
        &self,
        endpoint: &Endpoint,
        delivery: &Delivery,
        body: String,
        key: &ServerKey,
        now: Timestamp,
    ) -> Attempted {
        let refused = |why: &str| Attempted::Refused(None, why.to_owned());
        let Ok(url) = Url::parse(&endpoint.url) else { return refused("the address cannot be read") };
        if endpoint.scope.mode == Mode::Live && url.scheme() != "https" {
            return refused("a live endpoint must begin with https://");
        }
        let reach = self.reach(endpoint.scope.mode);
        // A name is looked up by the client's own resolver; an address is not.
        if literal(&url).is_some_and(|address| !reach.allows(address)) {
            return refused(&OutOfReach.to_string());
        }
        let Some(headers) = headers(endpoint, delivery, &body, key, now) else {
            return refused("its secret was encrypted with another server key; rotate it");
        };
        match self.client(reach).post(url).headers(headers).body(body).send().await {
            Ok(response) => judge(response).await,
            Err(error) => Attempted::Refused(None, told(&error)),
        }
    }

    const fn reach(&self, mode: Mode) -> Reach {
        match mode {
            _ if self.allow_private => Reach::Private,
            Mode::Test if self.is_local => Reach::Private,
            Mode::Test | Mode::Live => Reach::Public,
        }
    }

    const fn client(&self, reach: Reach) -> &Client {
        match reach {
            Reach::Public => &self.public,
            Reach::Private => &self.private,
        }
    }
}

fn client(reach: Reach) -> reqwest::Result<Client> {
    Client::builder()
        .dns_resolver(GuardedResolver(reach))
        // A redirect could lead where the address itself may not; a proxy would look names up itself.
        .redirect(redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("Tua/", env!("CARGO_PKG_VERSION"), " (webhooks)"))
        .build()
}

/// The headers of Standard Webhooks 1.0, signed with every secret of the moment; nothing where a
/// secret cannot be opened.
fn headers(endpoint: &Endpoint, delivery: &Delivery, body: &str, key: &ServerKey, now: Timestamp) -> Option<HeaderMap> {
    let timestamp = now.as_second();
    let sign = |secret: String| {
        Webhook::new(&secret).and_then(|hook| hook.sign(&delivery.webhook_id, timestamp, body.as_bytes())).ok()
    };
    let signatures: Option<Vec<String>> = endpoint.secrets(now).map(|secret| secret.open(key).and_then(sign)).collect();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(HEADER_WEBHOOK_ID, HeaderValue::from_str(&delivery.webhook_id).ok()?);
    headers.insert(HEADER_WEBHOOK_TIMESTAMP, HeaderValue::from(timestamp));
    headers.insert(HEADER_WEBHOOK_SIGNATURE, HeaderValue::from_str(&signatures?.join(" ")).ok()?);
    Some(headers)
}

async fn judge(mut response: reqwest::Response) -> Attempted {
    let status = response.status();
    let mut left = MOST_ANSWER;
    // What follows the head changes nothing, and neither does its breaking off.
    while let Ok(Some(chunk)) = response.chunk().await {
        match left.checked_sub(chunk.len()) {
            Some(still) => left = still,
            None => break,
        }
    }
    match status {
        StatusCode::GONE => Attempted::Gone,
        _ if status.is_success() => Attempted::Taken(status.as_u16()),
        _ if status.is_redirection() => {
            Attempted::Refused(Some(status.as_u16()), "it redirects, which is never followed".to_owned())
        }
        _ => Attempted::Refused(Some(status.as_u16()), format!("it answered {}", status.as_u16())),
    }
}

/// The innermost cause, which says most: "connection refused", "certificate has expired".
fn told(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    format!("it could not be reached: {innermost}")
}

fn literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn is_loopback(url: &Url) -> bool {
    literal(url).map_or_else(|| url.host_str() == Some("localhost"), |address| address.is_loopback())
}
