//! Checks the TLS certificate: that it can be used, and that it does not expire soon.

use super::report::Report;
use jiff::{SignedDuration, Timestamp};
use tua_config::Config;
use tua_net::acme::{AcmeSettings, OrderState};
use tua_store::inspection::Contents;

const CHECK: &str = "tls";

/// The remaining validity below which a certificate is a warning. Certificates are renewed a month
/// before they expire, so renewal has then failed for a week at least.
pub(super) const MIN_VALIDITY: SignedDuration = SignedDuration::from_hours(14 * 24);

pub(super) fn check(
    report: &mut Report,
    config: &Config,
    contents: Option<&Contents>,
    now: Timestamp,
) {
    if let Some(files) = &config.tls {
        match files.load() {
            Ok(certificate) => {
                let label = format!("{} and its key", files.certificate.display());
                check_expiry(
                    report,
                    &label,
                    certificate.not_after,
                    now,
                    "replace the files of --tls-cert and --tls-key",
                );
            }
            Err(fault) => report.fault(CHECK, fault, "see --tls-cert and --tls-key"),
        }
    }
    if let Some(settings) = &config.acme {
        check_acme(report, settings, contents, now);
    }
}

fn check_acme(
    report: &mut Report,
    settings: &AcmeSettings,
    contents: Option<&Contents>,
    now: Timestamp,
) {
    let state = contents.and_then(|contents| OrderState::parse(contents.acme_orders.as_ref()?));
    let names = settings.names.join(", ");
    let label = match state.filter(|state| state.failures > 0) {
        Some(state) => {
            format!("{names} ({} orders failed, the next one at {})", state.failures, state.next_at)
        }
        None => names,
    };
    let remedy = "read the service's log: each failed order says what to do";
    match contents.and_then(|contents| contents.certificate_expires) {
        Some(expires) => check_expiry(report, &label, expires, now, remedy),
        None => {
            let message = format!(
                "no certificate for {label}: HTTPS connections are refused until there is one"
            );
            report.warning(CHECK, message, format!("start the service; then {remedy}"));
        }
    }
}

/// Whole days until a time.
pub(super) fn days_until(time: Timestamp, now: Timestamp) -> i64 {
    time.duration_since(now).as_hours() / 24
}

fn check_expiry(
    report: &mut Report,
    label: &str,
    expires: Timestamp,
    now: Timestamp,
    remedy: &str,
) {
    let days = days_until(expires, now);
    if expires <= now {
        report.fault(CHECK, format!("{label}: expired at {expires}"), remedy);
    } else if expires < now + MIN_VALIDITY {
        report.warning(CHECK, format!("{label}: expires in {days} days, at {expires}"), remedy);
    } else {
        report.ok(CHECK, format!("{label}: valid until {expires}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_that_expires_within_14_days_is_a_warning() {
        let now = Timestamp::UNIX_EPOCH;
        let lines = [-1, 1, 13, 15].map(|days| {
            let mut report = Report::default();
            check_expiry(
                &mut report,
                "tua.pem",
                now + SignedDuration::from_hours(24 * days),
                now,
                "renew it",
            );
            report.lines()
        });
        assert!(lines[0].starts_with("fault"), "{lines:?}");
        assert!(lines[1].starts_with("warning") && lines[1].contains("in 1 days"), "{lines:?}");
        assert!(lines[2].starts_with("warning") && lines[3].starts_with("ok"), "{lines:?}");
    }
}
