//! The port for sending e-mail.

use crate::mail::{MailFault, Message};
use async_trait::async_trait;
use std::fmt::Debug;

/// Sends e-mail through the SMTP server of the settings.
#[async_trait]
pub trait Mailer: Debug + Send + Sync + 'static {
    /// Sends a message once. It has been sent when the server has accepted it.
    async fn send(&self, message: &Message) -> Result<(), MailFault>;
}
