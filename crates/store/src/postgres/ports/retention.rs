//! What is older than its retention is deleted: the [`Retention`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{PostgresStore, prune},
};
use tua_domain::{
    ports::{Retention, StoreError},
    retention::{Horizon, Pruned},
};

port_impl! {
    impl Retention for PostgresStore {
        async fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError> {
            self.tx
                .write(InDoubt::Retry, |db| async move { prune::prune(&db, horizon, limit).await })
                .await
        }
    }
}
