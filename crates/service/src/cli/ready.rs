//! `tua ready`: the health check of a container without a shell.

use super::{
    context::{Common, Settings},
    fault::Fault,
    output,
};
use clap::Args;
use futures_util::future::join_all;
use reqwest::{Client, redirect::Policy};
use serde::Serialize;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener},
    process::ExitCode,
    time::Duration,
};
use tua_net::innermost_cause;

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
struct ReadyReport<'a> {
    ready: bool,
    message: &'a str,
}

impl Ready {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let config = self.settings.resolve(&common)?;
        let scheme = if config.is_tls() { "https" } else { "http" };
        let urls = reachable(&config.listen)
            .into_iter()
            .map(|address| format!("{scheme}://{address}/readyz"));
        let faults = join_all(urls.map(fault)).await;
        let fault = faults.into_iter().flatten().next();
        let message = fault.as_deref().unwrap_or("ready");
        output::print(&common, &ReadyReport { ready: fault.is_none(), message }, message)?;
        Ok(if fault.is_none() { ExitCode::SUCCESS } else { ExitCode::from(NOT_READY) })
    }
}

/// Why the service is not ready at this address; `None` where it is.
async fn fault(url: String) -> Option<String> {
    match request(&url).await {
        Ok(status) if status.is_success() => None,
        Ok(status) => Some(format!("{url} responds with {status}")),
        Err(error) => Some(format!("{url}: {}", innermost_cause(&error))),
    }
}

async fn request(url: &str) -> Result<reqwest::StatusCode, reqwest::Error> {
    // The certificate is for the public name, and this address is not.
    let client =
        Client::builder().tls_danger_accept_invalid_certs(true).no_proxy().redirect(Policy::none());
    Ok(client.timeout(TIMEOUT).build()?.get(url).send().await?.status())
}

/// The addresses by which this machine reaches a listener. One that listens on all addresses
/// listens on the loopback addresses too: `[::]` on that of IPv4, by which most clients come, and
/// on that of IPv6, where this machine has both.
fn reachable(listen: &str) -> Vec<String> {
    let Ok(address) = listen.parse::<SocketAddr>() else { return vec![listen.to_owned()] };
    if !address.ip().is_unspecified() {
        return vec![listen.to_owned()];
    }
    let loopbacks: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    let served = loopbacks.into_iter().filter(|loopback| address.is_ipv6() || loopback.is_ipv4());
    let present =
        served.filter(|loopback| loopback.is_ipv4() || TcpListener::bind((*loopback, 0)).is_ok());
    present.map(|loopback| SocketAddr::new(loopback, address.port()).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_all_addresses_is_reached_on_the_loopback_address() {
        for (listen, reached) in [
            ("0.0.0.0:8080", vec!["127.0.0.1:8080"]),
            ("192.0.2.1:80", vec!["192.0.2.1:80"]),
            ("localhost:8080", vec!["localhost:8080"]),
        ] {
            assert_eq!(reachable(listen), reached);
        }
        assert_eq!(reachable("[::]:8080")[0], "127.0.0.1:8080", "most clients come over IPv4");
        let has_ipv6 = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok();
        assert_eq!(reachable("[::]:8080").contains(&"[::1]:8080".to_owned()), has_ipv6);
    }
}
