//! `tua ready`: the health check of a container without a shell.

use super::{Common, Settings, output};
use clap::Args;
use reqwest::{Client, redirect::Policy};
use serde::Serialize;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    process::ExitCode,
    time::Duration,
};

/// Shorter than the health check's own timeout, so that the reason is printed.
const TIMEOUT: Duration = Duration::from_millis(2500);

/// The exit code if the service is not ready.
const NOT_READY: u8 = 1;

#[derive(Args, Debug)]
pub(super) struct Ready {
    #[command(flatten)]
    settings: Settings,
}

#[derive(Serialize)]
struct Printed<'a> {
    ready: bool,
    message: &'a str,
}

impl Ready {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, String> {
        let config = self.settings.resolve(&common)?;
        let scheme = if config.is_tls() { "https" } else { "http" };
        let url = format!("{scheme}://{}/readyz", reachable(&config.listen));
        let (ready, message) = match request(&url).await {
            Ok(status) if status.is_success() => (true, "ready".to_owned()),
            Ok(status) => (false, format!("{url} responds with {status}")),
            Err(error) => (false, format!("{url}: {error}")),
        };
        output::print(&common, &Printed { ready, message: &message }, &message)?;
        Ok(if ready { ExitCode::SUCCESS } else { ExitCode::from(NOT_READY) })
    }
}

async fn request(url: &str) -> Result<reqwest::StatusCode, reqwest::Error> {
    // The certificate is for the public name, and this address is not.
    let client = Client::builder().tls_danger_accept_invalid_certs(true).no_proxy().redirect(Policy::none());
    Ok(client.timeout(TIMEOUT).build()?.get(url).send().await?.status())
}

/// The address by which this machine reaches a listener: one that listens on all addresses listens on the loopback
/// address too.
fn reachable(listen: &str) -> String {
    match listen.parse::<SocketAddr>() {
        Ok(address) if address.ip().is_unspecified() => {
            let loopback: IpAddr =
                if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
            SocketAddr::new(loopback, address.port()).to_string()
        }
        _ => listen.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_all_addresses_is_reached_on_the_loopback_address() {
        for (listen, reached) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("192.0.2.1:80", "192.0.2.1:80"),
            ("localhost:8080", "localhost:8080"),
        ] {
            assert_eq!(reachable(listen), reached);
        }
    }
}
