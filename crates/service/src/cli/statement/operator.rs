//! The operator that a name stands for. Statements, days and balances belong to an operator
//! account, and an entry of the settings can be renamed (docs/reference/statements.md#closed-days).

use crate::cli::{context::open_existing_database, fault::Fault};
use crate::shared_use_cases::statements;
use tua_config::Config;
use tua_domain::routing::{OperatorFingerprint, OperatorName, PinnedOperator};
use tua_use_cases::{Statements, StoredOperators};

/// The operator with this name in the settings, or else the only one that the database has under
/// it.
pub(super) async fn find_pin(
    config: &Config,
    statements: &Statements,
    name: &OperatorName,
) -> Result<PinnedOperator, Fault> {
    if let Some(found) =
        config.operators.operators.iter().find(|operator| operator.pin.name == *name)
    {
        return Ok(found.pin.clone());
    }
    let mut found: Vec<OperatorFingerprint> = statements.operators_named(name).await?;
    match (found.pop(), found.is_empty()) {
        (Some(fingerprint), true) => Ok(PinnedOperator { name: name.clone(), fingerprint }),
        (Some(_), false) => Err(format!(
            "operator {name}: the database has several operators under this name; --config names \
             the settings with the wanted one"
        )
        .into()),
        (None, _) => Err(format!(
            "operator {name}: the database has nothing of this operator; --config names the \
             settings with it"
        )
        .into()),
    }
}

/// The operator that people connected in the dashboard under this name. No other operator may have
/// the name: neither one that another account connected, nor one of the settings that the database
/// has statements, closed days or the newest ledger entry of.
pub(super) async fn find_connected(
    config: &Config,
    name: &OperatorName,
) -> Result<PinnedOperator, Fault> {
    let store = open_existing_database(config.database.clone()).await?;
    let all = StoredOperators { store: store.clone() }.list().await?;
    let mut pins = all.iter().filter(|one| one.name == *name).map(|one| one.pin());
    let Some(found) = pins.next() else {
        return Err(Fault::not_found(format!(
            "operator {name}: neither the settings nor the dashboard have it; --config names the \
             settings"
        )));
    };
    let others = statements(&store).operators_named(name).await?;
    if pins.next().is_some() || others.iter().any(|other| *other != found.fingerprint) {
        return Err(format!(
            "operator {name}: several operators have this name; --config names the settings with \
             the wanted one, or import the file in the dashboard"
        )
        .into());
    }
    Ok(found)
}
