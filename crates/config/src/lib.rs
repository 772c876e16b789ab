//! Settings: from the command line, the environment and a file, then validated.

mod dashboard;
pub mod key_file;
mod operator_emulator;
mod public_url;
mod raw;
pub mod settings_audit;
mod tls_files;
mod toml_fault;

use crate::{key_file::KeySource, operator_emulator::parse_emulator_url};
use ipnet::IpNet;
use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};
use tua_domain::{
    key_ring::KeyRing,
    ports::AuditLog,
    privacy,
    public_url::PublicUrl,
    secret::{SecretDigest, ServerKey},
    tariff::Tariffs,
};
use tua_mail::settings::MailSettings;
use tua_net::{
    ConnectionLimits,
    acme::{AcmeSettings, settings::RawAcme},
    client::parse_trusted,
    limits::{LimitSettings, Limits, Rates},
    tls::TlsFiles,
};
use tua_oidc::OidcSettings;
use tua_operators::{configured::ConfiguredOperators, tariffs::read_sandbox};
use tua_store::database::{Database, server_key_path};
use url::Url;

pub use dashboard::{DashboardPlace, dashboard_origin, is_readable_origin};
pub use raw::RawSettings;

/// The validated settings of the service.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on. Port 0 lets the system choose a port.
    pub listen: String,
    /// The public URL. If absent, it is the address listened on.
    pub public_url: Option<PublicUrl>,
    /// The SQLite file or the PostgreSQL server that stores all data.
    pub database: Database,
    /// `TUA_SERVER_KEY`, newest first. If empty, the keys are in a file next to the SQLite
    /// database.
    pub server_keys: Vec<ServerKey>,
    /// Divides every delay of the sandbox; greater than zero.
    pub sandbox_speed: f64,
    /// What the sandbox charges.
    pub sandbox_tariffs: Tariffs,
    /// Whether the simulated phone is served.
    pub sandbox_phone: bool,
    /// Whether requests, prompts and addresses are limited.
    pub limits: Limits,
    /// Present if the service terminates TLS itself.
    pub tls: Option<TlsFiles>,
    /// Present if the service orders its certificate from an ACME server. Excludes `tls`.
    pub acme: Option<AcmeSettings>,
    /// The address of the listener that redirects plain HTTP to HTTPS. Port 0 lets the system
    /// choose a port.
    pub http_listen: Option<String>,
    /// The proxies whose forwarding headers are used.
    pub trusted_proxies: Vec<IpNet>,
    /// The largest number of connections, and the timeouts of their steps.
    pub connection_limits: ConnectionLimits,
    /// The address to serve metrics on. Port 0 lets the system choose a port.
    pub metrics_listen: Option<String>,
    /// Whether live webhooks and alerts, and mail servers of accounts, may have private addresses.
    pub allow_private_webhooks: bool,
    /// How long live payments are kept before they may be erased.
    pub retention_live: privacy::Retention,
    /// Where the dashboard is.
    pub dashboard: DashboardPlace,
    /// The origin under which browsers reach the dashboard. If absent, it is that of its listener.
    pub dashboard_url: Option<PublicUrl>,
    /// The digest of the token that signs in to the demo's dashboard; `None` in a service.
    pub demo_link: Option<SecretDigest>,
    /// The operators, and which of them serves what.
    pub operators: ConfiguredOperators,
    /// An emulator in place of the operators that people connect in the dashboard.
    pub operator_emulator: Option<Url>,
    /// The server for e-mail; without it no e-mail is sent.
    pub mail: Option<MailSettings>,
    /// The sign-in provider of the dashboard; without it people sign in here only.
    pub oidc: Option<OidcSettings>,
}

impl Config {
    /// The default settings with this database.
    #[must_use]
    pub fn new(database: impl Into<Database>) -> Self {
        Self {
            listen: "127.0.0.1:8080".to_owned(),
            public_url: None,
            database: database.into(),
            server_keys: Vec::new(),
            sandbox_speed: 1.0,
            sandbox_tariffs: Tariffs::default(),
            sandbox_phone: false,
            limits: Limits::On(Rates::default()),
            tls: None,
            acme: None,
            http_listen: None,
            trusted_proxies: Vec::new(),
            connection_limits: ConnectionLimits::default(),
            metrics_listen: None,
            allow_private_webhooks: false,
            retention_live: privacy::RETENTION_LIVE,
            dashboard: DashboardPlace::default(),
            dashboard_url: None,
            demo_link: None,
            operators: ConfiguredOperators::default(),
            operator_emulator: None,
            mail: None,
            oidc: None,
        }
    }

