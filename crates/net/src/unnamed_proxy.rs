//! Finds a proxy on this machine that `--trusted-proxies` does not name, or that does not forward
//! its clients' addresses.

use super::client::Client;
use axum::http::{HeaderName, HeaderValue};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The response header by which `tua doctor` detects such a proxy. Only clients on this machine get
/// it.
pub const UNNAMED_PROXY: HeaderName = HeaderName::from_static("tua-unnamed-proxy");

/// Its value where the proxy forwards the addresses of its clients, and is not named.
const UNNAMED: HeaderValue = HeaderValue::from_static("true");

/// Its value where the proxy does not forward the addresses of its clients.
pub const SILENT: HeaderValue = HeaderValue::from_static("silent");

/// Whether such a proxy has sent a request since the start.
#[derive(Clone, Debug, Default)]
pub struct UnnamedProxy(Arc<UnnamedProxyFlags>);

#[derive(Debug, Default)]
struct UnnamedProxyFlags {
    unnamed: AtomicBool,
    silent: AtomicBool,
}

impl UnnamedProxy {
    /// Notes where a request comes from. Logs one warning at the first request of such a proxy.
    pub(super) fn note(&self, client: &Client) {
        if client.unnamed_proxy && !self.0.unnamed.swap(true, Ordering::Relaxed) {
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

    /// The header about such a proxy in the response to this client.
    pub(super) fn shown_to(&self, client: &Client, path: &str) -> Option<HeaderValue> {
        if !client.local || client.silent_proxy || path != "/healthz" {
            return None;
        }
        let is_found = |found: &AtomicBool| found.load(Ordering::Relaxed);
        is_found(&self.0.unnamed)
            .then_some(UNNAMED)
            .or_else(|| is_found(&self.0.silent).then_some(SILENT))
    }
}
