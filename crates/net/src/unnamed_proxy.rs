//! Finds a proxy on this machine that `--trusted-proxies` does not name, or that does not forward
//! its clients' addresses.

use super::client::{Client, Proxy};
use axum::http::{HeaderName, HeaderValue};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The response header by which `tua doctor` detects such a proxy. Only clients on this machine get
/// it.
pub const UNNAMED_PROXY_HEADER: HeaderName = HeaderName::from_static("tua-unnamed-proxy");

/// The header's value where the proxy forwards the addresses of its clients, and is not named.
const UNNAMED_VALUE: HeaderValue = HeaderValue::from_static("true");

/// The header's value where the proxy does not forward the addresses of its clients.
pub const SILENT_VALUE: HeaderValue = HeaderValue::from_static("silent");

/// Detects such a proxy by its requests. What was detected once stays until the process ends.
#[derive(Clone, Debug, Default)]
pub struct ProxyDetector(Arc<DetectedProxies>);

#[derive(Debug, Default)]
struct DetectedProxies {
    unnamed: AtomicBool,
    silent: AtomicBool,
}

impl ProxyDetector {
    /// Records where a request comes from. Logs one warning at the first request of such a proxy.
    pub(super) fn record(&self, client: &Client) {
        if client.proxy == Proxy::Unnamed && !self.0.unnamed.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                proxy = %client.address,
                "a proxy on this machine forwards requests, but --trusted-proxies does not name \
                 it: its clients share the limits of one address, and live keys are refused"
            );
        }
        if client.silent_proxy && !self.0.silent.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                proxy = %client.address,
                "a proxy on this machine sends requests without X-Forwarded-For and \
                 X-Forwarded-Proto: its clients have no limits by address, and live keys over \
                 plain HTTP are not noticed; let it set both headers, and name it in \
                 --trusted-proxies"
            );
        }
    }

    /// The value of [`UNNAMED_PROXY_HEADER`] in the response to this client. `None` if no such
    /// proxy was detected, or if the client may not read it.
    pub(super) fn header_value(&self, client: &Client, path: &str) -> Option<HeaderValue> {
        if !client.local || client.silent_proxy || path != "/healthz" {
            return None;
        }
        let is_detected = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_detected(&self.0.unnamed)
            .then_some(UNNAMED_VALUE)
            .or_else(|| is_detected(&self.0.silent).then_some(SILENT_VALUE))
    }
}
