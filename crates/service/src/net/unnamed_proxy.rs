//! Finds a proxy on this machine that `--trusted-proxies` does not name.

use super::client::Client;
use axum::http::{HeaderName, HeaderValue};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The response header by which `tua doctor` learns of such a proxy. Only clients on this machine get it.
pub(crate) const UNNAMED_PROXY: HeaderName = HeaderName::from_static("tua-unnamed-proxy");

/// The only value of [`UNNAMED_PROXY`].
pub(super) const FOUND: HeaderValue = HeaderValue::from_static("true");

/// Whether such a proxy has forwarded a request since the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnnamedProxy(Arc<AtomicBool>);

impl UnnamedProxy {
    /// Notes where a request comes from. Logs one warning at the first request of such a proxy.
    pub(super) fn note(&self, client: &Client) {
        if client.unnamed_proxy && !self.0.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                proxy = %client.address,
                "a proxy on this machine forwards requests, but --trusted-proxies does not name it: its clients share \
                 the limits of one address, and live keys are refused"
            );
        }
    }

    /// Whether the response to this client must say that there is such a proxy.
    pub(super) fn is_shown_to(&self, client: &Client, path: &str) -> bool {
        client.local && path == "/healthz" && self.0.load(Ordering::Relaxed)
    }
}
