//! Sends e-mail over SMTP (docs/reference/mail.md): settings, messages from templates, the connection to the server.

pub mod messages;
pub mod settings;
pub mod smtp;
