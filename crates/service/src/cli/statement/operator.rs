//! The operator that a name stands for. Statements, days and balances belong to an operator
//! account, and an entry of the settings can be renamed (docs/reference/statements.md#closed-days).

use tua_config::Config;
use tua_domain::routing::{OperatorFingerprint, OperatorName, PinnedOperator};
use tua_use_cases::Statements;

/// The operator with this name in the settings, or else the only one that the database has under
/// it.
pub(super) async fn find_pin(
    config: &Config,
    statements: &Statements,
    name: &OperatorName,
) -> Result<PinnedOperator, String> {
    if let Some(found) =
        config.operators.operators.iter().find(|operator| operator.pin.name == *name)
    {
        return Ok(found.pin.clone());
    }
    let mut found: Vec<OperatorFingerprint> =
        statements.operators_named(name).await.map_err(|error| error.to_string())?;
    match (found.pop(), found.is_empty()) {
        (Some(fingerprint), true) => Ok(PinnedOperator { name: name.clone(), fingerprint }),
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
