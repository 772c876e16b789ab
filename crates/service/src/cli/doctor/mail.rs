//! Checks the server for e-mail.

use super::report::Report;
use tua_config::Config;
use tua_domain::public_url::PublicUrl;
use tua_mail::smtp::SmtpMailer;

const CHECK: &str = "mail";

/// Names messages that were given up in the last 30 days; older ones are deleted.
pub(super) fn check_given_up(report: &mut Report, given_up: u32) {
    if given_up > 0 {
        let message = format!("{given_up} messages were given up in the last 30 days");
        report.warning(CHECK, message, "see `tua mail list --failed`");
    }
}

pub(super) async fn check(report: &mut Report, config: &Config, public_url: &PublicUrl) {
    let Some(settings) = &config.mail else {
        let message = "not in the settings: e-mail is sent only for accounts whose owners set up a \
            mail server in the dashboard";
        return report.ok(CHECK, message);
    };
    let checked = match SmtpMailer::new(settings, public_url) {
        Ok(mailer) => mailer.check().await,
        Err(fault) => Err(fault),
    };
    let server = format!("{}:{}", settings.host, settings.port);
    match checked {
        Ok(()) => report.ok(
            CHECK,
            format!("{server} accepts the settings; `tua mail test ADDRESS` sends a message"),
        ),
        Err(fault) => {
            report.fault(CHECK, format!("{server}: {fault}"), "correct [mail] in the settings file")
        }
    }
}