    /// Merges the command line with the file, and validates. The command line wins.
    ///
    /// # Errors
    /// Every fault, each as a sentence that names the setting.
    pub fn resolve(
        flags: RawSettings,
        database: Option<String>,
        file: Option<&Path>,
    ) -> Result<Self, Vec<String>> {
        let settings = match file {
            Some(path) => flags.or(read(path).map_err(|fault| vec![fault])?),
            None => flags,
        };
        let mut faults = Vec::new();
        let mut keep = |fault: String| faults.push(fault);
        let mut config = Self::new(PathBuf::new());
        if let Some(listen) = settings.listen {
            config.listen = listen;
        }
        match database.or(settings.database).as_deref().unwrap_or(DEFAULT_DATABASE).parse() {
            Ok(database) => config.database = database,
            Err(fault) => keep(fault),
        }
        match settings.public_url.as_deref().map(|text| origin("public-url", text)).transpose() {
            Ok(url) => config.public_url = url,
            Err(fault) => keep(fault),
        }
        match settings.sandbox_speed.as_deref().map(sandbox_speed).transpose() {
            Ok(speed) => config.sandbox_speed = speed.unwrap_or(1.0),
            Err(fault) => keep(fault),
        }
        match settings.limits.map(LimitSettings::resolve).transpose() {
            Ok(limits) => config.limits = limits.unwrap_or(config.limits),
            Err(all) => all.into_iter().for_each(&mut keep),
        }
        match tls_files::read(settings.tls_cert, settings.tls_key) {
            Ok(files) => config.tls = files,
            Err(fault) => keep(fault),
        }
        let acme = RawAcme {
            names: settings.acme,
            directory: settings.acme_directory,
            root: settings.acme_root,
            eab: settings.acme_eab,
            contact: settings.acme_contact,
            challenge: settings.acme_challenge,
        };
        match acme.resolve(config.tls.is_some(), settings.http_listen.is_some()) {
            Ok(acme) => config.acme = acme,
            Err(all) => all.into_iter().for_each(&mut keep),
        }
        config.http_listen = settings.http_listen;
        match settings.trusted_proxies.as_deref().map(parse_trusted).transpose() {
            Ok(networks) => config.trusted_proxies = networks.unwrap_or_default(),
            Err(fault) => keep(fault),
        }
        match settings.retention_live.as_deref().map(privacy::parse_retention).transpose() {
            Ok(time) => config.retention_live = time.unwrap_or(config.retention_live),
            Err(fault) => keep(format!("retention-live: {fault}")),
        }
        match ConfiguredOperators::read(settings.operators, settings.routes, settings.networks) {
            Ok(operators) => config.operators = operators,
            Err(all) => all.into_iter().for_each(&mut keep),
        }
        match read_sandbox(settings.sandbox) {
            Ok(tariffs) => config.sandbox_tariffs = tariffs,
            Err(all) => all.into_iter().for_each(&mut keep),
        }
        match settings.mail.map(MailSettings::read).transpose() {
            Ok(mail) => config.mail = mail,
            Err(all) => all.into_iter().for_each(&mut keep),
        }
        match settings.oidc.map(OidcSettings::read).transpose() {
            Ok(oidc) => config.oidc = oidc,
            Err(all) => all.into_iter().for_each(&mut keep),
        }
        match server_keys_of_environment() {
            Ok(keys) => config.server_keys = keys,
            Err(fault) => keep(fault),
        }
        match DashboardPlace::resolve(settings.dashboard.as_deref(), settings.dashboard_listen) {
            Ok(place) => config.dashboard = place,
            Err(fault) => keep(fault),
        }
        match settings
            .dashboard_url
            .as_deref()
            .map(|text| origin("dashboard-url", text))
            .transpose()
        {
            Ok(Some(_)) if config.dashboard == DashboardPlace::Off => {
                keep("dashboard-url: it needs a dashboard, and --dashboard is off".to_owned());
            }
            Ok(url) => config.dashboard_url = url,
            Err(fault) => keep(fault),
        }
        config.metrics_listen = settings.metrics_listen;
        config.sandbox_phone = settings.sandbox_phone.unwrap_or(false);
        config.allow_private_webhooks = settings.allow_private_webhooks.unwrap_or(false);
        match config.public_url_at(&config.listen) {
            Ok(url) => {
                config.operators.check_base_urls(&url).into_iter().for_each(&mut keep);
                let emulator = parse_emulator_url(settings.operator_emulator.as_deref(), &url);
                config.operator_emulator = emulator.unwrap_or_else(|fault| {
                    keep(fault);
                    None
                });
            }
            Err(fault) => keep(fault),
        }
        if faults.is_empty() { Ok(config) } else { Err(faults) }
    }

