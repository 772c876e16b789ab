//! An SMTP server: the state machine of the crate mailin, with TLS.

use mailin::{Action, AuthMechanism, Handler, Response, Session, SessionBuilder, response};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{
    ServerConfig,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use std::{
    fs, io,
    net::IpAddr,
    path::{Path, PathBuf},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::{Notify, futures::OwnedNotified},
};
use tokio_rustls::TlsAcceptor;
use tua_mail::settings::MailSettings;

/// The only user, and the password.
pub const CREDENTIALS: &str = "shop:hunter2";

/// What the server does with a recipient.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behaviour {
    /// It accepts the message.
    Accepts,
    /// It refuses the recipient for good, with the address in the reply.
    Refuses,
    /// It does not take the message now.
    Greylists,
    /// It closes the connection instead of a reply.
    Hangs,
    /// It refuses the client with this code in place of the banner.
    RefusesClient(u16),
    /// It refuses the client's name with this code in reply to EHLO and HELO.
    RefusesName(u16),
    /// It refuses user and password for good.
    RefusesSignIn,
    /// It accepts the connection and writes nothing. [`SmtpServer::set`] closes the connection.
    Silent,
    /// It accepts the message, and replies to it only after [`SmtpServer::set`].
    RepliesLate,
    /// It greets with 64 MiB without the end of a line.
    NeverEndsALine,
}

/// When the connection is encrypted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encrypted {
    /// TLS before the first reply, as on port 465.
    FromTheStart,
    /// After the command STARTTLS, as on port 587.
    AfterStartTls,
    /// It offers no encryption.
    Never,
    /// As `Never`, and it wants user and password.
    NeverWithSignIn,
}

/// A mail server on a port of its own, which keeps what it accepts.
#[derive(Debug)]
pub struct SmtpServer {
    /// Its port on 127.0.0.1.
    pub port: u16,
    /// Its certificate, as `root` of the settings takes it.
    pub root: PathBuf,
    received: Arc<Mutex<Vec<String>>>,
    names: Arc<Mutex<Vec<String>>>,
    behaviour: Arc<Mutex<Behaviour>>,
    changed: Arc<Notify>,
    connections: Arc<AtomicUsize>,
    _folder: TempDir,
}

impl SmtpServer {
    /// Starts a server. It runs as long as the runtime of the test.
    pub async fn start(encrypted: Encrypted, behaviour: Behaviour) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root.pem");
        fs::write(&root, cert.pem()).unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let mailbox = received.clone();
        let names = Arc::new(Mutex::new(Vec::new()));
        let greeted = names.clone();
        let behaviour = Arc::new(Mutex::new(behaviour));
        let current = behaviour.clone();
        let changed = Arc::new(Notify::new());
        let change = changed.clone();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                // Before the behaviour is read, so that no later change is missed.
                let changed = change.clone().notified_owned();
                let behaviour = *current.lock().unwrap();
                let received = mailbox.clone();
                let names = greeted.clone();
                let inbox = Inbox { behaviour, received, names, message: Vec::new() };
                tokio::spawn(serve(connection, encrypted, acceptor.clone(), inbox, changed));
            }
        });
        Self { port, root, received, names, behaviour, changed, connections, _folder: folder }
    }

    /// Changes what it does with the recipients of later connections, and lets go of those that it
    /// holds.
    pub fn set(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
        self.changed.notify_waiters();
    }

    /// The settings with which a service sends to it.
    pub fn settings(&self, encrypted: Encrypted) -> MailSettings {
        self.settings_with_root(encrypted, &self.root)
    }

    /// As [`Self::settings`], where only the certificate in this file is trusted.
    pub fn settings_with_root(&self, encrypted: Encrypted, root: &Path) -> MailSettings {
        let (scheme, credentials) = match encrypted {
            Encrypted::FromTheStart => ("smtps", format!("{CREDENTIALS}@")),
            Encrypted::AfterStartTls => ("smtp", format!("{CREDENTIALS}@")),
            Encrypted::Never => ("smtp", String::new()),
            Encrypted::NeverWithSignIn => ("smtp", format!("{CREDENTIALS}@")),
        };
        let url = format!("{scheme}://{credentials}127.0.0.1:{}", self.port);
        let root = root.to_str().unwrap();
        let table = format!("url = {url:?}\nfrom = \"pay@shop.example\"\nroot = {root:?}");
        MailSettings::read(table.parse().unwrap()).unwrap()
    }

    /// The number of connections that it has accepted.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// The names that clients gave in their greetings.
    pub fn names(&self) -> Vec<String> {
        self.names.lock().unwrap().clone()
    }

    /// The messages that were accepted, with their headers.
    pub fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

