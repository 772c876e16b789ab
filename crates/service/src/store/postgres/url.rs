//! `postgres://…`: where the database is, and how the way there is secured.

use std::{fmt, net::IpAddr, path::PathBuf, str::FromStr};
use tokio_postgres::{
    Config,
    config::{Host, SslMode, TargetSessionAttrs},
};
use url::form_urlencoded;

/// How the connection is secured. Encryption without a look at the certificate is no choice: whoever
/// can read along can also answer in the server's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Security {
    /// Not at all: a socket or a loopback address, or `sslmode=disable`.
    Plain,
    /// TLS, the server's certificate checked against the system's roots.
    SystemRoots,
    /// TLS, the certificate checked against the roots in this PEM file (`sslrootcert`).
    Roots(PathBuf),
}

/// A PostgreSQL database. `Debug` and `Display` hide the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    pub(super) config: Config,
    pub(super) security: Security,
}

impl FromStr for PostgresUrl {
    type Err = String;

    /// Reads `postgres://user:password@host:port/database?…`, with the parameters of libpq that matter
    /// here: `sslmode` (`disable`, `require` or `verify-full`), `sslrootcert`, `host`, `options`,
    /// `application_name`, `target_session_attrs`.
    fn from_str(text: &str) -> Result<Self, String> {
        // What is wrong is said without the text: it holds a password.
        let fault = |what: &str| Err(format!("database: {what}; it is postgres://user:password@host:port/database"));
        let (address, query) = text.split_once('?').unwrap_or((text, ""));
        let (mut mode, mut roots, mut kept) = (None, None, Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
            match name.as_str() {
                "sslmode" => mode = Some(value),
                "sslrootcert" => roots = Some(PathBuf::from(value)),
                _ => kept.push(format!("{name}={}", escaped(&value))),
            }
        }
        let Ok(mut config) = Config::from_str(&format!("{address}?{}", kept.join("&"))) else {
            return fault("an address or a parameter cannot be read");
        };
        if config.get_hosts().is_empty() {
            return fault("the host is missing");
        }
        if config.get_dbname().is_none() {
            return fault("the name of the database is missing");
        }
        let security = match (mode.as_deref(), roots) {
            (None, None) if config.get_hosts().iter().all(is_here) => Security::Plain,
            (Some("disable"), None) => Security::Plain,
            (None | Some("require" | "verify-full"), None) => Security::SystemRoots,
            (None | Some("require" | "verify-full"), Some(path)) => Security::Roots(path),
            _ => return fault("sslmode is disable, require or verify-full (both check the certificate)"),
        };
        config.ssl_mode(if security == Security::Plain { SslMode::Disable } else { SslMode::Require });
        if config.get_hosts().len() > 1 && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            // Of several servers one can be written to.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        if config.get_application_name().is_none() {
            config.application_name("tua");
        }
        Ok(Self { config, security })
    }
}

/// With `%20` for a blank, which every reader of such URLs knows, and not `+`.
fn escaped(value: &str) -> String {
    form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Whether what is sent there stays on this machine.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |host: &Host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        };
        // One port for all hosts, or one for each.
        let ports = self.config.get_ports().iter().cycle().map(|port| match port {
            5432 => String::new(),
            port => format!(":{port}"),
        });
        let ports = ports.chain(std::iter::repeat(String::new()));
        let hosts = self.config.get_hosts().iter().map(name).zip(ports);
        let hosts: Vec<String> = hosts.map(|(host, port)| host + &port).collect();
        write!(f, "postgres://{}/{}", hosts.join(","), self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_secured_where_it_leaves_the_machine() {
        for (text, security) in [
            ("postgres://tua@db.example/tua", Security::SystemRoots),
            ("postgresql://tua@db.example/tua?sslmode=disable", Security::Plain),
            ("postgres://tua@db.example/tua?sslrootcert=/ca.pem", Security::Roots(PathBuf::from("/ca.pem"))),
            ("postgres://tua@db.example/tua?sslmode=verify-full", Security::SystemRoots),
            ("postgres://tua@127.0.0.1:5433/tua", Security::Plain),
            ("postgres://tua@localhost/tua?sslmode=require", Security::SystemRoots),
            ("postgres://tua@/tua?host=/run/postgresql", Security::Plain),
            ("postgres://tua@localhost,db.example/tua", Security::SystemRoots),
        ] {
            assert_eq!(text.parse::<PostgresUrl>().map(|url| url.security), Ok(security), "{text}");
        }
    }

    #[test]
    fn nothing_that_is_said_of_it_holds_its_password() {
        let url: PostgresUrl = "postgres://tua:hunter2@db.example/shop".parse().unwrap();
        assert_eq!(format!("{url} {url:?}"), "postgres://db.example/shop PostgresUrl(postgres://db.example/shop)");
        for wrong in [
            "postgres://tua:hunter2@db.example:port/tua",
            "postgres://tua:hunter2@db.example/tua?sslmode=prefer",
            "postgres://tua:hunter2@db.example/tua?hunter2=1",
            "postgres://tua:hunter2@db.example",
            "postgres://tua:hunter2@/tua",
        ] {
            let fault = wrong.parse::<PostgresUrl>().unwrap_err();
            assert!(fault.starts_with("database: ") && !fault.contains("hunter2"), "{fault}");
        }
    }

    #[test]
    fn settings_of_a_session_are_passed_on() {
        let url: PostgresUrl = "postgres://tua@localhost/tua?options=-c%20search_path%3Dshop".parse().unwrap();
        assert_eq!(url.config.get_options(), Some("-c search_path=shop"));
    }
}