    /// Whether the service terminates TLS itself.
    #[must_use]
    pub const fn is_tls(&self) -> bool {
        self.tls.is_some() || self.acme.is_some()
    }

    /// The file of the server keys; `None` if they are given.
    #[must_use]
    pub fn key_file(&self) -> Option<PathBuf> {
        match &self.database {
            Database::Sqlite(path) if self.server_keys.is_empty() => Some(server_key_path(path)),
            _ => None,
        }
    }

    /// The server keys: the given ones, or those in the file next to the database file.
    ///
    /// # Errors
    /// A sentence that names the missing setting, or says why the keys cannot be read, written or
    /// agreed with the database.
    pub async fn open_key_ring(&self, log: &dyn AuditLog) -> Result<KeyRing, String> {
        self.require_server_key()?;
        let file = self.key_file();
        let source = file.as_deref().map_or(KeySource::Given(&self.server_keys), KeySource::File);
        key_file::open_key_ring(source, log).await
    }

    /// Checks that there is a server key where no file can have it.
    ///
    /// # Errors
    /// A sentence that names the missing setting.
    pub fn require_server_key(&self) -> Result<(), String> {
        match &self.database {
            Database::Postgres(_) if self.server_keys.is_empty() => {
                Err("TUA_SERVER_KEY: required with PostgreSQL, and the same on all nodes; create \
                    one with `openssl rand -base64 32 | tr +/ -_`"
                    .to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// The database if no setting names one: a SQLite file in the working directory.
pub const DEFAULT_DATABASE: &str = "sqlite://tua.db";

/// Parses `TUA_SERVER_KEY`.
///
/// # Errors
/// A sentence that names the setting and never repeats the value.
pub fn server_keys_of_environment() -> Result<Vec<ServerKey>, String> {
    let text = std::env::var("TUA_SERVER_KEY").ok().filter(|text| !text.is_empty());
    let keys = text.map(|text| ServerKey::parse_list(&text)).transpose();
    keys.map(Option::unwrap_or_default).map_err(|fault| format!("TUA_SERVER_KEY: {fault}"))
}

fn read(path: &Path) -> Result<RawSettings, String> {
    let with_path = |error: &dyn std::fmt::Display| {
        format!("config {}: {}", path.display(), error.to_string().trim().replace('\n', " "))
    };
    let text = fs::read_to_string(path).map_err(|error| with_path(&error))?;
    // Editors of Windows put a byte order mark before the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    parse(text).map_err(|error| with_path(&toml_fault::describe(text, &error)))
}

/// Parses the TOML of a settings file. A setting with an unknown name is an error.
pub fn parse(text: &str) -> Result<RawSettings, toml::de::Error> {
    toml::from_str(text)
}

/// Reads an origin. `setting` names it in the fault.
fn origin(setting: &str, text: &str) -> Result<PublicUrl, String> {
    let fault = || format!("{setting}: {text:?} is not an origin such as https://pay.example");
    PublicUrl::parse(text).ok_or_else(fault)
}

fn sandbox_speed(text: &str) -> Result<f64, String> {
    f64::from_str(text)
        .ok()
        .filter(|speed| (0.001..=1_000_000.0).contains(speed))
        .ok_or_else(|| format!("sandbox-speed: {text:?} is not a number from 0.001 to 1000000"))
}

#[cfg(test)]
mod tests;
