//! The settings before validation: from the command line, the environment and a file.

use clap::Args;
use serde::Deserialize;
use std::path::PathBuf;
use toml::Table;
use tua_net::limits::LimitSettings;

/// The settings of `tua serve` before validation; each is optional.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawSettings {
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, env = "TUA_LISTEN", value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// The public URL of the service [default: the first name of --acme, or ADDRESS:PORT of
    /// --listen]
    #[arg(long, env = "TUA_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Divide every delay of the sandbox [default: 1]
    #[arg(long, env = "TUA_SANDBOX_SPEED", value_name = "X")]
    pub sandbox_speed: Option<String>,
    /// Serve the simulated phone at /sandbox/phone; prompts then wait for an approval there
    #[arg(
        long,
        env = "TUA_SANDBOX_PHONE",
        num_args = 0..=1,
        default_missing_value = "true",
        value_name = "BOOL"
    )]
    pub sandbox_phone: Option<bool>,
    /// default, or off for tests and benchmarks; a table of rates in the file [default: default]
    #[arg(long, env = "TUA_LIMITS", value_name = "default|off")]
    pub limits: Option<LimitSettings>,
    /// The certificate chain in PEM form; the service then terminates TLS itself [default: plain
    /// HTTP]
    #[arg(long, env = "TUA_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key in PEM form
    #[arg(long, env = "TUA_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// DNS names to order a certificate for, separated by commas; the service then terminates TLS
    /// itself
    #[arg(long, env = "TUA_ACME", value_name = "NAME,NAME")]
    pub acme: Option<String>,
    /// The directory of the ACME server [default: Let's Encrypt]
    #[arg(long, env = "TUA_ACME_DIRECTORY", value_name = "URL")]
    pub acme_directory: Option<String>,
    /// Root certificates of the ACME server, in addition to the system's
    #[arg(long, env = "TUA_ACME_ROOT", value_name = "FILE")]
    pub acme_root: Option<PathBuf>,
    /// A file with the key identifier and the HMAC key of an external account binding
    #[arg(long, env = "TUA_ACME_EAB", value_name = "FILE")]
    pub acme_eab: Option<PathBuf>,
    /// The e-mail address that the ACME server may write to
    #[arg(long, env = "TUA_ACME_CONTACT", value_name = "MAIL")]
    pub acme_contact: Option<String>,
    /// How the ACME server validates the names [default: tls-alpn-01]
    #[arg(long, env = "TUA_ACME_CHALLENGE", value_name = "tls-alpn-01|http-01")]
    pub acme_challenge: Option<String>,
    /// The address of a listener for plain HTTP that redirects to HTTPS [default: off]
    #[arg(long, env = "TUA_HTTP_LISTEN", value_name = "ADDRESS:PORT")]
    pub http_listen: Option<String>,
    /// Addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto are used [default: none]
    #[arg(long, env = "TUA_TRUSTED_PROXIES", value_name = "ADDRESS,ADDRESS")]
    pub trusted_proxies: Option<String>,
    /// The address to serve /metrics on, for Prometheus [default: off]
    #[arg(long, env = "TUA_METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub metrics_listen: Option<String>,
    /// on or off: serve the dashboard [default: on]
    #[arg(long, env = "TUA_DASHBOARD", value_name = "on|off")]
    pub dashboard: Option<String>,
    /// The address of a listener of its own for the dashboard [default: that of --listen]
    #[arg(long, env = "TUA_DASHBOARD_LISTEN", value_name = "ADDRESS:PORT")]
    pub dashboard_listen: Option<String>,
    /// The URL under which browsers reach the dashboard, for example through a proxy with TLS
    /// [default: that of its listener]
    #[arg(long, env = "TUA_DASHBOARD_URL", value_name = "URL")]
    pub dashboard_url: Option<String>,
    /// Also connect to loopback and private addresses: for webhooks and alerts of live mode, and
    /// for the mail servers of accounts
    #[arg(
        long,
        env = "TUA_ALLOW_PRIVATE_WEBHOOKS",
        num_args = 0..=1,
        default_missing_value = "true",
        value_name = "BOOL"
    )]
    pub allow_private_webhooks: Option<bool>,
    /// How long live payments are kept before `tua privacy erase` may overwrite who paid, such as
    /// 7y or 90d [default: 7y]
    #[arg(long, env = "TUA_RETENTION_LIVE", value_name = "TIME")]
    pub retention_live: Option<String>,
    /// Only in the file: on the command line it is a flag of every command.
    #[arg(skip)]
    pub database: Option<String>,
    /// The operators by name. Only in the file.
    #[arg(skip)]
    pub operators: Option<Table>,
    /// An emulator in place of the operators that people connect in the dashboard. Only in the
    /// file.
    #[arg(skip)]
    pub operator_emulator: Option<String>,
    /// The server for e-mail. Only in the file.
    #[arg(skip)]
    pub mail: Option<Table>,
    /// The sign-in provider of the dashboard. Only in the file.
    #[arg(skip)]
    pub oidc: Option<Table>,
    /// The routes of live and test mode. Only in the file.
    #[arg(skip)]
    pub routes: Option<Table>,
    /// The networks that have ended. Only in the file.
    #[arg(skip)]
    pub networks: Option<Table>,
    /// What the sandbox charges. Only in the file.
    #[arg(skip)]
    pub sandbox: Option<Table>,
}

impl RawSettings {
    /// These settings, and those of `other` where there are none.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            listen: self.listen.or(other.listen),
            public_url: self.public_url.or(other.public_url),
            sandbox_speed: self.sandbox_speed.or(other.sandbox_speed),
            sandbox_phone: self.sandbox_phone.or(other.sandbox_phone),
            limits: LimitSettings::or(self.limits, other.limits),
            tls_cert: self.tls_cert.or(other.tls_cert),
            tls_key: self.tls_key.or(other.tls_key),
            acme: self.acme.or(other.acme),
            acme_directory: self.acme_directory.or(other.acme_directory),
            acme_root: self.acme_root.or(other.acme_root),
            acme_eab: self.acme_eab.or(other.acme_eab),
            acme_contact: self.acme_contact.or(other.acme_contact),
            acme_challenge: self.acme_challenge.or(other.acme_challenge),
            http_listen: self.http_listen.or(other.http_listen),
            trusted_proxies: self.trusted_proxies.or(other.trusted_proxies),
            metrics_listen: self.metrics_listen.or(other.metrics_listen),
            dashboard: self.dashboard.or(other.dashboard),
            dashboard_listen: self.dashboard_listen.or(other.dashboard_listen),
            dashboard_url: self.dashboard_url.or(other.dashboard_url),
            allow_private_webhooks: self.allow_private_webhooks.or(other.allow_private_webhooks),
            retention_live: self.retention_live.or(other.retention_live),
            database: self.database.or(other.database),
            operators: self.operators.or(other.operators),
            operator_emulator: self.operator_emulator.or(other.operator_emulator),
            mail: self.mail.or(other.mail),
            oidc: self.oidc.or(other.oidc),
            routes: self.routes.or(other.routes),
            networks: self.networks.or(other.networks),
            sandbox: self.sandbox.or(other.sandbox),
        }
    }
}
