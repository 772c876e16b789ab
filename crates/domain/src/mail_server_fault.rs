//! Why a message could not be sent with the mail server of an account.

use super::{mail::MailFault, string_enum};

string_enum! {
    /// What a person must correct. Each has a text that says what to do.
    pub enum MailServerProblem {
        /// DNS has no address of the name.
        NameNotFound = "name-not-found",
        /// Every address of the name is private, link-local or reserved.
        ForbiddenAddress = "forbidden-address",
        /// No connection: nothing listens there, or it was refused.
        NotReached = "not-reached",
        /// The greeting is not that of a mail server, or the replies are too long.
        NotSmtp = "not-smtp",
        /// The server did not finish in time. TLS and STARTTLS may have been confused.
        TimedOut = "timed-out",
        /// The connection could not be encrypted: no STARTTLS, or an untrusted certificate.
        NotEncrypted = "not-encrypted",
        /// The server refused the client before any message.
        ClientRefused = "client-refused",
        /// The server refused user and password.
        SignInRefused = "sign-in-refused",
        /// The server refused the message: often its sender, which the user may not use.
        MessageRefused = "message-refused",
        /// The server did not take the message now.
        NotNow = "not-now",
        /// No server key that is there decrypts the settings.
        NotReadable = "not-readable",
    }
}

/// Why a message was not sent. The reason contains no recipient's address and no password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault}")]
pub struct MailServerFault {
    /// What a person must correct.
    pub problem: MailServerProblem,
    /// Whether it may be tried again, with the server's reply.
    pub fault: MailFault,
}

impl MailServerFault {
    /// A fault after which the message is tried again.
    #[must_use]
    pub fn not_taken(problem: MailServerProblem, reason: impl Into<String>) -> Self {
        Self { problem, fault: MailFault::NotTaken(reason.into()) }
    }
}
