//! `postgres://…`: the address of the database, and the security of the connection.

use std::{fmt, net::IpAddr, path::PathBuf, str::FromStr};
use tokio_postgres::{
    Config,
    config::{Host, SslMode, TargetSessionAttrs},
};
use url::form_urlencoded;

/// The security of the connection. TLS without certificate verification is not offered: an attacker
/// who can intercept the connection can also impersonate the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TlsMode {
    /// Without TLS: a Unix socket or a loopback address, or `sslmode=disable`.
    Disabled,
    /// TLS, with the certificate verified against the system's roots.
    SystemRoots,
    /// TLS, with the certificate verified against the roots in this PEM file (`sslrootcert`).
    Roots(PathBuf),
}

/// The URL of a PostgreSQL database. `Debug` and `Display` omit the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    pub(super) config: Config,
    pub(super) security: TlsMode,
}

impl FromStr for PostgresUrl {
    type Err = String;

    /// Parses `postgres://user:password@host:port/database?…` with these parameters of libpq:
    /// `sslmode` (`disable`, `require` or `verify-full`), `sslrootcert`, `host`, `options`,
    /// `application_name`, `target_session_attrs`.
    ///
    /// # Errors
    /// One line that never repeats the text, because it contains a password.
    fn from_str(text: &str) -> Result<Self, String> {
        // Without the text: it contains a password.
        let fault = |what: &str| {
            Err(format!("database: {what}; it is postgres://user:password@host:port/database"))
        };
        let (address, query) = text.split_once('?').unwrap_or((text, ""));
        let mut mode = None;
        let mut roots = None;
        let mut kept = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
            match name.as_str() {
                "sslmode" => mode = Some(value),
                "sslrootcert" => roots = Some(PathBuf::from(value)),
                _ => kept.push(format!("{name}={}", percent_encode(&value))),
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
            (None, None) if config.get_hosts().iter().all(is_local) => TlsMode::Disabled,
            (Some("disable"), None) => TlsMode::Disabled,
            (None | Some("require" | "verify-full"), None) => TlsMode::SystemRoots,
            (None | Some("require" | "verify-full"), Some(path)) => TlsMode::Roots(path),
            _ => {
                return fault(
                    "sslmode is disable, require or verify-full (both check the certificate)",
                );
            }
        };
        config.ssl_mode(if security == TlsMode::Disabled {
            SslMode::Disable
        } else {
            SslMode::Require
        });
        if config.get_hosts().len() > 1
            && config.get_target_session_attrs() == TargetSessionAttrs::Any
        {
            // Of several servers, connects to the one that accepts writes.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        if config.get_application_name().is_none() {
            config.application_name("tua");
        }
        Ok(Self { config, security })
    }
}

/// Percent-encodes a blank as `%20`, because not every parser decodes `+`.
fn percent_encode(value: &str) -> String {
    form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Whether a connection to this host stays on this machine.
fn is_local(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
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
    fn connections_to_other_machines_use_tls_by_default() {
        for (text, security) in [
            ("postgres://tua@db.example/tua", TlsMode::SystemRoots),
            ("postgresql://tua@db.example/tua?sslmode=disable", TlsMode::Disabled),
            (
                "postgres://tua@db.example/tua?sslrootcert=/ca.pem",
                TlsMode::Roots(PathBuf::from("/ca.pem")),
            ),
            ("postgres://tua@db.example/tua?sslmode=verify-full", TlsMode::SystemRoots),
            ("postgres://tua@127.0.0.1:5433/tua", TlsMode::Disabled),
            ("postgres://tua@localhost/tua?sslmode=require", TlsMode::SystemRoots),
            ("postgres://tua@/tua?host=/run/postgresql", TlsMode::Disabled),
            ("postgres://tua@localhost,db.example/tua", TlsMode::SystemRoots),
        ] {
            assert_eq!(text.parse::<PostgresUrl>().map(|url| url.security), Ok(security), "{text}");
        }
    }

    #[test]
    fn no_text_about_a_url_contains_its_password() {
        let url: PostgresUrl = "postgres://tua:hunter2@db.example/shop".parse().unwrap();
        assert_eq!(
            format!("{url} {url:?}"),
            "postgres://db.example/shop PostgresUrl(postgres://db.example/shop)"
        );
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
    fn connection_options_are_passed_on() {
        let url: PostgresUrl =
            "postgres://tua@localhost/tua?options=-c%20search_path%3Dshop".parse().unwrap();
        assert_eq!(url.config.get_options(), Some("-c search_path=shop"));
    }
}
