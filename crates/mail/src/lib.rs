//! Sends e-mail over SMTP (docs/reference/mail.md): settings, messages from templates, the
//! connection to the server.

pub mod account_mailer;
mod alerts;
pub mod channel;
pub mod composer;
pub mod messages;
mod receipts;
mod reports;
mod security;
pub mod settings;
pub mod smtp;
mod smtp_faults;
mod smtp_steps;
mod smtp_stream;
mod smtp_tls;
mod texts;
