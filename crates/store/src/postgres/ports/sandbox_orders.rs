//! The methods of the [`tua_operators::sandbox::orders::SandboxOrders`] port that are specific to
//! PostgreSQL.

use crate::postgres::{
    PostgresStore,
    batch_ops::{BatchRead, BatchWrite},
    sandbox::Reference,
};
use tua_domain::ports::StoreError;
use tua_operators::sandbox::orders::Received;

impl PostgresStore {
    /// Inserts an order, together with those of others.
    pub(crate) async fn insert_sandbox_order(
        &self,
        received: Received,
    ) -> Result<bool, StoreError> {
        let Ok(is_inserted) = self.insert_order.submit(BatchWrite(received)).await?;
        Ok(is_inserted)
    }

    /// Finds an order, together with those that others look for.
    pub(crate) async fn find_sandbox_order(
        &self,
        reference: &str,
    ) -> Result<Option<Received>, StoreError> {
        self.find_received.submit(BatchRead(Reference(reference.to_owned()))).await
    }
}
