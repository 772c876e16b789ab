//! Checks the server for e-mail.

use super::report::Report;
use crate::{Config, mail::smtp::SmtpMailer};

pub(super) async fn check(report: &mut Report, config: &Config) {
    const CHECK: &str = "mail";
    let Some(settings) = &config.mail else {
        return report.ok(CHECK, "not configured: no e-mail is sent");
    };
    let checked = match SmtpMailer::new(settings) {
        Ok(mailer) => mailer.check().await,
        Err(fault) => Err(fault),
    };
    let server = format!("{}:{}", settings.host, settings.port);
    match checked {
        Ok(()) => report.ok(CHECK, format!("{server} accepts the settings; `tua mail test ADDRESS` sends a message")),
        Err(fault) => report.fault(CHECK, format!("{server}: {fault}"), "correct [mail] in the settings file"),
    }
}
