//! `tua demo`: runs the service, a demo shop that is paid through it, and a simulated phone.

use super::{context::Common, output, stop_signals::install_stop_signals};
use crate::Running;
use clap::Args;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::net::TcpListener;
use tua_companion::catalogue::Catalogue;
use tua_config::Config;
use tua_dashboard::DEMO_EMAIL;
use tua_domain::{
    Generation, KeyScope, KeyScopes, Mode, Scope,
    audit::Source,
    people::{Role, RoleChanger},
    ports::StoreError,
    secret::{SecretDigest, new_credential},
};
use tua_system::{actor, clock::SystemClock, private_file};
use tua_use_cases::NewKey;

mod rehearsal;
mod shop;

use rehearsal::Rehearsal;

/// The name of the demo's merchant.
const MERCHANT: &str = "Adom Stores";

/// The difference between the ports of the shop and the service, unless --shop-listen is set.
const SHOP_OFFSET: u16 = 10;

/// The difference between the ports of the emulated operators and the service, unless
/// --operators-listen is set.
const OPERATORS_OFFSET: u16 = 20;

#[derive(Args, Debug)]
pub(super) struct Demo {
    /// The address of the service
    #[arg(long, env = "TUA_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The address of the shop [default: ten ports above the service]
    #[arg(long, env = "TUA_SHOP_LISTEN", value_name = "ADDRESS:PORT")]
    shop_listen: Option<SocketAddr>,
    /// The folder for the demo's data
    #[arg(long, env = "TUA_DATA_DIR", value_name = "FOLDER", default_value = ".tua")]
    data_dir: PathBuf,
    /// Divide every delay of the sandbox
    #[arg(long, env = "TUA_SANDBOX_SPEED", value_name = "X", default_value = "1")]
    sandbox_speed: String,
    /// Rehearse live payments: live keys, the real connectors, and an emulator of the operators
    #[arg(long, env = "TUA_LIVE_REHEARSAL")]
    live_rehearsal: bool,
    /// The address of the emulated operators [default: twenty ports above the service]
    #[arg(
        long,
        env = "TUA_OPERATORS_LISTEN",
        value_name = "ADDRESS:PORT",
        requires = "live_rehearsal"
    )]
    operators_listen: Option<SocketAddr>,
    /// Open the shop in a browser
    #[arg(long, env = "TUA_OPEN")]
    open: bool,
}

#[derive(Serialize)]
struct ReadyReport<'a> {
    shop: &'a str,
    api: &'a str,
    phone: &'a str,
    /// The dashboard, with a link that signs in once.
    dashboard: &'a str,
    /// The emulated operators, of a rehearsal.
    #[serde(skip_serializing_if = "Option::is_none")]
    operators: Option<&'a str>,
}

impl Demo {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let with_path =
            |error: std::io::Error| format!("data-dir {}: {error}", self.data_dir.display());
        fs::create_dir_all(&self.data_dir).map_err(with_path)?;
        let shop_address =
            self.shop_listen.unwrap_or_else(|| address_with_offset(self.listen, SHOP_OFFSET));
        let listener = TcpListener::bind(shop_address).await.map_err(|error| {
            format!("shop-listen {shop_address}: {error}; choose another with --shop-listen")
        })?;
        let shop_address = listener.local_addr().map_err(|error| error.to_string())?;

        let stop = install_stop_signals()?;
        let rehearsal = self.rehearsal().await?;
        let config = self.config(&common, rehearsal.as_ref())?;
        let link = new_credential("");
        let config = Config { demo_link: Some(SecretDigest::of(&link)), ..config };
        let running = crate::start(config, Arc::new(SystemClock)).await?;
        if let Some(rehearsal) = &rehearsal {
            rehearsal.connect(&running);
        }
        let api = running.public_url().to_owned();
        let key = self.companion_key(&running).await?;
        let dashboard =
            format!("{}/dashboard/demo/{link}", running.dashboard_url().unwrap_or(&api));
        add_owner(&running, &key).await?;
        let catalogue = Catalogue::parse(shop::CATALOGUE).map_err(|faults| faults.join("; "))?;
        let timeout = tua_companion::Config::TIMEOUT;
        let companion =
            tua_companion::Config::new(&format!("{api}/v1"), key, catalogue, &[], timeout)
                .map_err(|faults| faults.join("; "))?;
        let stopping = running.stopping.clone();
        let shop_server = tokio::spawn({
            let served =
                axum::serve(listener, shop::router(tua_companion::router(companion), &api));
            served.with_graceful_shutdown(async move { stopping.cancelled().await }).into_future()
        });

