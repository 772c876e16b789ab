//! The operator that a name stands for: one of the settings, or one that people connected in the
//! dashboard.

use super::{
    fault::Fault,
    operator_connections::{connect_with, load_connected},
    operator_row::OperatorRow,
};
use std::sync::Arc;
use tua_config::Config;
use tua_domain::{
    connected_operator::ConnectedOperator, key_ring::KeyRing, ports::ConnectedOperators,
    routing::OperatorEntry,
};
use tua_operators::configured::ConfiguredOperator;
use tua_use_cases::{StoredOperators, callbacks::callback_path};

/// An operator, found by its name or its id.
pub(super) enum NamedOperator<'a> {
    /// One of the settings, which go first.
    Settings(&'a ConfiguredOperator),
    /// One of an account.
    Dashboard(Box<ConnectedOperator>),
}

/// Finds an operator by its name, or one of the dashboard by its id.
///
/// # Errors
/// One line: there is none, or several accounts have connected one with this name.
pub(super) async fn find_named<'a>(
    config: &'a Config,
    operators: &StoredOperators,
    name: &str,
) -> Result<NamedOperator<'a>, Fault> {
    let mut of_settings = config.operators.operators.iter();
    if let Some(found) = of_settings.find(|one| one.pin.name.as_str() == name) {
        return Ok(NamedOperator::Settings(found));
    }
    let mut found = operators.find(name).await?.into_iter();
    match (found.next(), found.next()) {
        (Some(found), None) => Ok(NamedOperator::Dashboard(Box::new(found))),
        (None, _) => Err(Fault::not_found(format!(
            "operator {name}: neither the settings nor the dashboard have it; see --config and \
             --database"
        ))),
        (Some(one), Some(other)) => Err(format!(
            "operator {name}: several accounts have connected one with this name; take its id, \
             such as {} of {} or {} of {}",
            one.id, one.account, other.id, other.account
        )
        .into()),
    }
}

impl NamedOperator<'_> {
    pub(super) fn row(&self) -> OperatorRow {
        match self {
            Self::Settings(operator) => OperatorRow::of_settings(operator),
            Self::Dashboard(operator) => OperatorRow::of_dashboard(operator),
        }
    }

    /// Connects it, as the service does.
    ///
    /// # Errors
    /// One line: its credentials were not checked or cannot be read.
    pub(super) async fn connect(
        &self,
        config: &Config,
        store: Arc<dyn ConnectedOperators>,
        keys: &KeyRing,
    ) -> Result<Arc<OperatorEntry>, Fault> {
        let operators = connect_with(config, keys)?;
        let pin = match self {
            Self::Settings(operator) => operator.pin.clone(),
            Self::Dashboard(operator) => {
                if operator.checked_at.is_none() {
                    return Err(format!(
                        "operator {}: no check has accepted its credentials; check it in the \
                         dashboard",
                        operator.name
                    )
                    .into());
                }
                load_connected(config, store, keys, &operators).await?;
                operator.pin()
            }
        };
        operators.entry_of(&pin).ok_or_else(|| {
            format!(
                "operator {}: its stored credentials cannot be read; replace them in the dashboard",
                pin.name
            )
            .into()
        })
    }

    /// The address for its callbacks, which has a secret.
    pub(super) fn callback_url(&self, public_url: &str, keys: &KeyRing) -> String {
        let name = match self {
            Self::Settings(operator) => operator.pin.name.as_str(),
            Self::Dashboard(operator) => operator.id.as_str(),
        };
        format!("{public_url}{}", callback_path(name, keys))
    }
}
