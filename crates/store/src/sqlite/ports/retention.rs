//! What is older than its retention is deleted: the [`Retention`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, prune},
};
use tua_domain::{
    ports::{Retention, StoreError},
    retention::{Horizon, Pruned},
};

port_impl! {
    impl Retention for SqliteStore {
        async fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError> {
            self.writer.write(move |db| prune::prune(db, horizon, limit)).await
        }
    }
}
