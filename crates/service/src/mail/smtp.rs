//! The connection to the SMTP server.

use super::settings::{Encryption, MailSettings};
use crate::domain::{
    mail::{MailFault, Message},
    ports::Mailer,
};
use async_trait::async_trait;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    message::{Mailbox, MultiPart},
    transport::smtp::{
        Error,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use secrecy::ExposeSecret;
use std::{error::Error as StdError, fs, time::Duration};

/// The timeout of each step: connecting, and each reply.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Permanent replies to a sign-in (RFC 4954 section 6).
const SIGN_IN_REFUSED: [u16; 4] = [530, 534, 535, 538];

/// Sends messages over a new connection each.
#[derive(Clone, Debug)]
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl SmtpMailer {
    /// A mailer with these settings. It does not connect yet.
    ///
    /// # Errors
    /// One line: the file with root certificates cannot be used, or TLS cannot be set up.
    pub fn new(settings: &MailSettings) -> Result<Self, String> {
        let tls = tls_parameters(settings)?;
        let tls = match settings.encryption {
            Encryption::Implicit => Tls::Wrapper(tls),
            Encryption::StartTls => Tls::Required(tls),
            Encryption::StartTlsIfOffered => Tls::Opportunistic(tls),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host)
            .port(settings.port)
            .timeout(Some(TIMEOUT))
            .tls(tls);
        if let Some((user, password)) = &settings.credentials {
            builder = builder.credentials(Credentials::new(user.clone(), password.expose_secret().to_owned()));
        }
        Ok(Self { transport: builder.build(), from: settings.from.clone() })
    }

    /// Connects, encrypts and signs in, without sending a message.
    ///
    /// # Errors
    /// One line that says what failed.
    pub async fn check(&self) -> Result<(), String> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err("the server does not respond as an SMTP server".to_owned()),
            Err(error) => Err(reason(&error)),
        }
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, message: &Message) -> Result<(), MailFault> {
        // Parsed as an address alone: a mailbox may have a display name, and then it goes elsewhere than it seems.
        let to: Address =
            message.to.parse().map_err(|_| MailFault::Refused("the recipient's address is not valid".to_owned()))?;
        let body = MultiPart::alternative_plain_html(message.text.clone(), message.html.clone());
        let mail = lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .message_id(message.id.as_ref().map(|id| format!("<{id}@{}>", self.from.email.domain())))
            .subject(&message.subject)
            .multipart(body)
            .map_err(|error| MailFault::Refused(error.to_string()))?;
        match self.transport.send(mail).await {
            Ok(_) => Ok(()),
            // A server repeats the address in its reply, which is logged.
            Err(error) => {
                let reason = without_addresses(&reason(&error));
                Err(match error.status() {
                    Some(code) if SIGN_IN_REFUSED.contains(&u16::from(code)) => MailFault::SignInRefused(reason),
                    _ if error.is_permanent() => MailFault::Refused(reason),
                    _ => MailFault::NotTaken(reason),
                })
            }
        }
    }
}

fn tls_parameters(settings: &MailSettings) -> Result<TlsParameters, String> {
    let mut builder = TlsParameters::builder(settings.host.clone());
    if let Some(path) = &settings.root {
        let named = |error: &dyn std::fmt::Display| format!("mail.root {}: {error}", path.display());
        let pem = fs::read(path).map_err(|error| named(&error))?;
        builder = builder.add_root_certificate(Certificate::from_pem(&pem).map_err(|error| named(&error))?);
    }
    builder.build().map_err(|error| format!("mail: {error}"))
}

/// The text without addresses, which a server may spell in another way than we did.
fn without_addresses(reason: &str) -> String {
    let words = reason.split(' ').map(|word| if word.contains('@') { "the recipient" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// The error with its causes, in one line.
fn reason(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
