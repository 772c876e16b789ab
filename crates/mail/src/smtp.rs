//! The connection to the SMTP server.

use super::{
    settings::{Encryption, MailSettings},
    smtp_faults::{not_taken, of_greeting, of_sign_in, refused},
    smtp_steps::{close, transfer, within},
    smtp_stream::LimitedStream,
    smtp_tls::EncryptedStream,
};
use async_trait::async_trait;
use lettre::{
    Address,
    message::{Mailbox, MultiPart},
    transport::smtp::{
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, AsyncTokioStream, Certificate, TlsParameters},
        extension::ClientId,
    },
};
use secrecy::ExposeSecret;
use std::{
    fmt, fs,
    net::{IpAddr, SocketAddr},
    time::Duration,
};
use tokio::net::TcpStream;
use tua_domain::{
    mail::{MailFault, Message},
    mail_server_fault::{MailServerFault, MailServerProblem},
    ports::Mailer,
    public_url::PublicUrl,
};
use url::Host;

/// How long connecting, greeting, encrypting and signing in may take together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// Whether a server may have this address.
pub type AddressRule = fn(IpAddr) -> bool;

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
    rule: AddressRule,
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
            // The administrator chooses the server of the settings file.
            rule: |_| true,
        })
    }

    /// This mailer, which connects only to addresses that the rule allows.
    #[must_use]
    pub fn with_rule(self, rule: AddressRule) -> Self {
        Self { rule, ..self }
    }

    /// Connects, encrypts and signs in, without sending a message.
    ///
    /// # Errors
    /// One line: what failed.
    pub async fn check(&self) -> Result<(), String> {
        let mut connection = self.connect().await.map_err(|fault| fault.fault.to_string())?;
        let is_alive = tokio::time::timeout(CONNECT_TIMEOUT, connection.test_connected()).await;
        close(connection).await;
        if is_alive.unwrap_or(false) {
            Ok(())
        } else {
            Err("the server does not respond as an SMTP server".to_owned())
        }
    }

    /// Connects, greets, encrypts and signs in. No refusal on the way is about a message, so none
    /// is [`MailFault::Refused`]: servers refuse a client's name or address with a 5xx reply to the
    /// greeting, too.
    async fn connect(&self) -> Result<AsyncSmtpConnection, MailServerFault> {
        let connecting = self.connect_in_any_time();
        within(CONNECT_TIMEOUT, "the server did not let us in", connecting).await
    }

    async fn connect_in_any_time(&self) -> Result<AsyncSmtpConnection, MailServerFault> {
        let addresses = self.addresses().await?;
        let stream = TcpStream::connect(addresses.as_slice()).await.map_err(|error| {
            let reason = format!("the connection failed: {error}");
            MailServerFault::not_taken(MailServerProblem::NotReached, reason)
        })?;
        let stream = LimitedStream::new(stream);
        let stream: Box<dyn AsyncTokioStream> = if self.encryption == Encryption::Implicit {
            let encrypted = EncryptedStream::begin(stream, self.tls.clone()).await;
            Box::new(encrypted.map_err(|error| not_taken(MailServerProblem::NotEncrypted, &error))?)
        } else {
            Box::new(stream)
        };
        let greeted = AsyncSmtpConnection::connect_with_transport(stream, &self.hello_name).await;
        let mut connection = greeted.map_err(|error| of_greeting(&error))?;
        let starts_tls = match self.encryption {
            Encryption::Implicit => false,
            Encryption::StartTls => true,
            Encryption::StartTlsIfOffered => connection.can_starttls(),
        };
        if starts_tls {
            let encrypted = connection.starttls(self.tls.clone(), &self.hello_name).await;
            encrypted.map_err(|error| not_taken(MailServerProblem::NotEncrypted, &error))?;
        }
        if let Some(credentials) = &self.credentials {
            let signed_in = connection.auth(DEFAULT_MECHANISMS, credentials).await;
            signed_in.map_err(|error| of_sign_in(&error))?;
        }
        Ok(connection)
    }

    /// The addresses of the server that the rule allows. Only these are connected to, so a second
    /// DNS response cannot redirect the client (DNS rebinding).
    async fn addresses(&self) -> Result<Vec<SocketAddr>, MailServerFault> {
        let found = tokio::net::lookup_host((self.host.as_str(), self.port)).await;
        let found = found.map_err(|error| {
            let reason = format!("the server's name could not be resolved: {error}");
            MailServerFault::not_taken(MailServerProblem::NameNotFound, reason)
        })?;
        let allowed: Vec<_> = found.filter(|address| (self.rule)(address.ip())).collect();
        if allowed.is_empty() {
            let reason = "the server's address is private, link-local or reserved";
            return Err(MailServerFault::not_taken(MailServerProblem::ForbiddenAddress, reason));
        }
        Ok(allowed)
    }

    /// Sends a message once, as [`Mailer::send`] does.
    ///
    /// # Errors
    /// What a person must correct, and whether it may be tried again.
    pub async fn try_send(&self, message: &Message) -> Result<(), MailServerFault> {
        // Parsed as an address alone: a mailbox may have a display name, and then it goes elsewhere
        // than it seems.
        let to: Address =
            message.to.parse().map_err(|_| refused("the recipient's address is not valid"))?;
        let body = MultiPart::alternative_plain_html(message.text.clone(), message.html.clone());
        let mail = lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .message_id(
                message.id.as_ref().map(|id| format!("<{id}@{}>", self.from.email.domain())),
            )
            .subject(&message.subject)
            .multipart(body)
            .map_err(|error| refused(&error.to_string()))?;
        let mut connection = self.connect().await?;
        let sent = transfer(&mut connection, mail.envelope(), &mail.formatted()).await;
        close(connection).await;
        sent
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
        self.try_send(message).await.map_err(|fault| fault.fault)
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
