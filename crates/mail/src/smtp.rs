//! The connection to the SMTP server.

use super::settings::{Encryption, MailSettings};
use async_trait::async_trait;
use lettre::{
    Address,
    message::{Mailbox, MultiPart},
    transport::smtp::{
        Error,
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, Certificate, TlsParameters},
        extension::ClientId,
    },
};
use secrecy::ExposeSecret;
use std::{error::Error as StdError, fmt, fs, time::Duration};
use tua_domain::{
    mail::{MailFault, Message},
    ports::Mailer,
    public_url::PublicUrl,
};
use url::Host;

/// How long connecting, greeting, encrypting and signing in may take together.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Permanent replies to a sign-in (RFC 4954 section 6).
const SIGN_IN_REFUSED: [u16; 4] = [530, 534, 535, 538];

/// Sends messages over a new connection each.
#[derive(Clone)]
pub struct SmtpMailer {
    host: String,
    port: u16,
    encryption: Encryption,
    tls: TlsParameters,
    credentials: Option<Credentials>,
    hello_name: ClientId,
    from: Mailbox,
}

impl SmtpMailer {
    /// A mailer with these settings, of a service with this public URL. It does not connect yet.
    ///
    /// # Errors
    /// One line: the file with root certificates cannot be used, or TLS cannot be set up.
    pub fn new(settings: &MailSettings, public_url: &PublicUrl) -> Result<Self, String> {
        let credentials = settings.credentials.as_ref();
        let credentials =
            credentials.map(|(user, password)| (user.clone(), password.expose_secret().to_owned()));
        Ok(Self {
            host: settings.host.clone(),
            port: settings.port,
            encryption: settings.encryption,
            tls: tls_parameters(settings)?,
            credentials: credentials.map(|(user, password)| Credentials::new(user, password)),
            hello_name: client_id(settings.hello_name.as_deref(), public_url),
            from: settings.from.clone(),
        })
    }

    /// Connects, encrypts and signs in, without sending a message.
    ///
    /// # Errors
    /// One line: what failed.
    pub async fn check(&self) -> Result<(), String> {
        let mut connection = self.connect().await.map_err(|fault| fault.to_string())?;
        let is_alive = connection.test_connected().await;
        connection.abort().await;
        if is_alive {
            Ok(())
        } else {
            Err("the server does not respond as an SMTP server".to_owned())
        }
    }

    /// Connects, greets, encrypts and signs in. No refusal on the way is about a message, so none
    /// is [`MailFault::Refused`]: servers refuse a client's name or address with a 5xx reply to the
    /// greeting, too.
    async fn connect(&self) -> Result<AsyncSmtpConnection, MailFault> {
        let late = |_| {
            MailFault::NotTaken(format!(
                "the server did not let us in within {} s",
                TIMEOUT.as_secs()
            ))
        };
        tokio::time::timeout(TIMEOUT, self.connect_in_any_time()).await.map_err(late)?
    }

    async fn connect_in_any_time(&self) -> Result<AsyncSmtpConnection, MailFault> {
        let not_taken = |error: Error| MailFault::NotTaken(without_addresses(&reason(&error)));
        let implicit = (self.encryption == Encryption::Implicit).then(|| self.tls.clone());
        let server = (self.host.as_str(), self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, None, &self.hello_name, implicit, None)
                .await
                .map_err(not_taken)?;
        let starts_tls = match self.encryption {
            Encryption::Implicit => false,
            Encryption::StartTls => true,
            Encryption::StartTlsIfOffered => connection.can_starttls(),
        };
        if starts_tls {
            connection.starttls(self.tls.clone(), &self.hello_name).await.map_err(not_taken)?;
        }
        if let Some(credentials) = &self.credentials {
            let signed_in = connection.auth(DEFAULT_MECHANISMS, credentials).await;
            signed_in.map_err(|error| {
                if error.is_permanent() {
                    MailFault::SignInRefused(without_addresses(&reason(&error)))
                } else {
                    not_taken(error)
                }
            })?;
        }
        Ok(connection)
    }
}

impl fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpMailer")
            .field("host", &self.host)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

/// How the client names itself: by the setting, otherwise by the host of the public URL (RFC 5321,
/// section 4.1.1.1).
fn client_id(setting: Option<&str>, public_url: &PublicUrl) -> ClientId {
    match (setting, public_url.host()) {
        (Some(name), _) | (None, Some(Host::Domain(name))) => ClientId::Domain(name.to_owned()),
        (None, Some(Host::Ipv4(address))) => ClientId::Ipv4(address),
        (None, Some(Host::Ipv6(address))) => ClientId::Ipv6(address),
        (None, None) => ClientId::default(),
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, message: &Message) -> Result<(), MailFault> {
        // Parsed as an address alone: a mailbox may have a display name, and then it goes elsewhere
        // than it seems.
        let to: Address = message
            .to
            .parse()
            .map_err(|_| MailFault::Refused("the recipient's address is not valid".to_owned()))?;
        let body = MultiPart::alternative_plain_html(message.text.clone(), message.html.clone());
        let mail = lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .message_id(
                message.id.as_ref().map(|id| format!("<{id}@{}>", self.from.email.domain())),
            )
            .subject(&message.subject)
            .multipart(body)
            .map_err(|error| MailFault::Refused(error.to_string()))?;
        let mut connection = self.connect().await?;
        let sent = connection.send(mail.envelope(), &mail.formatted()).await;
        connection.abort().await;
        match sent {
            Ok(_) => Ok(()),
            // A server repeats the address in its reply, which is logged.
            Err(error) => {
                let reason = without_addresses(&reason(&error));
                Err(match error.status() {
                    Some(code) if SIGN_IN_REFUSED.contains(&u16::from(code)) => {
                        MailFault::SignInRefused(reason)
                    }
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
        let with_path =
            |error: &dyn std::fmt::Display| format!("mail.root {}: {error}", path.display());
        let pem = fs::read(path).map_err(|error| with_path(&error))?;
        builder = builder
            .add_root_certificate(Certificate::from_pem(&pem).map_err(|error| with_path(&error))?);
    }
    builder.build().map_err(|error| format!("mail: {error}"))
}

/// The text without addresses, which a server may spell in another way than we did.
fn without_addresses(reason: &str) -> String {
    let words =
        reason.split(' ').map(|word| if word.contains('@') { "the recipient" } else { word });
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
