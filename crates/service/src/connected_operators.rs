//! Puts together what connects the operators that people connect in the dashboard, for the service
//! and for the commands that begin or decide payments.

use std::sync::Arc;
use tua_config::Config;
use tua_domain::{
    key_ring::KeyRing, ports::ConnectedOperators, public_url::PublicUrl, routing::Operators,
};
use tua_operators::{connection::ConnectionParts, dashboard_connector::DashboardConnector};
use tua_use_cases::{OperatorChecks, OperatorConnections, callbacks::callback_path};

/// The use case on this store, which adds what people connected to these operators.
pub(crate) fn operator_connections(
    config: &Config,
    parts: ConnectionParts,
    public_url: &PublicUrl,
    keys: &KeyRing,
    store: Arc<dyn ConnectedOperators>,
    (operators, checks): (&Operators, OperatorChecks),
) -> OperatorConnections {
    let url = public_url.clone();
    let ring = keys.clone();
    OperatorConnections {
        store,
        connector: Arc::new(DashboardConnector {
            parts,
            emulator: config.operator_emulator.clone(),
            callback_url: Arc::new(move |name| format!("{url}{}", callback_path(name, &ring))),
        }),
        operators: operators.clone(),
        keys: keys.clone(),
        checks,
        loading: Arc::default(),
    }
}
