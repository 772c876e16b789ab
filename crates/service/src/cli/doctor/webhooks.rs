//! Checks that shops get their events: endpoints that are disabled, and deliveries that were
//! abandoned or fail. What a shop of live mode did not get is a fault, because somebody must act
//! before it learns of a payment.

use super::report::Report;
use tua_domain::Mode;
use tua_store::inspection::{Contents, WebhookHealth};

const CHECK: &str = "webhooks";

pub(super) fn check(report: &mut Report, contents: &Contents) {
    let problems: u32 =
        contents.webhooks.iter().map(|(mode, health)| check_mode(report, *mode, *health)).sum();
    if problems == 0 {
        report.ok(CHECK, "no endpoint is disabled, and no delivery fails");
    }
}

/// Returns the number of findings.
fn check_mode(report: &mut Report, mode: Mode, health: WebhookHealth) -> u32 {
    let WebhookHealth { disabled_endpoints, abandoned, failing } = health;
    let mut lost = |count: u32, message: &str, remedy: &str| {
        let message = format!("{}: {count} {message}", mode.as_str());
        match (count, mode) {
            (0, _) => return 0,
            (_, Mode::Live) => report.fault(CHECK, message, remedy),
            (_, Mode::Test) => report.warning(CHECK, message, remedy),
        }
        1
    };
    let disabled = lost(
        disabled_endpoints,
        "disabled endpoints; their events are recorded for 30 days and not sent",
        "find them with `tua webhook list`, then run `tua webhook enable` or `tua webhook remove`",
    );
    let abandoned = lost(
        abandoned,
        "deliveries abandoned after all attempts; the shop did not get these events",
        "find them with `tua webhook deliveries`, correct the endpoint, then run `tua webhook \
         replay`",
    );
    if failing > 0 {
        let message =
            format!("{}: {failing} deliveries failed, and are sent again later", mode.as_str());
        report.warning(
            CHECK,
            message,
            "read why with `tua webhook deliveries`, and correct the endpoint",
        );
    }
    disabled + abandoned + u32::from(failing > 0)
}
