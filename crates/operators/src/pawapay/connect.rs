//! Connects the settings of pawaPay.

use super::{connector::PawaPay, settings::Settings};
use crate::{
    connection::Connection,
    connector::{ConnectorSettings, Target},
    environment::Environment,
};
use std::sync::Arc;
use tua_domain::ports::Operator;

impl ConnectorSettings for Settings {
    fn default_base_url(&self, environment: Environment) -> &str {
        match environment {
            Environment::Production => "https://api.pawapay.io",
            Environment::Sandbox => "https://api.sandbox.pawapay.io",
        }
    }

    fn connect(&self, target: Target) -> Result<Arc<dyn Operator>, String> {
        let connection = Connection::new(target.connection, target.parts)?;
        Ok(Arc::new(PawaPay::new(self.clone(), connection, target.callback_url)))
    }
}
