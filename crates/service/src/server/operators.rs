//! Connects the operators: the sandbox, those of the settings, and those that people connected.

use super::shared::Base;
use crate::connected_operators::operator_connections;
use std::sync::Arc;
use tokio::sync::mpsc::{self, Receiver, UnboundedReceiver, UnboundedSender};
use tracing::error;
use tua_config::Config;
use tua_domain::{
    change_notifier::ChangeNotifier,
    exchange::Exchange,
    ports::{CallbackHint, ClusterMessage, ExchangeRecorder},
    routing::{OperatorName, Operators},
};
use tua_operators::{
    connection::ConnectionParts,
    sandbox::{Sandbox, orders::SandboxOrders},
};
use tua_use_cases::{OperatorChecks, OperatorConnections, callbacks::callback_path};
use tua_worker::exchanges;

/// The operators, and what arrives from them.
pub(super) struct ConnectedOperators {
    pub(super) operators: Operators,
    /// Connects, changes and loads the operators that people connect.
    pub(super) connections: OperatorConnections,
    pub(super) sandbox: Arc<Sandbox>,
    pub(super) changes: Arc<ChangeNotifier>,
    /// Where a callback announces the order that it is about.
    pub(super) hints: UnboundedSender<CallbackHint>,
    pub(super) received_hints: UnboundedReceiver<CallbackHint>,
    /// Requests to operators and their responses, for the record.
    pub(super) exchanges: Receiver<Exchange>,
    /// What is published to other nodes.
    pub(super) messages: UnboundedReceiver<ClusterMessage>,
}

/// Connects them. `choose` replaces operators in tests.
///
/// # Errors
/// One line: which setting of which operator is wrong.
pub(super) async fn connect(
    config: &Config,
    base: &Base,
    orders: Arc<dyn SandboxOrders>,
    choose: impl FnOnce(Operators) -> Operators,
) -> Result<ConnectedOperators, String> {
    let Base { store, clock, keys, public_url, .. } = base;
    let (hints, received_hints) = mpsc::unbounded_channel();
    let sandbox = Arc::new(Sandbox {
        orders,
        clock: clock.clone(),
        speed: config.sandbox_speed,
        phone: base.test_settings.phone.clone(),
        callbacks: hints.clone(),
        changes: Arc::default(),
    });
    let (recorder, exchanges) = exchanges::recorder();
    let recorder: Arc<dyn ExchangeRecorder> = Arc::new(recorder);
    let parts = ConnectionParts { clock: clock.clone(), recorder };
    let callback_url =
        |name: &OperatorName| format!("{public_url}{}", callback_path(name.as_str(), keys));
    let operators = config.operators.connect(&parts, callback_url)?.with_test(sandbox.clone());
    let operators = choose(operators.with_sandbox_tariffs(config.sandbox_tariffs.clone()));
    let (changes, messages) = ChangeNotifier::new();
    let changes = Arc::new(changes);
    let checks = OperatorChecks { clock: clock.clone(), changes: changes.clone() };
    let connections =
        operator_connections(config, parts, public_url, keys, store.clone(), (&operators, checks));
    // Before anything is sent or asked. The worker tries again, and until then payments of these
    // operators wait.
    if let Err(error) = connections.load().await {
        error!(%error, "connected operators could not be loaded; trying again");
    }
    Ok(ConnectedOperators {
        operators,
        connections,
        sandbox,
        changes,
        hints,
        received_hints,
        exchanges,
        messages,
    })
}
