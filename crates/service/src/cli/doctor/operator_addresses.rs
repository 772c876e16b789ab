//! Checks the addresses of operators: that each presents a certificate that this machine trusts,
//! and from which address calls leave, for operators that accept listed addresses only.

use super::{
    certificate::{MIN_VALIDITY, days_until},
    network::{HTTP_TIMEOUT, reason},
    report::Report,
};
use futures_util::future::join_all;
use jiff::Timestamp;
use reqwest::{Client, Proxy, redirect::Policy, tls::TlsInfo};
use std::{io, net::IpAddr};
use tokio::net::{UdpSocket, lookup_host};
use tua_config::Config;
use tua_net::tls::certificate_end;
use tua_operators::configured::ConfiguredOperator;
use tua_webhooks::address::AddressPolicy;
use url::Url;

const CHECK: &str = "operator address";
const EGRESS: &str = "egress address";

/// Checks the addresses of every operator of the settings.
pub(super) async fn check(report: &mut Report, config: &Config, now: Timestamp) {
    for operator in &config.operators.operators {
        let addresses = operator.connector.addresses(&operator.base_url, operator.has_own_base_url);
        let checked = join_all(
            addresses.iter().map(|url| certificate_end_of(url, operator.outbound_proxy.as_ref())),
        );
        for (url, end) in addresses.iter().zip(checked.await) {
            report_certificate(report, &format!("{}: {url}", operator.pin.name), end, now);
        }
        if operator.connector.accepts_listed_addresses_only() {
            report_egress(report, operator).await;
        }
    }
}

/// Until when the certificate of an address is valid, after this machine has verified its chain;
/// `None` where the address is plain HTTP, which the settings allow on loopback only. The request
/// carries no credentials.
async fn certificate_end_of(url: &Url, proxy: Option<&Url>) -> Result<Option<Timestamp>, String> {
    let response = async {
        let builder =
            Client::builder().timeout(HTTP_TIMEOUT).redirect(Policy::none()).tls_info(true);
        // As the connector: through the proxy of the settings, and no other.
        let builder = match proxy {
            Some(proxy) => builder.proxy(Proxy::all(proxy.clone())?),
            None => builder.no_proxy(),
        };
        builder.build()?.get(url.clone()).send().await
    };
    // Any status will do: the address is not a route of the operator.
    let response = response.await.map_err(|error| reason(&error))?;
    if url.scheme() == "http" {
        return Ok(None);
    }
    let certificate = response.extensions().get::<TlsInfo>().and_then(TlsInfo::peer_certificate);
    let end = certificate.and_then(certificate_end).ok_or("its certificate cannot be read")?;
    Ok(Some(end))
}

fn report_certificate(
    report: &mut Report,
    address: &str,
    end: Result<Option<Timestamp>, String>,
    now: Timestamp,
) {
    match end {
        Ok(None) => report.ok(CHECK, format!("{address} responds, without TLS, on this machine")),
        Ok(Some(end)) if end < now + MIN_VALIDITY => {
            let message = format!(
                "{address}: its certificate expires in {} days, at {end}",
                days_until(end, now)
            );
            report.warning(
                CHECK,
                message,
                "the operator has to renew it: ask, if it is not renewed in time",
            );
        }
        Ok(Some(end)) => {
            let days = days_until(end, now);
            report.ok(
                CHECK,
                format!(
                    "{address}: its certificate is trusted here, and valid for {days} more days"
                ),
            );
        }
        Err(fault) => {
            let remedy =
                "check DNS, the firewall, outbound-proxy, and the root certificates of this system";
            report.fault(CHECK, format!("{address}: {fault}"), remedy);
        }
    }
}

/// Says which address to give to an operator. What a router makes of this machine's address cannot
/// be known here, and no third party is asked.
async fn report_egress(report: &mut Report, operator: &ConfiguredOperator) {
    let name = &operator.pin.name;
    if let Some(proxy) = &operator.outbound_proxy {
        // Without the credentials that the URL may have.
        let host = proxy.host_str().unwrap_or_default();
        let message = format!(
            "{name}: calls leave through the proxy {host}; the operator must list the proxy's \
             address"
        );
        return report.ok(EGRESS, message);
    }
    match source_address(&operator.base_url).await {
        Ok(address) if address.is_loopback() => {
            report.ok(EGRESS, format!("{name}: is on this machine"))
        }
        Ok(address) if AddressPolicy::PublicOnly.allows(address) => {
            report.ok(
                EGRESS,
                format!("{name}: calls leave from {address}; the operator must list this address"),
            );
        }
        Ok(address) => {
            let message = format!(
                "{name}: calls leave from {address}, which a router replaces by another address"
            );
            let remedy = "ask the provider of your network for the public address, and have the \
                operator list it";
            report.warning(EGRESS, message, remedy);
        }
        Err(error) => {
            report.warning(EGRESS, format!("{name}: {error}"), "check DNS and the network")
        }
    }
}

/// The address of this machine from which it reaches a URL. Nothing is sent: connecting a UDP
/// socket only selects a route.
async fn source_address(url: &Url) -> io::Result<IpAddr> {
    let host = url.host_str().ok_or(io::ErrorKind::InvalidInput)?;
    let port = url.port_or_known_default().unwrap_or_default();
    let mut addresses = lookup_host((host.trim_matches(['[', ']']), port)).await?;
    let address = addresses.next().ok_or(io::ErrorKind::NotFound)?;
    let socket = UdpSocket::bind(if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" }).await?;
    socket.connect(address).await?;
    Ok(socket.local_addr()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    #[test]
    fn a_certificate_that_ends_soon_is_a_warning_and_an_untrusted_one_a_fault() {
        let now = Timestamp::UNIX_EPOCH;
        let days = |days: i64| Ok(Some(now + SignedDuration::from_hours(24 * days)));
        let line = |end| {
            let mut report = Report::default();
            report_certificate(&mut report, "mtn: https://operator.example", end, now);
            report.lines()
        };
        assert!(line(days(90)).starts_with("ok") && line(days(90)).contains("90 more days"));
        assert!(line(days(13)).starts_with("warning") && line(days(13)).contains("in 13 days"));
        assert!(
            line(Err("invalid peer certificate: UnknownIssuer".to_owned())).starts_with("fault")
        );
        assert!(line(Ok(None)).starts_with("ok"));
    }
}
