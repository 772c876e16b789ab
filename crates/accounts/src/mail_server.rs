//! The settings of a mail server that an owner types
//! (docs/reference/mail.md#the-mail-server-of-an-account).

use super::{bare_address::is_bare_address, bidi::is_bidi, string_enum};
use std::{fmt, net::IpAddr};
use url::Host;

/// The ports that mail servers accept messages of their users on: 465 with TLS (RFC 8314), 587 with
/// STARTTLS (RFC 6409), and 25 and 2525, which some providers offer.
pub const MAIL_PORTS: [u16; 4] = [25, 465, 587, 2525];

/// The largest length of a typed value, in bytes.
const MAX_BYTES: usize = 254;

/// The first line of the text that is encrypted. Another version may have other lines.
const TEXT_VERSION: &str = "1";

string_enum! {
    /// How the connection to a mail server is encrypted.
    pub enum MailEncryption {
        /// STARTTLS, without which nothing is sent (RFC 3207).
        StartTls = "starttls",
        /// TLS from the first byte (RFC 8314).
        Tls = "tls",
        /// STARTTLS only if the server offers it: for a server on this machine.
        None = "none",
    }
}

string_enum! {
    /// A field of the form.
    pub enum MailServerField {
        /// The server's name or address.
        Host = "host",
        /// The TCP port of the mail server.
        Port = "port",
        /// One of [`MailEncryption`].
        Encryption = "encryption",
        /// The user with which the service signs in; empty for none.
        User = "user",
        /// The password of the user at the mail server.
        Password = "password",
        /// The address of the header `From`.
        FromAddress = "from-address",
        /// The name of the header `From`; empty for none.
        FromName = "from-name",
    }
}

/// Which servers may be named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MailServerRules {
    /// Servers of the public Internet, on [`MAIL_PORTS`]. The form refuses only this machine; other
    /// private addresses are refused when the client connects, since a name may lead to them.
    Public,
    /// Also this machine and private networks, on any port.
    AllowPrivate,
}

/// What was typed, by field. `Debug` hides the password.
#[derive(Clone, Copy)]
pub struct MailServerForm<'a> {
    /// Name or address of the server.
    pub host: &'a str,
    /// The port, in decimal digits.
    pub port: &'a str,
    /// One of [`MailEncryption`].
    pub encryption: &'a str,
    /// Empty for a server that wants no user.
    pub user: &'a str,
    /// Empty without a user.
    pub password: &'a str,
    /// The address of the sender.
    pub from_address: &'a str,
    /// The name of the sender; empty for none.
    pub from_name: &'a str,
}

impl fmt::Debug for MailServerForm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailServerForm")
            .field("host", &self.host)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

/// User and password of a mail server.
#[derive(Clone, PartialEq, Eq)]
pub struct MailSignIn {
    /// The user's name, often an e-mail address.
    pub user: String,
    /// The password, or an API key that is used as one.
    pub password: String,
}

impl fmt::Debug for MailSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailSignIn").field("user", &self.user).finish_non_exhaustive()
    }
}

/// A mail server with its credentials. `Debug` hides the password.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailServer {
    /// A DNS name in lower case, or an IP address without brackets.
    pub host: String,
    /// The TCP port of the mail server.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: MailEncryption,
    /// How the service signs in; `None` for a server that wants no user.
    pub sign_in: Option<MailSignIn>,
    /// The address of the header `From`.
    pub from_address: String,
    /// The name of the header `From`; empty for none.
    pub from_name: String,
}

impl MailServer {
    /// Reads a form.
    ///
    /// # Errors
    /// The fields with a fault, in the order of the form.
    pub fn read(
        form: &MailServerForm<'_>,
        rules: MailServerRules,
    ) -> Result<Self, Vec<MailServerField>> {
        use MailServerField as Field;
        let mut faults = Vec::new();
        let mut check = |field: Field, is_right: bool| {
            if !is_right {
                faults.push(field);
            }
        };
        let host = parse_host(form.host.trim());
        let is_local = host.as_deref().is_some_and(is_loopback);
        check(Field::Host, host.is_some() && (!is_local || rules == MailServerRules::AllowPrivate));
        let port = form.port.trim().parse::<u16>().ok().filter(|port| {
            MAIL_PORTS.contains(port) || *port > 0 && rules == MailServerRules::AllowPrivate
        });
        check(Field::Port, port.is_some());
        let encryption = MailEncryption::parse(form.encryption)
            .filter(|encryption| *encryption != MailEncryption::None || is_local);
        check(Field::Encryption, encryption.is_some());
        let user = form.user.trim();
        let needs_no_password = user.is_empty() && form.password.is_empty();
        check(Field::User, needs_no_password || !user.is_empty() && is_line(user));
        let password = form.password;
        check(Field::Password, user.is_empty() || !password.is_empty() && is_line(password));
        let from_address = form.from_address.trim();
        check(Field::FromAddress, is_bare_address(from_address));
        let from_name = form.from_name.trim();
        check(Field::FromName, is_line(from_name) && !from_name.contains(is_bidi));
        match (host, port, encryption) {
            (Some(host), Some(port), Some(encryption)) if faults.is_empty() => Ok(Self {
                host,
                port,
                encryption,
                sign_in: (!user.is_empty())
                    .then(|| MailSignIn { user: user.to_owned(), password: password.to_owned() }),
                from_address: from_address.to_owned(),
                from_name: from_name.to_owned(),
            }),
            _ => Err(faults),
        }
    }

