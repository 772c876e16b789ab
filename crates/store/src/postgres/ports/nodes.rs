//! The [`Nodes`] port.

use crate::{
    fault_injection::port_impl,
    postgres::{PostgresStore, nodes},
};
use async_trait::async_trait;
use tua_domain::{
    TransactionId,
    ports::{ChangeSubscription, ClusterLink, ClusterMessage, Nodes, StoreError},
};
use tua_sql::columns::{number, text};

port_impl! {
    impl Nodes for PostgresStore {
        /// Every change is published through [`ClusterLink`], also one by the command line.
        async fn changed_externally(&self) -> Result<bool, StoreError> {
            Ok(false)
        }

        fn cluster_link(&self) -> Option<&dyn ClusterLink> {
            Some(self)
        }
    }
}

#[async_trait]
impl ClusterLink for PostgresStore {
    async fn join(&self, instance: &str) -> Result<Box<dyn ChangeSubscription>, StoreError> {
        Ok(Box::new(nodes::subscribe(&self.connector, instance).await?))
    }

    async fn publish(&self, instance: &str, messages: &[ClusterMessage]) -> Result<(), StoreError> {
        // In transactions of their own with asynchronous commit: the server serializes the commits
        // of transactions that notify, and a payment must not wait in that queue.
        for payload in nodes::payloads(instance, messages) {
            let payload = &payload;
            self.tx
                .write_async_commit(|db| async move { nodes::notify(&db, payload).await })
                .await?;
        }
        Ok(())
    }

    async fn versions(
        &self,
        ids: &[TransactionId],
    ) -> Result<Vec<(TransactionId, u32)>, StoreError> {
        let ids: Vec<&str> = ids.iter().map(TransactionId::as_str).collect();
        let ids = &ids;
        let sql = "SELECT id, version FROM transactions WHERE id = ANY($1)";
        self.tx
            .read(|db| async move {
                let found = db.query(sql, &[ids]).await?;
                found
                    .iter()
                    .map(|row| Ok((TransactionId::new(text(row, "id")?), number(row, "version")?)))
                    .collect()
            })
            .await
    }
}
