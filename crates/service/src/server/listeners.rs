//! The sockets of the service.

use std::net::SocketAddr;
use tokio::net::TcpListener;
use tua_config::{Config, DashboardPlace};

/// A socket, and the address that it is bound to.
pub(super) type Listener = (TcpListener, SocketAddr);

/// The sockets that the settings name. Connections wait until they are accepted.
pub(super) struct Listeners {
    pub(super) service: Listener,
    pub(super) metrics: Option<Listener>,
    pub(super) dashboard: Option<Listener>,
    /// Redirects to HTTPS.
    pub(super) redirect: Option<Listener>,
}

impl Listeners {
    /// Binds all of them, before a database is created.
    ///
    /// # Errors
    /// One line that names the setting, the address and the fault.
    pub(super) async fn bind(config: &Config) -> Result<Self, String> {
        let service = listen("listen", &config.listen).await?;
        let metrics = optional("metrics-listen", config.metrics_listen.as_deref()).await?;
        let dashboard = match &config.dashboard {
            DashboardPlace::OnListener(address) => Some(address.as_str()),
            DashboardPlace::OnService | DashboardPlace::Off => None,
        };
        let dashboard = optional("dashboard-listen", dashboard).await?;
        let redirect = optional("http-listen", config.http_listen.as_deref()).await?;
        Ok(Self { service, metrics, dashboard, redirect })
    }
}

async fn optional(setting: &str, address: Option<&str>) -> Result<Option<Listener>, String> {
    match address {
        Some(address) => listen(setting, address).await.map(Some),
        None => Ok(None),
    }
}

/// Listens on an address of this setting, and says which one that is.
async fn listen(setting: &str, address: &str) -> Result<Listener, String> {
    let listener = tua_net::listen(address).await.map_err(|error| {
        format!("{setting} {address}: {error}; choose another address with --{setting}")
    })?;
    let bound = listener.local_addr().map_err(|error| format!("{setting} {address}: {error}"))?;
    Ok((listener, bound))
}
