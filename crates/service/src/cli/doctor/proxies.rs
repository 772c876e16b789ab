//! Checks that `--trusted-proxies` names the proxies in front of the service.

use super::{network, report::Report};
use crate::{Config, domain::public_url::PublicUrl, net::UNNAMED_PROXY};
use reqwest::redirect::Policy;
use std::time::Duration;

const CHECK: &str = "proxies";

const REMEDY: &str = "set --trusted-proxies to the address of the proxy";

/// The timeout of the request to the service on this machine.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Checks the settings, and asks the service whether a proxy that is not trusted forwards requests to it. Where live
/// keys are used, this is a fault, because their requests are refused.
pub(super) async fn check(report: &mut Report, config: &Config, public: &PublicUrl, is_live: bool) {
    let is_terminated_elsewhere = public.is_https() && !config.is_tls();
    let message = if has_forwarded_requests(config, public).await {
        "a proxy on this machine forwards requests, and --trusted-proxies does not name it: live keys are refused, and \
         all its clients share the limits of one address"
    } else if is_terminated_elsewhere && config.trusted_proxies.is_empty() {
        "the public URL is https, so a proxy terminates TLS, and --trusted-proxies names none: live keys are refused, \
         and all clients share the limits of one address"
    } else {
        let names: Vec<_> = config.trusted_proxies.iter().map(ToString::to_string).collect();
        let text = if names.is_empty() { "none".to_owned() } else { format!("trusted: {}", names.join(", ")) };
        return report.ok(CHECK, text);
    };
    if is_live { report.fault(CHECK, message, REMEDY) } else { report.warning(CHECK, message, REMEDY) }
}

/// Whether the service has noted such a proxy since its start. `false` where it cannot be asked on this machine.
async fn has_forwarded_requests(config: &Config, public: &str) -> bool {
    let local = match network::is_loopback(public) {
        true => public.to_owned(),
        // An unspecified address accepts connections from this machine too.
        false => format!("http://{}", config.listen.replace("0.0.0.0:", "127.0.0.1:").replace("[::]:", "[::1]:")),
    };
    let client = reqwest::Client::builder().timeout(TIMEOUT).redirect(Policy::none()).no_proxy().build();
    let Ok(client) = client else { return false };
    let answer = client.get(format!("{local}/healthz")).send().await;
    answer.is_ok_and(|answer| answer.headers().contains_key(UNNAMED_PROXY))
}
