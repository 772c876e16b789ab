//! Checks that `--trusted-proxies` names the proxies in front of the service.

use super::{network, report::Report};
use axum::http::HeaderValue;
use reqwest::redirect::Policy;
use std::time::Duration;
use tua_config::Config;
use tua_domain::public_url::PublicUrl;
use tua_net::{SILENT_VALUE, UNNAMED_PROXY_HEADER};

const CHECK: &str = "proxies";

const REMEDY: &str = "let the proxy set X-Forwarded-For and X-Forwarded-Proto, and set \
    --trusted-proxies to its address";

/// The timeout of the request to the service on this machine.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Checks the settings, and asks the service whether a proxy that is not trusted forwards requests
/// to it. Where live keys are used, this is a fault, because their requests are refused.
pub(super) async fn check(report: &mut Report, config: &Config, public: &PublicUrl, is_live: bool) {
    let is_terminated_elsewhere = public.is_https() && !config.is_tls();
    let found = found_proxy(config, public).await;
    let message = if found.as_ref() == Some(&SILENT_VALUE) {
        "a proxy on this machine sends requests without X-Forwarded-For and X-Forwarded-Proto: its \
         clients have no limits by address, and live keys over plain HTTP are not noticed"
    } else if found.is_some() {
        "a proxy on this machine forwards requests, and --trusted-proxies does not name it: live \
         keys are refused, and all its clients share the limits of one address"
    } else if is_terminated_elsewhere && config.trusted_proxies.is_empty() {
        "the public URL is https, so a proxy terminates TLS, and --trusted-proxies names none: \
         live keys are refused, and all clients share the limits of one address"
    } else {
        let names: Vec<_> = config.trusted_proxies.iter().map(ToString::to_string).collect();
        let text = if names.is_empty() {
            "none".to_owned()
        } else {
            format!("trusted: {}", names.join(", "))
        };
        return report.ok(CHECK, text);
    };
    if is_live {
        report.fault(CHECK, message, REMEDY)
    } else {
        report.warning(CHECK, message, REMEDY)
    }
}

/// Which proxy the service has noted since its start. `None` where it cannot be asked on this
/// machine.
async fn found_proxy(config: &Config, public: &str) -> Option<HeaderValue> {
    let local = if network::is_loopback(public) {
        public.to_owned()
    } else {
        // An unspecified address accepts connections from this machine too.
        format!(
            "http://{}",
            config.listen.replace("0.0.0.0:", "127.0.0.1:").replace("[::]:", "[::1]:")
        )
    };
    let client =
        reqwest::Client::builder().timeout(TIMEOUT).redirect(Policy::none()).no_proxy().build();
    let answer = client.ok()?.get(format!("{local}/healthz")).send().await;
    answer.ok()?.headers().get(UNNAMED_PROXY_HEADER).cloned()
}
