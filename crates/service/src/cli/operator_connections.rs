//! Operators, connected as the service does.

use super::{context::open_existing_database, fault::Fault};
use crate::connected_operators::operator_connections;
use futures_util::future::join_all;
use std::sync::Arc;
use tokio::sync::mpsc;
use tua_config::Config;
use tua_domain::{
    change_notifier::ChangeNotifier,
    exchange::Exchange,
    key_ring::KeyRing,
    ports::{ConnectedOperators, ExchangeRecorder},
    routing::{OperatorEntry, Operators},
    simulated_phone::SimulatedPhone,
};
use tua_operators::{
    configured::ConfiguredOperator,
    connection::ConnectionParts,
    sandbox::{Sandbox, orders::SandboxOrders},
};
use tua_system::clock::SystemClock;
use tua_use_cases::{OperatorChecks, callbacks::callback_path};

/// Evidence is kept by the service only: these commands concern no payment.
#[derive(Debug)]
struct NoEvidence;

impl ExchangeRecorder for NoEvidence {
    fn record(&self, _: Exchange) {}
}

/// Connects the operators of the settings, with the server keys that the addresses of callbacks
/// need.
pub(super) async fn connect(config: &Config) -> Result<(Operators, KeyRing), Fault> {
    let store = open_existing_database(config.database.clone()).await?;
    let keys = config.open_key_ring(store.as_ref()).await?;
    Ok((connect_with(config, &keys)?, keys))
}

/// Connects the operators of the settings.
pub(super) fn connect_with(config: &Config, keys: &KeyRing) -> Result<Operators, String> {
    let parts = ConnectionParts { clock: Arc::new(SystemClock), recorder: Arc::new(NoEvidence) };
    let public_url = config.public_url_at(&config.listen)?;
    config
        .operators
        .connect(&parts, |name| format!("{public_url}{}", callback_path(name.as_str(), keys)))
}

/// Connects the operators of the settings and the sandbox, as the service does, to choose among
/// them.
fn connect_with_sandbox(
    config: &Config,
    orders: Arc<dyn SandboxOrders>,
    keys: &KeyRing,
) -> Result<Operators, String> {
    // Nobody waits for the sandbox's callbacks: choosing an operator sends nothing.
    let (callbacks, _) = mpsc::unbounded_channel();
    let sandbox = Sandbox {
        orders,
        clock: Arc::new(SystemClock),
        speed: config.sandbox_speed,
        phone: SimulatedPhone::new(config.sandbox_phone),
        callbacks,
        changes: Arc::default(),
    };
    let operators = connect_with(config, keys)?.with_test(Arc::new(sandbox));
    Ok(operators.with_sandbox_tariffs(config.sandbox_tariffs.clone()))
}

/// As [`connect_with_sandbox`]. What some operators take, and whether they are available, is known
/// only after they were asked.
pub(super) async fn connect_and_refresh(
    config: &Config,
    store: Arc<dyn ConnectedOperators>,
    orders: Arc<dyn SandboxOrders>,
    keys: &KeyRing,
) -> Result<Operators, Fault> {
    let operators = connect_with_sandbox(config, orders, keys)?;
    load_connected(config, store, keys, &operators).await?;
    join_all(operators.entries().iter().map(|entry| entry.operator.refresh())).await;
    Ok(operators)
}

/// Adds the operators that people connected in the dashboard.
pub(super) async fn load_connected(
    config: &Config,
    store: Arc<dyn ConnectedOperators>,
    keys: &KeyRing,
    operators: &Operators,
) -> Result<(), Fault> {
    let clock = Arc::new(SystemClock);
    let parts = ConnectionParts { clock: clock.clone(), recorder: Arc::new(NoEvidence) };
    let public_url = config.public_url_at(&config.listen)?;
    // This process changes none of them, so it publishes nothing.
    let checks = OperatorChecks { clock, changes: Arc::new(ChangeNotifier::new().0) };
    let connected = (operators, checks);
    let connections = operator_connections(config, parts, &public_url, keys, store, connected);
    connections.load().await.map_err(Fault::from)
}

/// The operator of the settings with this name.
pub(super) fn find_operator<'a>(
    config: &'a Config,
    name: &str,
) -> Result<&'a ConfiguredOperator, String> {
    let found =
        config.operators.operators.iter().find(|operator| operator.pin.name.as_str() == name);
    found
        .ok_or_else(|| format!("operator {name}: the settings have no such operator; see --config"))
}

/// The connected operator with this name.
pub(super) fn settings_operator<'a>(
    operators: &'a Operators,
    name: &str,
) -> Result<&'a OperatorEntry, String> {
    operators
        .named(name)
        .map(AsRef::as_ref)
        .ok_or_else(|| format!("operator {name}: it is not connected"))
}
