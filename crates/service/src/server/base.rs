//! What the service stands on before it talks to anybody: its database, keys and settings.

use super::shared::Base;
use jiff::Timestamp;
use std::{net::SocketAddr, sync::Arc};
use tua_config::{Config, settings_audit};
use tua_domain::{
    audit::Source,
    enforcement::Enforcement,
    key_ring::KeyRing,
    ports::{Clock, Mailer, Store},
    public_url::PublicUrl,
    simulated_phone::SimulatedPhone,
};
use tua_mail::smtp::SmtpMailer;
use tua_metrics::{Metrics, StoreMetrics};
use tua_net::limits::Limits;
use tua_store::database::{Database, Opened};
use tua_system::actor::audit_context;
use tua_use_cases::{ApiKeys, MailOutbox};
use tua_worker::{
    nodes::{self, NodeSubscription},
    test_settings::TestSettings,
};
use uuid::Uuid;

/// The database, opened, and what was read from it.
pub(super) struct OpenedBase {
    pub(super) base: Base,
    /// The parts of the database for the sandbox.
    pub(super) database: Opened,
    /// Changes on other nodes; `None` on a database file.
    pub(super) subscription: Option<NodeSubscription>,
}

/// Opens the database, and compares the settings with what is in it. `address` is where the service
/// listens.
///
/// # Errors
/// One line that says what is wrong and where.
pub(super) async fn open(
    config: &Config,
    clock: Arc<dyn Clock>,
    address: SocketAddr,
    open_database: impl AsyncFnOnce(&Database, StoreMetrics) -> Result<Opened, String>,
) -> Result<OpenedBase, String> {
    let public_url = config.public_url_at(address)?;
    let mailer = mailer(config, &public_url)?;
    let metrics = Metrics::new(clock.now());
    // Fails before it creates a table.
    config.require_server_key()?;
    let database = open_database(&config.database, metrics.store.clone()).await?;
    let store = database.store.clone();
    let keys = config.open_key_ring(store.as_ref()).await?;
    let instance = Uuid::new_v4().to_string();
    let subscription = nodes::join(store.as_ref(), &instance).await?;
    let test_settings = TestSettings {
        enforcement: Enforcement::new(config.limits != Limits::Off),
        phone: SimulatedPhone::new(config.sandbox_phone),
    };
    let has_mailer = mailer.is_some();
    apply_settings(config, &store, &keys, &test_settings, clock.now(), has_mailer).await?;
    let base = Base {
        store,
        clock,
        keys,
        instance,
        metrics: Arc::new(metrics),
        test_settings,
        public_url,
        mailer,
    };
    Ok(OpenedBase { base, database, subscription })
}

/// Sends e-mail, where the settings name a server.
fn mailer(config: &Config, public_url: &PublicUrl) -> Result<Option<Arc<dyn Mailer>>, String> {
    let Some(settings) = &config.mail else { return Ok(None) };
    Ok(Some(Arc::new(SmtpMailer::new(settings, public_url)?)))
}

/// Refuses settings that contradict the database, and records what changed since the last start.
async fn apply_settings(
    config: &Config,
    store: &Arc<dyn Store>,
    keys: &KeyRing,
    test_settings: &TestSettings,
    now: Timestamp,
    has_mailer: bool,
) -> Result<(), String> {
    let api_keys = ApiKeys {
        accounts: store.clone(),
        audit_log: store.clone(),
        connected_operators: store.clone(),
    };
    test_settings.refuse_live_key(&api_keys, now).await?;
    let mail_outbox = MailOutbox { outbox: store.clone() };
    mail_outbox.turn(has_mailer).await.map_err(|error| error.to_string())?;
    let by = audit_context(Source::Start, None, keys, now);
    settings_audit::record(config, store.as_ref(), &by).await?;
    check_accounts(config, &api_keys, now).await
}

/// Operators of live mode may serve several merchants only as the settings say.
async fn check_accounts(config: &Config, keys: &ApiKeys, now: Timestamp) -> Result<(), String> {
    let accounts = keys.live_accounts(now).await.map_err(|error| error.to_string())?;
    let faults = config.operators.check_accounts(&accounts);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}
