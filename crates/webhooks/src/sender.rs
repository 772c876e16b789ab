//! Sends one signed request to an endpoint.

use super::{
    address::{AddressPolicy, ForbiddenAddress, GuardedResolver},
    response_beginning,
};
use jiff::Timestamp;
use reqwest::{
    Client, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
    redirect,
};
use standardwebhooks::{
    HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook,
};
use std::{
    error::Error,
    io::{self, ErrorKind},
    net::IpAddr,
};
use tua_domain::{
    Mode,
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    secret::ServerKey,
    webhook::{Delivery, DeliveryAttempt, DeliveryOutcome, Endpoint},
};
use tua_net::innermost_cause;
use url::Host;

/// Sends webhooks, with one HTTP client for each address policy.
#[derive(Clone, Debug)]
pub struct Sender {
    public: Client,
    private: Client,
    allow_private: bool,
    /// Whether the service itself is reached on a loopback address. Then test mode may also send to
    /// private addresses.
    is_local: bool,
}

impl Sender {
    /// A sender for the service at this public URL.
    ///
    /// # Errors
    /// One line, if the HTTP client cannot be built, for example without the system's root
    /// certificates.
    pub fn new(public_url: &str, allow_private: bool) -> Result<Self, String> {
        let client = |policy| client(policy).map_err(|error| format!("webhooks: {error}"));
        let is_local = Url::parse(public_url).is_ok_and(|url| is_loopback(&url));
        Ok(Self {
            public: client(AddressPolicy::PublicOnly)?,
            private: client(AddressPolicy::AllowPrivate)?,
            allow_private,
            is_local,
        })
    }

    /// Sends a delivery once and returns what came of it.
    pub async fn send(
        &self,
        endpoint: &Endpoint,
        delivery: &Delivery,
        body: String,
        keys: &KeyRing,
        now: Timestamp,
    ) -> DeliveryAttempt {
        let refused = |why: &str| DeliveryOutcome::Failed(None, why.to_owned()).into();
        let Ok(url) = Url::parse(&endpoint.url) else {
            return refused("the endpoint's URL is invalid");
        };
        let Some(headers) = headers(endpoint, delivery, &body, &keys.all(), now) else {
            return refused(
                "the endpoint's secret was encrypted with another server key; rotate the secret",
            );
        };
        self.post(url, endpoint.scope.mode, headers, body).await
    }

    /// Sends a request once, by the rules for addresses of this mode. Redirects are not followed.
    pub(super) async fn post(
        &self,
        url: Url,
        mode: Mode,
        headers: HeaderMap,
        body: String,
    ) -> DeliveryAttempt {
        let refused = |why: &str| DeliveryOutcome::Failed(None, why.to_owned()).into();
        if mode == Mode::Live && url.scheme() != "https" {
            return refused("a live endpoint must begin with https://");
        }
        let policy = self.policy(mode);
        // The HTTP client resolves names with `GuardedResolver`, but it does not resolve IP
        // literals.
        if ip_literal(&url).is_some_and(|address| !policy.allows(address)) {
            return refused(&ForbiddenAddress.to_string());
        }
        match self.client(policy).post(url).headers(headers).body(body).send().await {
            Ok(response) => read_attempt(response).await,
            // The address may be a secret.
            Err(error) => DeliveryOutcome::Failed(
                None,
                format!("it could not be reached: {}", unreachable_cause(&error.without_url())),
            )
            .into(),
        }
    }

    const fn policy(&self, mode: Mode) -> AddressPolicy {
        match mode {
            _ if self.allow_private => AddressPolicy::AllowPrivate,
            Mode::Test if self.is_local => AddressPolicy::AllowPrivate,
            Mode::Test | Mode::Live => AddressPolicy::PublicOnly,
        }
    }

    const fn client(&self, policy: AddressPolicy) -> &Client {
        match policy {
            AddressPolicy::PublicOnly => &self.public,
            AddressPolicy::AllowPrivate => &self.private,
        }
    }
}

