//! How the statements of all operators of the settings are written.

use std::{collections::BTreeMap, sync::Arc};
use tua_domain::routing::OperatorName;
use tua_operators::{configured::ConfiguredOperators, statement_columns::StatementColumns};

/// The form of each operator's statements, by its name in the settings.
#[derive(Clone, Debug, Default)]
pub struct StatementForms(Arc<BTreeMap<OperatorName, StatementColumns>>);

impl StatementForms {
    /// Those of the settings.
    #[must_use]
    pub fn of(configured: &ConfiguredOperators) -> Self {
        let forms =
            configured.operators.iter().map(|one| (one.pin.name.clone(), one.statement.clone()));
        Self(Arc::new(forms.collect()))
    }

    /// That of an operator.
    #[must_use]
    pub fn get(&self, operator: &OperatorName) -> Option<&StatementColumns> {
        self.0.get(operator)
    }
}
