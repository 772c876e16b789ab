//! The settings of e-mail: `[mail]` of the settings file.

use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};
use std::path::PathBuf;
use toml::Table;
use tua_domain::{mail_server::is_loopback, people::LinkDelivery};
use tua_operators::settings::SettingsReader;
use url::{Host, Url};

/// The port for submission with TLS from the first byte (RFC 8314).
const PORT_TLS: u16 = 465;
/// The port for submission with STARTTLS (RFC 6409).
const PORT_STARTTLS: u16 = 587;

/// How the connection is encrypted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encryption {
    /// TLS from the first byte.
    Implicit,
    /// STARTTLS, without which nothing is sent.
    StartTls,
    /// STARTTLS if the server offers it: only on loopback.
    StartTlsIfOffered,
}

/// The validated settings of e-mail.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// The server's name or address.
    pub host: String,
    /// The port of the URL, or the default port of its scheme.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// User name and password.
    pub credentials: Option<(String, SecretString)>,
    /// The `From` address of every message, with or without a name.
    pub from: Mailbox,
    /// Root certificates in PEM form, in addition to the system's.
    pub root: Option<PathBuf>,
    /// The name that the client gives with `EHLO`; `None`: the host of the public URL.
    pub hello_name: Option<String>,
    /// To whom the links of invitations go that are made in the dashboard.
    pub invitation_links: LinkDelivery,
}

impl MailSettings {
    /// Reads the table `[mail]`.
    ///
    /// # Errors
    /// Every fault, each as a sentence that names the setting and repeats no password.
    pub fn read(table: Table) -> Result<Self, Vec<String>> {
        let mut reader = SettingsReader::new("mail".to_owned(), table);
        let url = reader.secret("url").and_then(|url| match Server::parse(url.expose_secret()) {
            Ok(server) => Some(server),
            Err(fault) => {
                reader.fault("url", fault);
                None
            }
        });
        let from = reader.required_text("from").and_then(|text| match text.parse::<Mailbox>() {
            Ok(from) => Some(from),
            Err(_) => {
                reader
                    .fault("from", "must be an address such as \"Adom Stores <pay@shop.example>\"");
                None
            }
        });
        let root = reader.text("root").map(PathBuf::from);
        let hello_name = reader.text("hello-name").and_then(|text| match Host::parse(&text) {
            Ok(Host::Domain(name)) => Some(name),
            _ => {
                reader.fault("hello-name", "must be a DNS name such as pay.example");
                None
            }
        });
        let invitation_links = match reader
            .text("invitation-links")
            .as_deref()
            .map(LinkDelivery::parse)
        {
            None => LinkDelivery::MailedWhereApproved,
            Some(Some(delivery)) => delivery,
            Some(None) => {
                reader.fault("invitation-links", "must be shown, mailed or mailed-where-approved");
                LinkDelivery::Mailed
            }
        };
        let faults = reader.finish();
        match (url, from) {
            (Some(Server { host, port, encryption, credentials }), Some(from))
                if faults.is_empty() =>
            {
                Ok(Self {
                    host,
                    port,
                    encryption,
                    credentials,
                    from,
                    root,
                    hello_name,
                    invitation_links,
                })
            }
            _ => Err(faults),
        }
    }
}

/// The parts of the URL.
struct Server {
    host: String,
    port: u16,
    encryption: Encryption,
    credentials: Option<(String, SecretString)>,
}

impl Server {
    fn parse(text: &str) -> Result<Self, &'static str> {
        const FORM: &str = "must be smtps://user:password@host or smtp://user:password@host, with \
            :port where needed";
        let url = Url::parse(text).map_err(|_| FORM)?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(FORM)?;
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
            return Err(FORM);
        }
        let (encryption, port) = match url.scheme() {
            "smtps" => (Encryption::Implicit, PORT_TLS),
            "smtp" if is_loopback(without_brackets(host)) => {
                (Encryption::StartTlsIfOffered, PORT_STARTTLS)
            }
            "smtp" => (Encryption::StartTls, PORT_STARTTLS),
            _ => return Err(FORM),
        };
        let decoded =
            |text: &str| percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| FORM);
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            (user, Some(password)) if !user.is_empty() => {
                Some((decoded(user)?, SecretString::from(decoded(password)?)))
            }
            _ => return Err("needs both a user and a password, or neither"),
        };
        Ok(Self {
            host: without_brackets(host).to_owned(),
            port: url.port().unwrap_or(port),
            encryption,
            credentials,
        })
    }
}

/// The host of a URL, which has an IPv6 address in brackets. The URL's own parser reads addresses
/// in `http` and `https` only.
fn without_brackets(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<MailSettings, Vec<String>> {
        MailSettings::read(text.parse().unwrap())
    }

    #[test]
    fn the_scheme_decides_port_and_encryption() {
        for (url, port, encryption) in [
            ("smtps://mail.example", 465, Encryption::Implicit),
            ("smtp://mail.example", 587, Encryption::StartTls),
            ("smtp://mail.example:2525/", 2525, Encryption::StartTls),
            ("smtp://127.0.0.1:25", 25, Encryption::StartTlsIfOffered),
            ("smtp://localhost", 587, Encryption::StartTlsIfOffered),
            ("smtp://[::1]:25", 25, Encryption::StartTlsIfOffered),
        ] {
            let settings = read(&format!("url = {url:?}\nfrom = \"pay@shop.example\"")).unwrap();
            assert_eq!((settings.port, settings.encryption), (port, encryption), "{url}");
            assert!(settings.credentials.is_none());
        }
        let settings =
            read("url = \"smtps://a%40b:p%2Fw@h\"\nfrom = \"Adom <pay@shop.example>\"").unwrap();
        let (user, password) = settings.credentials.unwrap();
        assert_eq!((user.as_str(), password.expose_secret()), ("a@b", "p/w"));
    }

    #[test]
    fn every_fault_is_reported_and_no_password_is_repeated() {
        let faults =
            read("url = \"https://user:hunter2@host\"\nfrom = \"nobody\"\nform = 1").unwrap_err();
        assert_eq!(faults.len(), 3, "{faults:?}");
        for (name, is_valid) in
            [("Pay.Example", true), ("127.0.0.1", false), ("a b", false), ("", false)]
        {
            let table =
                format!("url = \"smtps://h\"\nfrom = \"a@b.example\"\nhello-name = {name:?}");
            assert_eq!(read(&table).is_ok(), is_valid, "{name}");
        }
        let settings = "url = \"smtps://host\"\nfrom = \"a@b.example\"\ninvitation-links = ";
        assert_eq!(read(&format!("{settings}\"page\"")).unwrap_err().len(), 1);
        assert_eq!(
            read(&format!("{settings}\"mailed\"")).unwrap().invitation_links,
            LinkDelivery::Mailed
        );
        assert!(
            faults.iter().all(|fault| fault.starts_with("mail.") && !fault.contains("hunter2")),
            "{faults:?}"
        );
        for url in ["smtp://", "smtps://user@host", "smtps://host/path", "smtps://host?x", "host"] {
            assert_eq!(
                read(&format!("url = {url:?}\nfrom = \"a@b.example\"")).unwrap_err().len(),
                1,
                "{url}"
            );
        }
        assert_eq!(read("").unwrap_err().len(), 2);
    }
}
