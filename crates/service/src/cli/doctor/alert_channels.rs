//! Checks that chats and servers for alerts accept their messages.

use super::report::Report;
use tua_domain::alert_channel::AlertChannel;

const CHECK: &str = "alert channels";

/// Warns of a channel that does not accept its messages.
pub(super) fn check_deliveries(report: &mut Report, channel: &AlertChannel) {
    let AlertChannel { id, scope, attempts, given_up, .. } = channel;
    if *attempts == 0 && *given_up == 0 {
        return;
    }
    let fault = channel.last.as_ref().and_then(|last| last.fault.as_deref());
    let message = format!(
        "the alert channel {id} of {} ({}): {attempts} attempts failed since the last success, and \
         {given_up} alerts were given up: {}",
        scope.account,
        scope.mode.as_str(),
        fault.unwrap_or("no reason is stored")
    );
    let remedy = "correct it at the chat or the server, and send a test in the dashboard (page \
        Settings)";
    report.warning(CHECK, message, remedy);
}
