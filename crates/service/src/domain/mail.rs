//! E-mail: what is sent, and why a server did not take it.

/// An e-mail to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The address of the person.
    pub to: String,
    /// The subject line.
    pub subject: String,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML, with the same contents.
    pub html: String,
}

/// Why a message was not sent. The reason contains no recipient's address.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MailFault {
    /// The server refused it for good (a 5xx reply), or the address is not valid.
    #[error("refused: {0}")]
    Refused(String),
    /// The server did not take it now (a 4xx reply), or the connection failed.
    #[error("not taken now: {0}")]
    NotTaken(String),
}
