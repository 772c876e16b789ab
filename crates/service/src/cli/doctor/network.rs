//! Where the world reaches the service, and whether its clock is the world's.

use super::report::Report;
use crate::Config;
use jiff::{SignedDuration, Timestamp, fmt::rfc2822::DateTimeParser};
use reqwest::{header, redirect::Policy};
use std::{net::TcpListener, time::Duration};
use url::{Host, Url};

/// How long the public address may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// How far two clocks may be apart; a `Date` header is exact to the second, and travels.
const APART: SignedDuration = SignedDuration::from_secs(5);

/// No clock that is right shows less: 2026-01-01T00:00:00Z, before Tua was made.
const EARLIEST: i64 = 1_767_225_600;

/// What the public address said the time is, and what it was here then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    theirs: Timestamp,
    ours: Timestamp,
}

pub(super) fn public_url(config: &Config) -> String {
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    config.public_url.clone().unwrap_or_else(|| format!("{scheme}://{}", config.listen))
}

pub(super) fn is_loopback(url: &str) -> bool {
    match Url::parse(url).ok().as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Checks that the service could listen where it is told to, while it does not.
pub(super) fn check_listeners(report: &mut Report, config: &Config) {
    let metrics = config.metrics_listen.as_ref().map(|address| ("metrics-listen", address));
    for (setting, address) in [("listen", &config.listen)].into_iter().chain(metrics) {
        match TcpListener::bind(address) {
            Ok(_) => report.ok(setting, format!("{address} is free")),
            Err(error) => {
                report.fault(
                    setting,
                    format!("{address}: {error}"),
                    format!("choose another address with --{setting}"),
                );
            }
        }
    }
}

/// Checks the public address, which operators call back to, and returns what it says the time is.
pub(super) async fn check(report: &mut Report, config: &Config, served: bool, live: bool) -> Option<Told> {
    let url = public_url(config);
    check_address(report, &url, live);
    let asked = format!("{url}/healthz");
    match ask(&asked).await {
        Ok(told) => {
            report.ok("reachable", asked);
            told
        }
        Err(fault) => {
            let said = format!("{asked}: {fault}");
            match served || live {
                true => report.fault("reachable", said, "check --public-url, the proxy, DNS and the firewall"),
                false => report.warning("reachable", said, "start the service, then ask again"),
            }
            None
        }
    }
}

fn check_address(report: &mut Report, url: &str, live: bool) {
    const CHECK: &str = "callbacks";
    if url.starts_with("https://") && !is_loopback(url) {
        return report.ok(CHECK, format!("operators call back to {url}"));
    }
    let (said, remedy) = match is_loopback(url) {
        true => ("only this machine reaches it", "set --public-url before anybody else is to pay"),
        false => ("keys and tokens travel unencrypted", "serve it over https, and set --public-url to that"),
    };
    let said = format!("{url}: {said}");
    if live { report.fault(CHECK, said, remedy) } else { report.warning(CHECK, said, remedy) }
}

/// Asks whether the service lives there; returns what time it says.
async fn ask(url: &str) -> Result<Option<Told>, String> {
    let client = reqwest::Client::builder().timeout(PATIENCE).redirect(Policy::none()).build();
    let answer = async { client?.get(url).send().await?.error_for_status() }.await.map_err(|error| plain(&error))?;
    let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
    let theirs = date.and_then(|date| DateTimeParser::new().parse_timestamp(date).ok());
    let told = theirs.map(|theirs| Told { theirs, ours: now() });
    match answer.text().await.map_err(|error| plain(&error))?.trim() {
        "ok" => Ok(told),
        _ => Err("somebody else answers there".to_owned()),
    }
}

fn now() -> Timestamp {
    use crate::{clock::SystemClock, domain::ports::Clock};
    SystemClock.now()
}

/// The cause behind reqwest's own words, without the address that is said anyway.
fn plain(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("no answer within {} s", PATIENCE.as_secs());
    }
    if let Some(status) = error.status() {
        return format!("it answers {status}");
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

pub(super) fn check_clock(report: &mut Report, now: Timestamp, newest: Option<Timestamp>, told: Option<Told>) {
    const CHECK: &str = "clock";
    const REMEDY: &str = "let the system keep the time (NTP)";
    if now.as_second() < EARLIEST {
        return report.fault(CHECK, format!("{now} is long past"), REMEDY);
    }
    if let Some(newest) = newest.filter(|newest| *newest > now + APART) {
        let said = format!("{now} is before the newest transaction, of {newest}: it was set back");
        return report.fault(CHECK, said, REMEDY);
    }
    match told.map(|told| told.ours.duration_since(told.theirs).abs()) {
        Some(apart) if apart > APART => {
            let said = format!("{} s apart from the public address's", apart.as_secs());
            report.fault(CHECK, said, REMEDY);
        }
        Some(_) => report.ok(CHECK, format!("{now}, as the public address says")),
        None => report.ok(CHECK, now.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_by_any_name() {
        for url in ["http://127.0.0.1:8080", "http://localhost", "https://pay.localhost", "http://[::1]:80"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["https://pay.example", "http://192.168.0.2", "http://0.0.0.0:8080", "nonsense"] {
            assert!(!is_loopback(url), "{url}");
        }
    }

    fn clock(newest: Option<i64>, theirs: Option<i64>) -> bool {
        let (mut report, now) = (Report::default(), Timestamp::from_second(EARLIEST + 100).unwrap());
        let at = |second| Timestamp::from_second(EARLIEST + second).unwrap();
        let told = theirs.map(|second| Told { theirs: at(second), ours: now });
        check_clock(&mut report, now, newest.map(at), told);
        !report.has_faults()
    }

    #[test]
    fn a_clock_that_was_set_back_or_runs_apart_is_a_fault() {
        assert!(clock(None, None) && clock(Some(100), Some(100)) && clock(Some(104), Some(105)));
        assert!(!clock(Some(106), None) && !clock(None, Some(106)) && !clock(None, Some(94)));
        let mut report = Report::default();
        check_clock(&mut report, Timestamp::UNIX_EPOCH, None, None);
        assert!(report.has_faults());
    }
}
