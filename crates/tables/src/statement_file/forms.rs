//! How the statements of all operators of the settings are written.

use std::{collections::BTreeMap, sync::Arc};
use tua_domain::routing::{EntrySource, OperatorEntry, OperatorName};
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

    /// That of a connected operator. The sandbox, and operators that people connected in the
    /// dashboard, have the form that the settings have without columns of their own.
    #[must_use]
    pub fn of_entry(&self, entry: &OperatorEntry) -> StatementColumns {
        match entry.source {
            EntrySource::Settings => self.get(&entry.pin.name).cloned().unwrap_or_default(),
            EntrySource::Dashboard(_) => StatementColumns::default(),
        }
    }

    /// That of an operator of the settings.
    #[must_use]
    pub fn get(&self, operator: &OperatorName) -> Option<&StatementColumns> {
        self.0.get(operator)
    }
}
