//! The settings of the dashboard.

use tua_domain::public_url::PublicUrl;
use url::Host;

/// Where the dashboard is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum DashboardPlace {
    /// At `/dashboard` of the service's own address.
    #[default]
    OnService,
    /// At `/dashboard` of a listener of its own, on this address. Port 0 lets the system choose a
    /// port.
    OnListener(String),
    /// No dashboard is served (`--dashboard off`).
    Off,
}

impl DashboardPlace {
    pub(super) fn resolve(dashboard: Option<&str>, listen: Option<String>) -> Result<Self, String> {
        match (dashboard, listen) {
            (None | Some("on"), None) => Ok(Self::OnService),
            (None | Some("on"), Some(address)) => Ok(Self::OnListener(address)),
            (Some("off"), None) => Ok(Self::Off),
            (Some("off"), Some(_)) => {
                Err("dashboard-listen: it needs a dashboard, and --dashboard is off".to_owned())
            }
            (Some(other), _) => Err(format!("dashboard {other:?}: it must be on or off")),
        }
    }
}

/// The origin of the dashboard's links. On a loopback address over HTTP it has the name
/// `localhost`, because browsers bind passkeys to names only.
#[must_use]
pub fn dashboard_origin(origin: &PublicUrl) -> PublicUrl {
    let name = match origin.port() {
        _ if !is_loopback_address(origin) || origin.is_https() => None,
        Some(port) => PublicUrl::parse(&format!("http://localhost:{port}")),
        None => PublicUrl::parse("http://localhost"),
    };
    name.unwrap_or_else(|| origin.clone())
}

/// Whether others on the network can read what browsers send to this origin: it is plain HTTP, and
/// not on this machine.
#[must_use]
pub fn is_readable_origin(origin: &PublicUrl) -> bool {
    !origin.is_https()
        && !is_loopback_address(origin)
        && origin.host() != Some(Host::Domain("localhost"))
}

fn is_loopback_address(origin: &PublicUrl) -> bool {
    match origin.host() {
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
            let origin = PublicUrl::parse(&format!("http://{address}:8080")).unwrap();
            assert_eq!(dashboard_origin(&origin).as_str(), "http://localhost:8080");
            let origin = PublicUrl::parse(&format!("http://{address}")).unwrap();
            assert_eq!(dashboard_origin(&origin).as_str(), "http://localhost");
        }
        for origin in [
            "https://127.0.0.1:8443",
            "http://192.168.0.2:8080",
            "https://pay.example",
            "http://localhost:1",
        ] {
            assert_eq!(dashboard_origin(&PublicUrl::parse(origin).unwrap()).as_str(), origin);
        }
    }
}
