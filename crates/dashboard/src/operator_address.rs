//! What an operator must register before it sends callbacks: the callback address and the public
//! host of this service, with a letter to send.

use super::state::DashboardState;
use minijinja::{Value, context};
use std::net::IpAddr;
use tua_domain::ConnectedOperatorId;
use url::{Host, Url};

/// The address for the callbacks of an operator, the host in it, and why operators cannot reach it.
pub(super) fn values(state: &DashboardState, id: &ConnectedOperatorId) -> Value {
    let callback_url = state.operator_connections.callback_url(id);
    let url = Url::parse(&callback_url).ok();
    let host = url.as_ref().and_then(Url::host);
    context! {
        public_url => url.as_ref().map(|url| url.origin().ascii_serialization()),
        host => host.as_ref().map_or_else(String::new, ToString::to_string),
        is_unreachable => host.is_none_or(|host| is_private(&host)),
        callback_url,
    }
}

/// Whether only this machine or its own network reaches a host.
fn is_private(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            !name.contains('.')
                || [".localhost", ".local", ".internal", ".home.arpa"]
                    .iter()
                    .any(|end| name.ends_with(end))
        }
        Host::Ipv4(address) => is_private_address((*address).into()),
        Host::Ipv6(address) => is_private_address(address.to_canonical()),
    }
}

const fn is_private_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            // RFC 6598, shared by the customers of a provider.
            let is_shared = matches!(address.octets(), [100, 64..=127, _, _]);
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
                || is_shared
        }
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::public_url::PublicUrl;

    #[test]
    fn hosts_of_this_machine_and_its_network_are_private() {
        let is_private = |url: &str| is_private(&PublicUrl::parse(url).unwrap().host().unwrap());
        for url in [
            "http://127.0.0.1:8080",
            "http://localhost",
            "http://[::1]:8080",
            "http://[::ffff:192.168.1.4]",
            "http://192.168.1.4",
            "http://10.0.0.7",
            "http://172.20.1.1",
            "http://100.64.0.1",
            "https://till",
            "https://till.local",
        ] {
            assert!(is_private(url), "{url}");
        }
        for url in ["https://pay.example", "https://41.66.1.1", "https://[2a00:1450::1]"] {
            assert!(!is_private(url), "{url}");
        }
    }
}
