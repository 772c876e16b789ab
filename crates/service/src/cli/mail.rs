//! `tua mail`: e-mail with the settings of the service (docs/reference/mail.md).

use super::{Common, Settings, output};
use crate::{
    domain::{mail::MailFault, ports::Mailer},
    mail::{messages, smtp::SmtpMailer},
};
use clap::{Args, Subcommand};
use email_address::EmailAddress;
use serde::Serialize;
use std::process::ExitCode;

/// The exit code if the server did not take the message.
const NOT_SENT: u8 = 1;

#[derive(Args, Debug)]
pub(super) struct MailCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Send a test message; exit code 1 if the server does not take it
    Test {
        /// Where to
        address: EmailAddress,
        #[command(flatten)]
        settings: Box<Settings>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tested<'a> {
    to: &'a str,
    sent: bool,
    /// Whether the server refused it for good; false also if it was sent.
    refused: bool,
    /// Why it was not sent.
    fault: Option<String>,
}

impl MailCommand {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, String> {
        let Command::Test { address, settings } = self.command;
        let config = settings.resolve(&common)?;
        let mail =
            config.mail.as_ref().ok_or("mail: not configured; add [mail] with url and from to the settings file")?;
        let message = messages::test(address.as_str(), &config.public_url_at(&config.listen));
        let fault = SmtpMailer::new(mail)?.send(&message).await.err();
        let tested = Tested {
            to: address.as_str(),
            sent: fault.is_none(),
            refused: matches!(fault, Some(MailFault::Refused(_))),
            fault: fault.as_ref().map(ToString::to_string),
        };
        let text = match &tested.fault {
            None => format!("sent to {address}"),
            Some(fault) => format!("not sent to {address}: {fault}"),
        };
        output::print(&common, &tested, &text)?;
        Ok(if tested.sent { ExitCode::SUCCESS } else { ExitCode::from(NOT_SENT) })
    }
}
