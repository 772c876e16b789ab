//! The [`Retention`] port.

use crate::{
    in_doubt::InDoubt,
    postgres::{PostgresStore, prune},
};
use async_trait::async_trait;
use tua_domain::{
    ports::{Retention, StoreError},
    retention::{Horizon, Pruned},
};

#[async_trait]
impl Retention for PostgresStore {
    async fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError> {
        self.tx
            .write(InDoubt::Retry, |db| async move { prune::prune(&db, horizon, limit).await })
            .await
    }
}
