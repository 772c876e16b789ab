//! The [`Retention`] port.

use crate::sqlite::{SqliteStore, prune};
use async_trait::async_trait;
use tua_domain::{
    ports::{Retention, StoreError},
    retention::{Horizon, Pruned},
};

#[async_trait]
impl Retention for SqliteStore {
    async fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError> {
        self.writer.write(move |db| prune::prune(db, horizon, limit)).await
    }
}