    /// The text that is encrypted and stored: one line for each value. No value has a line break.
    #[must_use]
    pub fn to_text(&self) -> String {
        let sign_in = self.sign_in.as_ref();
        let lines = [
            TEXT_VERSION,
            &self.host,
            &self.port.to_string(),
            self.encryption.as_str(),
            sign_in.map_or("", |sign_in| &sign_in.user),
            sign_in.map_or("", |sign_in| &sign_in.password),
            &self.from_address,
            &self.from_name,
        ];
        lines.join("\n")
    }

    /// Reads such a text; `None` for any other.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.split('\n').collect();
        let [version, host, port, encryption, user, password, address, name] = lines.as_slice()
        else {
            return None;
        };
        let sign_in = || MailSignIn { user: (*user).to_owned(), password: (*password).to_owned() };
        (*version == TEXT_VERSION).then_some(())?;
        Some(Self {
            host: (*host).to_owned(),
            port: port.parse().ok()?,
            encryption: MailEncryption::parse(encryption)?,
            sign_in: (!user.is_empty()).then(sign_in),
            from_address: (*address).to_owned(),
            from_name: (*name).to_owned(),
        })
    }
}

/// The host as it is looked up; `None` for a text that is neither a DNS name nor an address.
fn parse_host(text: &str) -> Option<String> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address.to_string());
    }
    match Host::parse(text).ok()? {
        Host::Domain(name) if name.len() <= MAX_BYTES => Some(name),
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(address.to_string()),
        Host::Ipv6(address) => Some(address.to_string()),
    }
}

/// Whether a host, an IPv6 address without brackets, is this machine, so that mail to it crosses no
/// network.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn is_line(text: &str) -> bool {
    text.len() <= MAX_BYTES && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: MailServerForm<'static> = MailServerForm {
        host: " SMTP.Example.com ",
        port: "587",
        encryption: "starttls",
        user: "pay@shop.example",
        password: " hunter2 ",
        from_address: "pay@shop.example",
        from_name: "Adom Stores",
    };

    fn faults(form: &MailServerForm<'_>) -> Vec<MailServerField> {
        MailServer::read(form, MailServerRules::Public).unwrap_err()
    }

    #[test]
    fn a_form_is_read_and_its_text_is_read_back() {
        let server = MailServer::read(&FORM, MailServerRules::Public).unwrap();
        assert_eq!((server.host.as_str(), server.port), ("smtp.example.com", 587));
        let sign_in = server.sign_in.as_ref().unwrap();
        assert_eq!(sign_in.password, " hunter2 ", "a password is taken as it is");
        assert_eq!(MailServer::from_text(&server.to_text()), Some(server.clone()));
        assert!(!format!("{server:?}").contains("hunter2"), "{server:?}");
        let open = MailServerForm { user: "", password: "", ..FORM };
        let open = MailServer::read(&open, MailServerRules::Public).unwrap();
        assert_eq!(MailServer::from_text(&open.to_text()), Some(open));
        assert_eq!(MailServer::from_text("2\nh\n25\ntls\n\n\na@b.example\n"), None);
        assert_eq!(MailServer::from_text(""), None);
    }

    #[test]
    fn each_field_has_its_own_fault_and_a_line_break_is_one() {
        use MailServerField as Field;
        for (form, field) in [
            (MailServerForm { host: "", ..FORM }, Field::Host),
            (MailServerForm { host: "https://mail.example", ..FORM }, Field::Host),
            (MailServerForm { host: "mail.example:587", ..FORM }, Field::Host),
            (MailServerForm { port: "22", ..FORM }, Field::Port),
            (MailServerForm { port: "smtp", ..FORM }, Field::Port),
            (MailServerForm { encryption: "none", ..FORM }, Field::Encryption),
            (MailServerForm { encryption: "ssl", ..FORM }, Field::Encryption),
            (MailServerForm { user: "", ..FORM }, Field::User),
            (MailServerForm { user: "a\nb", ..FORM }, Field::User),
            (MailServerForm { password: "", ..FORM }, Field::Password),
            (MailServerForm { password: "a\nb", ..FORM }, Field::Password),
            (MailServerForm { from_address: "Adom <a@b.example>", ..FORM }, Field::FromAddress),
            (MailServerForm { from_name: "Adom\r\nBcc: x@y.example", ..FORM }, Field::FromName),
            (MailServerForm { from_name: "Adom \u{202e}", ..FORM }, Field::FromName),
        ] {
            assert_eq!(faults(&form), [field], "{form:?}");
        }
        let none = MailServerForm { host: "", port: "", encryption: "", from_address: "", ..FORM };
        assert_eq!(faults(&none).len(), 4);
    }

    #[test]
    fn only_a_server_on_this_machine_may_be_unencrypted_and_only_where_it_is_allowed() {
        let local = MailServerForm { host: "127.0.0.1", encryption: "none", ..FORM };
        assert_eq!(faults(&local), [MailServerField::Host]);
        assert!(MailServer::read(&local, MailServerRules::AllowPrivate).is_ok());
        let any_port = MailServerForm { port: "40123", ..local };
        assert!(MailServer::read(&any_port, MailServerRules::AllowPrivate).is_ok());
        let away = MailServerForm { host: "192.0.2.1", ..local };
        let refused = MailServer::read(&away, MailServerRules::AllowPrivate).unwrap_err();
        assert_eq!(refused, [MailServerField::Encryption]);
        for host in ["localhost", "::1"] {
            let local = MailServerForm { host, ..local };
            assert!(MailServer::read(&local, MailServerRules::AllowPrivate).is_ok(), "{host}");
        }
    }
}
