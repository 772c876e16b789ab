//! The operator that a name stands for. Statements, days and balances belong to an operator
//! account, and an entry of the settings can be renamed (docs/reference/statements.md#closed-days).

use crate::cli::context::{Common, open_existing_database};
use std::{path::Path, sync::Arc};
use tua_config::{Config, RawSettings};
use tua_domain::{
    ports::Store,
    routing::{OperatorFingerprint, OperatorName, OperatorPin},
};

/// The settings, and the database that they name.
pub(super) async fn open(
    common: &Common,
    config: Option<&Path>,
) -> Result<(Config, Arc<dyn Store>), String> {
    let config = Config::resolve(RawSettings::default(), common.database.clone(), config);
    let config = config.map_err(|faults| faults.join("; "))?;
    let store = open_existing_database(config.database.clone()).await?;
    Ok((config, store))
}

/// The operator with this name in the settings, or else the only one that the database has under
/// it.
pub(super) async fn find_pin(
    config: &Config,
    store: &dyn Store,
    name: &OperatorName,
) -> Result<OperatorPin, String> {
    if let Some(found) =
        config.operators.operators.iter().find(|operator| operator.pin.name == *name)
    {
        return Ok(found.pin.clone());
    }
    let mut found: Vec<OperatorFingerprint> =
        store.operators_named(name).await.map_err(|error| error.to_string())?;
    match (found.pop(), found.is_empty()) {
        (Some(fingerprint), true) => Ok(OperatorPin { name: name.clone(), fingerprint }),
        (Some(_), false) => Err(format!(
            "operator {name}: the database has several operators under this name; --config names \
             the settings with the wanted one"
        )),
        (None, _) => Err(format!(
            "operator {name}: the database has nothing of this operator; --config names the \
             settings with it"
        )),
    }
}
