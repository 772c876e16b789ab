//! `tua demo`: runs the service, a demo shop that is paid through it, and a simulated phone.

use super::{context::Common, fault::Fault, stop_signals::install_stop_signals};
use clap::Args;
use std::{fs, net::SocketAddr, path::PathBuf, sync::Arc};
use tokio::net::TcpListener;
use tua_companion::catalogue::Catalogue;
use tua_config::Config;
use tua_domain::{
    Mode,
    ports::Clock,
    routing::Operators,
    secret::{SecretDigest, new_credential},
};
use tua_metrics::StoreMetrics;
use tua_store::database::{Database, Opened};
use tua_system::clock::SystemClock;

mod history;
mod merchant;
mod ready;
mod rehearsal;
mod shop;

use merchant::{KeyFile, Merchant};
use ready::Ready;
use rehearsal::Rehearsal;

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

impl Demo {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
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
        let catalogue = Catalogue::parse(shop::CATALOGUE).map_err(|faults| faults.join("; "))?;
        let mut has_new_history = false;
        let settings = config.clone();
        let open = async |database: &Database, metrics: StoreMetrics| {
            let opened = database.open(metrics).await?;
            has_new_history = self.write_history(&settings, &opened, &catalogue).await?;
            Ok(opened)
        };
        let running =
            crate::start_around(config, Arc::new(SystemClock), |all| self.operators(all), open)
                .await?;
        if let Some(rehearsal) = &rehearsal {
            rehearsal.connect(&running);
        }
        let api = running.public_url().to_owned();
        let keys = running.idempotency.keys.clone();
        let merchant = Merchant::new(&running.store, keys, running.clock.clone());
        let key = merchant.companion_key(&self.key_file()).await?;
        let found = merchant.find(&key).await?.ok_or("the demo has no account")?;
        merchant.add_owner(&found.scope.account).await?;
        let dashboard =
            format!("{}/dashboard/demo/{link}", running.dashboard_url().unwrap_or(&api));
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

        let ready = Ready {
            shop: format!("http://{shop_address}"),
            phone: format!("{api}/sandbox/phone"),
            api,
            dashboard,
            operators: rehearsal.as_ref().map(Rehearsal::page),
            has_new_history,
        };
        ready.print(&common)?;
        self.open_shop(&ready.shop);
        stop.await;
        running.stop().await;
        if let Some(rehearsal) = rehearsal {
            rehearsal.stop().await;
        }
        shop_server
            .await
            .map_err(|error| error.to_string())?
            .map_err(|error| format!("the shop stopped: {error}").into())
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

    /// The operators of the service. Payments are pinned to the sandbox, which has statements;
    /// those of a rehearsal are pinned to emulated operators.
    fn operators(&self, operators: Operators) -> Operators {
        if self.live_rehearsal { operators } else { operators.with_pinned_sandbox() }
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

    fn key_file(&self) -> KeyFile {
        let mode = self.mode();
        let name = match mode {
            Mode::Live => "companion-live.key",
            Mode::Test => "companion.key",
        };
        KeyFile { path: self.data_dir.join(name), mode }
    }

    /// Writes the history of the shop to an unused database. A rehearsal has none: its
    /// payments are live ones. Returns whether it was written.
    async fn write_history(
        &self,
        config: &Config,
        opened: &Opened,
        catalogue: &Catalogue,
    ) -> Result<bool, String> {
        if self.live_rehearsal || !history::is_unused(opened).await? {
            return Ok(false);
        }
        let keys = config.open_key_ring(opened.store.as_ref()).await?;
        let now = SystemClock.now();
        history::write(opened.clone(), keys, catalogue.clone(), self.key_file(), now).await?;
        Ok(true)
    }

    fn open_shop(&self, shop: &str) {
        if self.open
            && let Err(error) = open::that_detached(shop)
        {
            tracing::warn!(%error, "cannot open a browser; open the shop's address yourself");
        }
    }
}

/// The database that the command line names. The demo gives out keys, and signs everybody in who
/// has its link. So it never joins a service whose settings are in the environment, and has a
/// database and a server key of its own then.
fn named_database(common: &Common) -> Option<String> {
    let variable = std::env::var("TUA_DATABASE").ok().filter(|url| !url.is_empty());
    if variable.is_some() && common.database == variable {
        tracing::info!(
            "the demo has its own database in --data-dir: TUA_DATABASE and TUA_SERVER_KEY are not \
             used"
        );
        return None;
    }
    common.database.clone()
}

/// The address of another listener of the demo: the service's, with a port that is `offset` higher.
fn address_with_offset(service: SocketAddr, offset: u16) -> SocketAddr {
    let port = match service.port() {
        0 => 0,
        port => port.checked_add(offset).unwrap_or(port - offset),
    };
    SocketAddr::new(service.ip(), port)
}