struct Inbox {
    behaviour: Behaviour,
    received: Arc<Mutex<Vec<String>>>,
    names: Arc<Mutex<Vec<String>>>,
    message: Vec<u8>,
}

impl Handler for Inbox {
    fn helo(&mut self, _: IpAddr, name: &str) -> Response {
        self.names.lock().unwrap().push(name.to_owned());
        match self.behaviour {
            Behaviour::RefusesName(code) => {
                Response::custom(code, "5.7.1 your name is not welcome".to_owned())
            }
            _ => response::OK,
        }
    }

    fn rcpt(&mut self, to: &str) -> Response {
        match self.behaviour {
            Behaviour::Accepts
            | Behaviour::RefusesClient(_)
            | Behaviour::RefusesName(_)
            | Behaviour::RefusesSignIn
            | Behaviour::Silent
            | Behaviour::RepliesLate
            | Behaviour::NeverEndsALine => response::OK,
            Behaviour::Refuses => Response::custom(550, format!("5.1.1 <{to}> is unknown here")),
            Behaviour::Greylists => Response::custom(451, "4.7.1 try again later".to_owned()),
            Behaviour::Hangs => response::NO_SERVICE,
        }
    }

    fn data(&mut self, line: &[u8]) -> io::Result<()> {
        self.message.extend_from_slice(line);
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        let message = String::from_utf8(std::mem::take(&mut self.message)).unwrap();
        self.received.lock().unwrap().push(message);
        response::OK
    }

    fn auth_plain(&mut self, _: &str, user: &str, password: &str) -> Response {
        let is_known = format!("{user}:{password}") == CREDENTIALS
            && self.behaviour != Behaviour::RefusesSignIn;
        if is_known { response::AUTH_OK } else { response::INVALID_CREDENTIALS }
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

async fn serve(
    connection: TcpStream,
    encrypted: Encrypted,
    acceptor: TlsAcceptor,
    inbox: Inbox,
    changed: OwnedNotified,
) -> Option<()> {
    let mut changed = pin!(changed);
    let behaviour = inbox.behaviour;
    let mut builder = SessionBuilder::new("mail.example");
    // A server that offers encryption requires it, and refuses passwords without it.
    if encrypted != Encrypted::Never {
        builder.enable_auth(AuthMechanism::Plain);
    }
    if encrypted == Encrypted::AfterStartTls {
        builder.enable_start_tls();
    }
    if behaviour == Behaviour::Silent {
        changed.await;
        return None;
    }
    let refusal = match behaviour {
        Behaviour::RefusesClient(code) => {
            Some(format!("{code} 5.7.1 your address is not welcome\r\n"))
        }
        _ => None,
    };
    let mut session: Session<Inbox> = builder.build(IpAddr::from([127, 0, 0, 1]), inbox);
    if encrypted == Encrypted::NeverWithSignIn {
        // Otherwise it would offer no sign-in.
        session.tls_active();
    }
    let mut stream: BufReader<Box<dyn Stream>> = BufReader::new(Box::new(connection));
    if encrypted == Encrypted::FromTheStart {
        stream = BufReader::new(Box::new(acceptor.accept(stream.into_inner()).await.ok()?));
        session.tls_active();
    }
    if behaviour == Behaviour::NeverEndsALine {
        let part = vec![b'2'; 64 * 1024];
        for _ in 0..1024 {
            stream.write_all(&part).await.ok()?;
        }
        return None;
    }
    if let Some(refusal) = refusal {
        stream.write_all(refusal.as_bytes()).await.ok()?;
        return stream.flush().await.ok();
    }
    stream.write_all(&session.greeting().buffer().unwrap()).await.ok()?;
    loop {
        let mut line = Vec::new();
        if stream.read_until(b'\n', &mut line).await.ok()? == 0 {
            return None;
        }
        let response = session.process(&line);
        if behaviour == Behaviour::RepliesLate && line == b".\r\n" {
            changed.as_mut().await;
        }
        if behaviour == Behaviour::Hangs && response.code == response::NO_SERVICE.code {
            return None;
        }
        if response.action != Action::NoReply {
            stream.write_all(&response.buffer().unwrap()).await.ok()?;
            stream.flush().await.ok()?;
        }
        match response.action {
            Action::Close => return None,
            Action::UpgradeTls => {
                stream = BufReader::new(Box::new(acceptor.accept(stream.into_inner()).await.ok()?));
                session.tls_active();
            }
            Action::Reply | Action::NoReply => {}
        }
    }
}
