//! Checks that people can sign in to the dashboard, and that nobody can read along.

use super::report::Report;
use tua_config::{Config, DashboardPlace, is_readable_origin};
use tua_domain::public_url::PublicUrl;

const CHECK: &str = "dashboard";

/// A dashboard that refuses every other machine is a fault where live keys are used: nobody could
/// approve a payout.
pub(super) fn check(report: &mut Report, config: &Config, public: &PublicUrl, is_live: bool) {
    let own_address = match &config.dashboard {
        DashboardPlace::Off => return report.ok(CHECK, "off"),
        DashboardPlace::OnListener(address) => Some(address),
        DashboardPlace::OnService => None,
    };
    let url = config.dashboard_url_at(public, own_address);
    if !is_readable_origin(&url) {
        return report.ok(CHECK, format!("at {url}/dashboard"));
    }
    let message = format!(
        "{url} is plain HTTP, where others can read passwords: the dashboard refuses everybody but \
         this machine"
    );
    let remedy = "use TLS, or a proxy with TLS that --dashboard-url and --trusted-proxies name";
    if is_live {
        report.fault(CHECK, message, remedy)
    } else {
        report.warning(CHECK, message, remedy)
    }
}
