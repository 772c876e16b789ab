//! The nodes that serve one database: the [`Nodes`] port.

use crate::{fault_injection::port_impl, sqlite::SqliteStore};
use std::sync::atomic::Ordering;
use tua_domain::ports::{ClusterLink, Nodes, StoreError};

port_impl! {
    impl Nodes for SqliteStore {
        async fn changed_externally(&self) -> Result<bool, StoreError> {
            // On the writer's connection: `data_version` changes with the commits of other
            // connections only.
            let sql = "PRAGMA data_version";
            let version = self
                .writer
                .write(move |db| db.prepare_cached(sql)?.query_row([], |row| row.get(0)))
                .await?;
            Ok(self.last_data_version.swap(version, Ordering::Relaxed) != version)
        }

        fn cluster_link(&self) -> Option<&dyn ClusterLink> {
            None
        }
    }
}