/// Why a server could not be reached, without the numbers of the operating system.
fn unreachable_cause(error: &reqwest::Error) -> String {
    let mut kind = None;
    let mut cause = error.source();
    while let Some(source) = cause {
        kind = source.downcast_ref::<io::Error>().map(io::Error::kind).or(kind);
        cause = source.source();
    }
    match kind {
        Some(ErrorKind::ConnectionRefused) => {
            "nothing accepts connections at this address and port".to_owned()
        }
        Some(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe) => {
            "the server closed the connection".to_owned()
        }
        Some(ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable) => {
            "no network leads to the server".to_owned()
        }
        Some(ErrorKind::TimedOut) => "the server did not respond in time".to_owned(),
        _ => innermost_cause(error),
    }
}

fn client(policy: AddressPolicy) -> reqwest::Result<Client> {
    Client::builder()
        .dns_resolver(GuardedResolver(policy))
        // A redirect could lead to a forbidden address. A proxy would resolve names without the
        // policy.
        .redirect(redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("Tua/", env!("CARGO_PKG_VERSION"), " (webhooks)"))
        .build()
}

/// The headers of Standard Webhooks 1.0, signed with every secret that is valid now. `None` if a
/// secret cannot be decrypted.
fn headers(
    endpoint: &Endpoint,
    delivery: &Delivery,
    body: &str,
    keys: &[ServerKey],
    now: Timestamp,
) -> Option<HeaderMap> {
    let decrypt = |secret: &EncryptedSecret| keys.iter().find_map(|key| secret.decrypt(key));
    let secrets: Option<Vec<String>> = endpoint.secrets(now).map(decrypt).collect();
    signed_headers(&delivery.webhook_id, &secrets?, body, now)
}

/// The headers of Standard Webhooks 1.0, with a signature of each secret (`whsec_…`). `None` if a
/// secret is invalid.
#[must_use]
pub fn signed_headers(
    id: &str,
    secrets: &[String],
    body: &str,
    now: Timestamp,
) -> Option<HeaderMap> {
    let timestamp = now.as_second();
    let sign = |secret: &String| {
        Webhook::new(secret).and_then(|hook| hook.sign(id, timestamp, body.as_bytes())).ok()
    };
    let signatures: Option<Vec<String>> = secrets.iter().map(sign).collect();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(HEADER_WEBHOOK_ID, HeaderValue::from_str(id).ok()?);
    headers.insert(HEADER_WEBHOOK_TIMESTAMP, HeaderValue::from(timestamp));
    headers.insert(HEADER_WEBHOOK_SIGNATURE, HeaderValue::from_str(&signatures?.join(" ")).ok()?);
    Some(headers)
}

async fn read_attempt(response: reqwest::Response) -> DeliveryAttempt {
    let outcome = outcome(response.status());
    DeliveryAttempt { outcome, response: response_beginning::read(response).await }
}

fn outcome(status: StatusCode) -> DeliveryOutcome {
    match status {
        StatusCode::GONE => DeliveryOutcome::Gone,
        _ if status.is_success() => DeliveryOutcome::Accepted(status.as_u16()),
        StatusCode::NOT_MODIFIED | StatusCode::MULTIPLE_CHOICES => DeliveryOutcome::Failed(
            Some(status.as_u16()),
            format!("it responded with status {status}; only 2xx accepts a webhook"),
        ),
        _ if status.is_redirection() => DeliveryOutcome::Failed(
            Some(status.as_u16()),
            "it responded with a redirect; redirects are not followed".to_owned(),
        ),
        _ => DeliveryOutcome::Failed(
            Some(status.as_u16()),
            format!("it responded with status {}", status.as_u16()),
        ),
    }
}

fn ip_literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn is_loopback(url: &Url) -> bool {
    ip_literal(url)
        .map_or_else(|| url.host_str() == Some("localhost"), |address| address.is_loopback())
}
