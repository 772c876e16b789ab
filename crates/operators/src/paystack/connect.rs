//! Connects the settings of a Paystack account.

use super::{connector::Paystack, settings::Settings};
use crate::{
    connection::Connection,
    connector::{ConnectorSettings, Target},
    environment::Environment,
};
use std::sync::Arc;
use tua_domain::ports::Operator;

impl ConnectorSettings for Settings {
    /// Both environments have the same address; the key chooses the environment.
    fn default_base_url(&self, _: Environment) -> &str {
        "https://api.paystack.co"
    }

    fn connect(&self, target: Target) -> Result<Arc<dyn Operator>, String> {
        let connection = Connection::new(target.connection, target.parts)?;
        Ok(Arc::new(Paystack::new(
            self.clone(),
            target.environment,
            connection,
            target.callback_url,
        )))
    }
}
