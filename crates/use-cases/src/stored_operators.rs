//! The operators that people connected, for commands that run beside the service.

use std::sync::Arc;
use tua_domain::{
    connected_operator::ConnectedOperator,
    ports::{self, StoreError},
};

/// Reads the operators that people connected in the dashboard, of all accounts.
#[derive(Clone, Debug)]
pub struct StoredOperators {
    /// Where they are stored.
    pub store: Arc<dyn ports::ConnectedOperators>,
}

impl StoredOperators {
    /// All of them, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self) -> Result<Vec<ConnectedOperator>, StoreError> {
        self.store.connected_operators(None).await
    }

    /// Those that have this name or this id. Several accounts can use one name.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, name_or_id: &str) -> Result<Vec<ConnectedOperator>, StoreError> {
        let is_meant = |operator: &ConnectedOperator| {
            operator.id.as_str() == name_or_id || operator.name.as_str() == name_or_id
        };
        let mut operators = self.list().await?;
        operators.retain(is_meant);
        Ok(operators)
    }
}
