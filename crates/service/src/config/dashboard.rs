//! The settings of the dashboard.

use url::{Host, Url};

/// Where the dashboard is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum DashboardPlace {
    /// At `/dashboard` of the service's own address.
    #[default]
    OnService,
    /// At `/dashboard` of a listener of its own, on this address. Port 0 lets the system choose a port.
    OnListener(String),
    /// Nowhere.
    Off,
}

impl DashboardPlace {
    pub(super) fn resolve(dashboard: Option<&str>, listen: Option<String>) -> Result<Self, String> {
        match (dashboard, listen) {
            (None | Some("on"), None) => Ok(Self::OnService),
            (None | Some("on"), Some(address)) => Ok(Self::OnListener(address)),
            (Some("off"), None) => Ok(Self::Off),
            (Some("off"), Some(_)) => Err("dashboard-listen: it needs a dashboard, and --dashboard is off".to_owned()),
            (Some(other), _) => Err(format!("dashboard {other:?}: it must be on or off")),
        }
    }
}

/// The origin of the dashboard's links. On a loopback address over HTTP it has the name `localhost`, because browsers bind
/// passkeys to names only.
#[must_use]
pub fn dashboard_origin(origin: &str) -> String {
    let Ok(url) = Url::parse(origin) else { return origin.to_owned() };
    match url.port_or_known_default() {
        Some(port) if is_loopback_address(&url) && url.scheme() == "http" => format!("http://localhost:{port}"),
        _ => origin.to_owned(),
    }
}

/// Whether others on the network can read what browsers send to this origin: it is plain HTTP, and not on this machine.
#[must_use]
pub fn is_readable_origin(origin: &str) -> bool {
    Url::parse(origin)
        .is_ok_and(|url| url.scheme() == "http" && !is_loopback_address(&url) && url.host_str() != Some("localhost"))
}

fn is_loopback_address(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_loopback_address_over_http_becomes_localhost() {
        for address in ["127.0.0.1", "127.0.0.9", "[::1]"] {
            assert_eq!(dashboard_origin(&format!("http://{address}:8080")), "http://localhost:8080");
        }
        for origin in ["https://127.0.0.1:8443", "http://192.168.0.2:8080", "https://pay.example", "http://localhost:1"]
        {
            assert_eq!(dashboard_origin(origin), origin);
        }
    }
}