        let page = rehearsal.as_ref().map(Rehearsal::page);
        self.print_addresses(
            &common,
            &format!("http://{shop_address}"),
            &api,
            &dashboard,
            page.as_deref(),
        )?;
        stop.await;
        running.stop().await;
        if let Some(rehearsal) = rehearsal {
            rehearsal.stop().await;
        }
        shop_server
            .await
            .map_err(|error| error.to_string())?
            .map_err(|error| format!("the shop stopped: {error}"))
    }

    async fn rehearsal(&self) -> Result<Option<Rehearsal>, String> {
        if !self.live_rehearsal {
            return Ok(None);
        }
        let address = self
            .operators_listen
            .unwrap_or_else(|| address_with_offset(self.listen, OPERATORS_OFFSET));
        Rehearsal::start(address).await.map(Some)
    }

    const fn mode(&self) -> Mode {
        if self.live_rehearsal { Mode::Live } else { Mode::Test }
    }

    fn config(&self, common: &Common, rehearsal: Option<&Rehearsal>) -> Result<Config, String> {
        let settings = tua_config::RawSettings {
            listen: Some(self.listen.to_string()),
            sandbox_speed: Some(self.sandbox_speed.clone()),
            sandbox_phone: Some(!self.live_rehearsal),
            ..tua_config::RawSettings::default()
        };
        let settings =
            rehearsal.map_or_else(|| Ok(settings.clone()), |one| one.settings(settings.clone()))?;
        // A rehearsal has live keys, with which the simulated phone is not served.
        let name = if self.live_rehearsal { "rehearsal.db" } else { "demo.db" };
        let own = || format!("sqlite://{}", self.data_dir.join(name).display());
        let requested = named_database(common);
        let is_own = requested.is_none();
        let config = Config::resolve(settings, Some(requested.unwrap_or_else(own)), None);
        let config = config.map_err(|faults| faults.join("; "))?;
        Ok(if is_own { Config { server_keys: Vec::new(), ..config } } else { config })
    }

    /// The companion's secret key, in a private file as a merchant would keep it. It may open
    /// sessions, and cannot pay out. Created again, with a new account, if the key in the file is
    /// no longer valid.
    async fn companion_key(&self, running: &Running) -> Result<SecretString, String> {
        let path = self.data_dir.join(if self.live_rehearsal {
            "companion-live.key"
        } else {
            "companion.key"
        });
        if let Ok(key) = fs::read_to_string(&path) {
            let now = running.clock.now();
            let found = running.api_keys.find(SecretDigest::of(key.trim()), now).await;
            if found.map_err(|error| error.to_string())?.is_some() {
                return Ok(SecretString::from(key.trim()));
            }
        }
        let keys = &running.idempotency.keys;
        let by = actor::audit_context(Source::CommandLine, None, keys, running.clock.now());
        let made = running.accounts.create(MERCHANT.to_owned(), &by).await;
        let new = NewKey {
            scope: Scope {
                account: made.map_err(|error| error.to_string())?.account,
                mode: self.mode(),
            },
            generation: Generation::V2,
            name: Some("companion".to_owned()),
            scopes: KeyScopes::new(&[KeyScope::Collect])
                .unwrap_or_else(|| KeyScopes::all_of(Generation::V2)),
            allowed_addresses: None,
            expires_in: None,
        };
        let created = running.api_keys.create(new, &by).await.map_err(|error| error.to_string())?;
        replace(&path, &created.secret)
            .map_err(|error| format!("key file {}: {error}", path.display()))?;
        Ok(SecretString::from(created.secret))
    }

    fn print_addresses(
        &self,
        common: &Common,
        shop: &str,
        api: &str,
        dashboard: &str,
        operators: Option<&str>,
    ) -> Result<(), String> {
        let phone = format!("{api}/sandbox/phone");
        let rehearsed = |operators: &str| {
            format!(
                "\n  The shop            {shop}/\n  The operators        {operators}/\n  The \
                 dashboard        {dashboard} (signs you in once)\n  The \
                 API              {api}/v1\n\n\
                 Open the shop and pay with 024 123 4567, or with 024 123 0012 and approve on the \
                 operators' page.\n\
                 The keys are live, but an emulator stands for the operators: no real money moves. \
                 Ctrl-C stops everything.\n"
            )
        };
        let sandboxed = || {
            format!(
                "\n  The shop            {shop}/\n  The simulated phone  {phone}\n  The \
                 dashboard        {dashboard} (signs you in once)\n  The \
                 API              {api}/v1\n\n\
                 Open the shop, pay with 024 123 4567, and approve on the phone next to it.\n\
                 No real money moves. Ctrl-C stops everything.\n"
            )
        };
        let text = operators.map_or_else(sandboxed, rehearsed);
        output::print(
            common,
            &ReadyReport { shop, api, phone: &phone, dashboard, operators },
            &text,
        )?;
        if self.open
            && let Err(error) = open::that_detached(shop)
        {
            tracing::warn!(%error, "cannot open a browser; open the shop's address yourself");
        }
        Ok(())
    }
}

/// The database that the command line names. The demo gives out keys, and signs everybody in who
/// has its link. So it never joins a service whose settings are in the environment, and has a
/// database and a server key of its own then.
fn named_database(common: &Common) -> Option<String> {
    let variable = std::env::var("TUA_DATABASE").ok();
    if variable.is_some() && common.database == variable {
        tracing::info!(
            "the demo has its own database in --data-dir: TUA_DATABASE and TUA_SERVER_KEY are not \
             used"
        );
        return None;
    }
    common.database.clone()
}

/// Makes the visitor of the dashboard an owner of the demo's account.
async fn add_owner(running: &Running, key: &SecretString) -> Result<(), String> {
    let to_line = |error: StoreError| error.to_string();
    let digest = SecretDigest::of(key.expose_secret());
    let found = running.api_keys.find(digest, running.clock.now()).await.map_err(to_line)?;
    let account = found.map(|key| key.scope.account).ok_or("the demo has no account")?;
    let by = actor::audit_context(
        Source::CommandLine,
        None,
        &running.idempotency.keys,
        running.clock.now(),
    );
    let email = DEMO_EMAIL.parse()?;
    let changer = RoleChanger::CommandLine;
    let set = running.members.set_role(&email, &account, Role::Owner, &changer, &by).await;
    set.map_err(|error| error.to_string())
}

fn replace(path: &Path, key: &str) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => private_file::write_new(path, key),
    }
}

/// The address of another listener of the demo: the service's, with a port that is `offset` higher.
fn address_with_offset(service: SocketAddr, offset: u16) -> SocketAddr {
    let port = match service.port() {
        0 => 0,
        port => port.checked_add(offset).unwrap_or(port - offset),
    };
    SocketAddr::new(service.ip(), port)
}
