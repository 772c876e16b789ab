//! `tua mail`: e-mail with the settings of the service (docs/reference/mail.md).

use super::{
    context::{Common, Settings},
    fault::Fault,
    output,
    use_cases::UseCases,
};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::process::ExitCode;
use tua_domain::{
    mail::{MailFault, QueuedMail},
    people::StaffEmail,
    ports::Mailer,
};
use tua_mail::{messages, smtp::SmtpMailer};

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
        /// The e-mail address that gets the message
        address: StaffEmail,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// List the newest 200 messages of the outbox, without addresses
    List {
        /// Only messages that were given up
        #[arg(long)]
        failed: bool,
    },
}

/// How many messages are listed.
const MAX_LISTED: u32 = 200;

/// A message. It has no address: the outbox does not keep one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MailRow {
    mail_id: String,
    kind: &'static str,
    account_id: Option<String>,
    status: &'static str,
    attempts: u32,
    occurred_at: String,
    attempted_at: Option<String>,
    due_at: Option<String>,
    fault: Option<String>,
}

impl From<QueuedMail> for MailRow {
    fn from(mail: QueuedMail) -> Self {
        Self {
            mail_id: mail.id.as_str().to_owned(),
            kind: mail.kind.as_str(),
            account_id: mail.account.map(|id| id.as_str().to_owned()),
            status: mail.status.as_str(),
            attempts: mail.attempts,
            occurred_at: output::time(mail.occurred_at),
            attempted_at: mail.attempted_at.map(output::time),
            due_at: mail.due_at.map(output::time),
            fault: mail.fault,
        }
    }
}

impl MailRow {
    fn line(&self) -> String {
        let Self { mail_id, kind, status, attempts, occurred_at, .. } = self;
        let next = self.due_at.as_ref().map_or_else(String::new, |at| format!("  next {at}"));
        let fault = self.fault.as_ref().map_or_else(String::new, |fault| format!("  {fault}"));
        format!("{mail_id}  {kind}  {status}  {occurred_at}  attempts {attempts}{next}{fault}")
    }
}

async fn list(common: &Common, is_given_up: bool) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let found = use_cases.mail_outbox.list(is_given_up, MAX_LISTED).await;
    let found = found?;
    let rows: Vec<MailRow> = found.into_iter().map(MailRow::from).collect();
    output::print_list(common, &rows, MailRow::line, "none")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TestReport<'a> {
    to: &'a str,
    sent: bool,
    /// Whether the server refused it for good; false also if it was sent.
    refused: bool,
    /// Why it was not sent.
    fault: Option<String>,
}

impl MailCommand {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let (address, settings) = match self.command {
            Command::Test { address, settings } => (address, settings),
            Command::List { failed } => {
                return list(&common, failed).await.map(|()| ExitCode::SUCCESS);
            }
        };
        let config = settings.resolve(&common)?;
        let mail = config
            .mail
            .as_ref()
            .ok_or("mail: not configured; add [mail] with url and from to the settings file")?;
        let public_url = config.public_url_at(&config.listen)?;
        let message = messages::test(address.as_str(), &public_url);
        let fault = SmtpMailer::new(mail, &public_url)?.send(&message).await.err();
        let tested = TestReport {
            to: address.as_str(),
            sent: fault.is_none(),
            refused: matches!(fault, Some(MailFault::Refused(_) | MailFault::SignInRefused(_))),
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
