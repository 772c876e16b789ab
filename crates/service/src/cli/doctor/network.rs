//! Checks how clients and operators reach the service, and its clock.

use super::report::Report;
use jiff::{SignedDuration, Timestamp, fmt::rfc2822::DateTimeParser};
use reqwest::{header, redirect::Policy};
use std::{net::TcpListener, time::Duration};
use tua_config::Config;
use tua_domain::public_url::PublicUrl;
use url::Url;

/// The timeout of the requests to the public URL and to operators' addresses.
pub(super) const HTTP_TIMEOUT: Duration = Duration::from_secs(3);

/// The largest accepted clock difference. A `Date` header has a resolution of one second, plus the
/// network's delay.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(5);

/// A correct clock is never earlier: 2026-01-01T00:00:00Z, in seconds.
const EARLIEST_TIME: i64 = 1_767_225_600;

/// The time in the `Date` header of the public URL, and this machine's time when it arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockReading {
    server_time: Timestamp,
    local_time: Timestamp,
}

pub(super) fn is_loopback(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| tua_operators::settings::is_loopback(&url))
}

/// Checks that the addresses to listen on are free. Call it while the service does not run.
pub(super) fn check_listeners(report: &mut Report, config: &Config) {
    let metrics = config.metrics_listen.as_ref().map(|address| ("metrics-listen", address));
    let http = config.http_listen.as_ref().map(|address| ("http-listen", address));
    for (setting, address) in [("listen", &config.listen)].into_iter().chain(metrics).chain(http) {
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

/// Checks the public URL, which operators call back to, and returns the time in its response.
pub(super) async fn check(
    report: &mut Report,
    url: &PublicUrl,
    is_served: bool,
    is_live: bool,
) -> Option<ClockReading> {
    check_address(report, url, is_live);
    let health_url = format!("{url}/healthz");
    match check_health(&health_url).await {
        Ok(reading) => {
            report.ok("reachable", health_url);
            reading
        }
        Err(fault) => {
            let message = format!("{health_url}: {fault}");
            if is_served || is_live {
                report.fault(
                    "reachable",
                    message,
                    "check --public-url, the proxy, DNS and the firewall",
                )
            } else {
                report.warning("reachable", message, "start the service, then run this again")
            }
            None
        }
    }
}

fn check_address(report: &mut Report, url: &str, is_live: bool) {
    const CHECK: &str = "callbacks";
    if url.starts_with("https://") && !is_loopback(url) {
        return report.ok(CHECK, format!("operators call back to {url}"));
    }
    let (message, remedy) = if is_loopback(url) {
        ("only this machine can reach it", "set --public-url before anyone else pays")
    } else {
        (
            "keys and tokens are sent unencrypted",
            "serve it over https, and set --public-url to that URL",
        )
    };
    let message = format!("{url}: {message}");
    if is_live {
        report.fault(CHECK, message, remedy)
    } else {
        report.warning(CHECK, message, remedy)
    }
}

/// Requests /healthz; returns the time in the response.
async fn check_health(url: &str) -> Result<Option<ClockReading>, String> {
    let client = reqwest::Client::builder().timeout(HTTP_TIMEOUT).redirect(Policy::none()).build();
    let answer = async { client?.get(url).send().await?.error_for_status() }
        .await
        .map_err(|error| reason(&error))?;
    let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
    let server_time = date.and_then(|date| DateTimeParser::new().parse_timestamp(date).ok());
    let reading = server_time.map(|server_time| ClockReading { server_time, local_time: now() });
    match answer.text().await.map_err(|error| reason(&error))?.trim() {
        "ok" => Ok(reading),
        _ => Err("another program responds there".to_owned()),
    }
}

fn now() -> Timestamp {
    use tua_domain::ports::Clock;
    use tua_system::clock::SystemClock;
    SystemClock.now()
}

/// Why a request failed, without the URL, which the caller prints.
pub(super) fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("no response within {} s", HTTP_TIMEOUT.as_secs());
    }
    if let Some(status) = error.status() {
        return format!("it responds with {status}");
    }
    tua_net::innermost_cause(error)
}

pub(super) fn check_clock(
    report: &mut Report,
    now: Timestamp,
    newest: Option<Timestamp>,
    reading: Option<ClockReading>,
) {
    const CHECK: &str = "clock";
    const REMEDY: &str = "synchronize the system's clock (NTP)";
    if now.as_second() < EARLIEST_TIME {
        return report.fault(CHECK, format!("{now} is in the past"), REMEDY);
    }
    if let Some(newest) = newest.filter(|newest| *newest > now + MAX_CLOCK_SKEW) {
        let message =
            format!("{now} is before the newest transaction ({newest}): the clock was set back");
        return report.fault(CHECK, message, REMEDY);
    }
    match reading.map(|reading| reading.local_time.duration_since(reading.server_time).abs()) {
        Some(skew) if skew > MAX_CLOCK_SKEW => {
            let message = format!("differs from the public URL's clock by {} s", skew.as_secs());
            report.fault(CHECK, message, REMEDY);
        }
        Some(_) => report.ok(CHECK, format!("{now}, the same as the public URL's")),
        None => report.ok(CHECK, now.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_loopback_url_is_recognized() {
        for url in [
            "http://127.0.0.1:8080",
            "http://localhost",
            "https://pay.localhost",
            "http://[::1]:80",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["https://pay.example", "http://192.168.0.2", "http://0.0.0.0:8080", "nonsense"]
        {
            assert!(!is_loopback(url), "{url}");
        }
    }

    fn clock(newest: Option<i64>, server_time: Option<i64>) -> bool {
        let mut report = Report::default();
        let now = Timestamp::from_second(EARLIEST_TIME + 100).unwrap();
        let at = |second| Timestamp::from_second(EARLIEST_TIME + second).unwrap();
        let reading =
            server_time.map(|second| ClockReading { server_time: at(second), local_time: now });
        check_clock(&mut report, now, newest.map(at), reading);
        !report.has_faults()
    }

    #[test]
    fn a_clock_that_was_set_back_or_differs_is_a_fault() {
        assert!(clock(None, None) && clock(Some(100), Some(100)) && clock(Some(104), Some(105)));
        assert!(!clock(Some(106), None) && !clock(None, Some(106)) && !clock(None, Some(94)));
        let mut report = Report::default();
        check_clock(&mut report, Timestamp::UNIX_EPOCH, None, None);
        assert!(report.has_faults());
    }
}
