//! Connects the settings of MTN MoMo.

use super::{
    connector::MtnMomo,
    settings::{Platform, Settings},
};
use crate::{
    connection::Connection,
    connector::{ConnectorSettings, Target},
    environment::Environment,
};
use std::{num::NonZeroU32, sync::Arc};
use tua_domain::ports::Operator;

/// How many status reads MTN answers in a second, from one address (its community's page on
/// callbacks, read 2026-11).
const READS_PER_SECOND: u32 = 150;

impl ConnectorSettings for Settings {
    fn default_base_url(&self, environment: Environment) -> &str {
        match (environment, self.platform) {
            (Environment::Sandbox, _) => "https://sandbox.momodeveloper.mtn.com",
            (Environment::Production, Platform::Legacy) => "https://proxy.momoapi.mtn.com",
            (Environment::Production, Platform::Year2026) => "https://momoapi.momo.africa",
        }
    }

    fn reads_per_second(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(READS_PER_SECOND)
    }

    fn connect(&self, target: Target) -> Result<Arc<dyn Operator>, String> {
        let connection = Connection::new(target.connection, target.parts)?;
        Ok(Arc::new(MtnMomo::new(
            self.clone(),
            target.environment,
            connection,
            target.callback_url,
        )))
    }
}
