//! The steps of an SMTP connection, each within its own time.

use super::smtp_faults::of_message;
use lettre::{
    Address,
    address::Envelope,
    transport::smtp::{
        client::AsyncSmtpConnection,
        commands::{Data, Mail, Rcpt},
        extension::{Extension, MailBodyParameter, MailParameter},
    },
};
use std::time::Duration;
use tua_domain::mail_server_fault::{MailServerFault, MailServerProblem};

/// How long sender, recipient and the beginning of the message may take together.
const ENVELOPE_TIMEOUT: Duration = Duration::from_secs(20);

/// How long the message and the reply to it may take together. The server may have accepted the
/// message and still be busy with it: whoever gives up earlier sends it twice (RFC 5321, section
/// 4.5.3.2.6).
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// How long the server may take to close the connection.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Transfers a message over a connection that is signed in.
pub(super) async fn transfer(
    connection: &mut AsyncSmtpConnection,
    envelope: &Envelope,
    message: &[u8],
) -> Result<(), MailServerFault> {
    let late = "the server did not reply to sender and recipient";
    within(ENVELOPE_TIMEOUT, late, begin(connection, envelope, message)).await?;
    within(MESSAGE_TIMEOUT, "the server did not reply to the message", async {
        connection.message(message).await.map(drop).map_err(|error| of_message(&error))
    })
    .await
}

/// The commands before a message, as [`AsyncSmtpConnection::send`] sends them.
async fn begin(
    connection: &mut AsyncSmtpConnection,
    envelope: &Envelope,
    message: &[u8],
) -> Result<(), MailServerFault> {
    let is_ascii = |address: &Address| AsRef::<str>::as_ref(address).is_ascii();
    let mut needed = Vec::new();
    if !envelope.from().into_iter().chain(envelope.to()).all(is_ascii) {
        needed.push((Extension::SmtpUtfEight, MailParameter::SmtpUtfEight));
    }
    if !message.is_ascii() {
        needed
            .push((Extension::EightBitMime, MailParameter::Body(MailBodyParameter::EightBitMime)));
    }
    let mut parameters = Vec::new();
    for (extension, parameter) in needed {
        if !connection.server_info().supports_feature(extension) {
            let reason = "the server takes only ASCII in addresses or messages";
            return Err(MailServerFault::not_taken(MailServerProblem::NotNow, reason));
        }
        parameters.push(parameter);
    }
    let sender = Mail::new(envelope.from().cloned(), parameters);
    connection.command(sender).await.map_err(|error| of_message(&error))?;
    for recipient in envelope.to() {
        let recipient = Rcpt::new(recipient.clone(), Vec::new());
        connection.command(recipient).await.map_err(|error| of_message(&error))?;
    }
    connection.command(Data).await.map(drop).map_err(|error| of_message(&error))
}

/// Closes a connection. What came of its message is known already, so nothing depends on it.
pub(super) async fn close(mut connection: AsyncSmtpConnection) {
    let _ = tokio::time::timeout(QUIT_TIMEOUT, connection.abort()).await;
}

/// Runs one step of a connection. `late` says what the server did not do in this time.
pub(super) async fn within<T>(
    time: Duration,
    late: &str,
    step: impl Future<Output = Result<T, MailServerFault>>,
) -> Result<T, MailServerFault> {
    tokio::time::timeout(time, step).await.unwrap_or_else(|_| {
        let reason = format!("{late} within {} s", time.as_secs());
        Err(MailServerFault::not_taken(MailServerProblem::TimedOut, reason))
    })
}
