//! The nodes that share a database: who lives, and what they tell each other.
//!
//! A node lives as long as its listening connection: an advisory lock of that session stands for it, and
//! the server lets go of the lock when the process is gone, without a clock being asked.

use super::{
    PostgresStore,
    db::Db,
    error::{Error, Result},
    server_key,
};
use crate::{
    domain::TransactionId,
    secret::ServerKey,
    store::{
        StoreError,
        cluster_link::{ChangeSubscription, ClusterLink},
        columns::{number, text},
    },
};
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_postgres::Client;

/// Every node's lock is of this class within its schema; its number is made of its name.
macro_rules! class {
    () => {
        "hashtext('tua: nodes of ' || current_schema())"
    };
}

/// The locks of this class that are held, in this database.
macro_rules! held {
    () => {
        concat!(
            "SELECT count(*) FROM pg_locks
             WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid = ",
            class!(),
            "::bigint::bit(32)::bigint::oid AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
    };
}

/// The channel of this schema: notifications are the whole database's.
macro_rules! channel {
    () => {
        "'tua: changes in ' || current_schema()"
    };
}

/// What a notification carries at the most, in bytes (PostgreSQL: less than 8000).
const PAYLOAD: usize = 7_900;

/// Whether a node of this name has its line open.
pub(super) async fn is_alive(db: &Db, instance: &str) -> Result<bool> {
    let sql = concat!(held!(), " AND objid = hashtext($1)::bigint::bit(32)::bigint::oid");
    Ok(count(db, sql, &[&instance]).await? > 0)
}

/// Whether more than one node has its line open: the one that asks has its own.
pub(super) async fn are_others_alive(db: &Db) -> Result<bool> {
    Ok(count(db, held!(), &[]).await? > 1)
}

/// How many nodes have their lines open.
pub(super) async fn alive(client: &Client) -> Result<u32> {
    let row = client.query_one(held!(), &[]).await?;
    Ok(u32::try_from(row.try_get::<_, i64>(0)?).unwrap_or(u32::MAX))
}

async fn count(db: &Db, sql: &str, parameters: super::db::Parameters<'_>) -> Result<i64> {
    db.one(sql, parameters).await?.ok_or(Error::Missing)?.try_get(0).map_err(Error::from)
}

#[async_trait]
impl ClusterLink for PostgresStore {
    async fn verify_server_key(&self, key: &ServerKey) -> std::result::Result<(), String> {
        match server_key::is_the_one(self, key).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!(
                "TUA_SERVER_KEY: it is not the key that database {} was first used with; all nodes need the same",
                self.name
            )),
            Err(error) => Err(format!("database {}: {error}", self.name)),
        }
    }

    async fn join(&self, instance: &str) -> std::result::Result<Box<dyn ChangeSubscription>, StoreError> {
        let (client, told) = self.connector.listen().await?;
        open(&client, instance).await?;
        Ok(Box::new(PostgresSubscription { _client: client, told }))
    }

    async fn publish(&self, changed: &[TransactionId]) -> std::result::Result<(), StoreError> {
        // In transactions of its own that are not waited for on disk: the server ends those that notify
        // one after the other, and a payment must not stand in that queue.
        for payload in payloads(changed) {
            let sql = concat!("SELECT pg_notify(", channel!(), ", $1)");
            let payload = &payload;
            self.sessions.write_relaxed(|db| async move { db.run(sql, &[payload]).await }).await?;
        }
        Ok(())
    }

    async fn versions(&self, ids: &[TransactionId]) -> std::result::Result<Vec<(TransactionId, u32)>, StoreError> {
        let ids: Vec<&str> = ids.iter().map(TransactionId::as_str).collect();
        let ids = &ids;
        let sql = "SELECT id, version FROM transactions WHERE id = ANY($1)";
        self.sessions
            .read(|db| async move {
                let found = db.all(sql, &[ids]).await?;
                found.iter().map(|row| Ok((TransactionId::new(text(row, "id")?), number(row, "version")?))).collect()
            })
            .await
    }
}

async fn open(client: &Client, instance: &str) -> Result<()> {
    let row = client.query_one(concat!("SELECT quote_ident(", channel!(), ")"), &[]).await?;
    let channel: String = row.try_get(0)?;
    client.batch_execute(&format!("LISTEN {channel}")).await?;
    client.execute(concat!("SELECT pg_advisory_lock_shared(", class!(), ", hashtext($1))"), &[&instance]).await?;
    Ok(())
}

/// Ids with spaces between them, in as few notifications as they fit into.
fn payloads(changed: &[TransactionId]) -> Vec<String> {
    let mut payloads: Vec<String> = Vec::new();
    for id in changed.iter().map(TransactionId::as_str) {
        match payloads.last_mut() {
            Some(last) if last.len() + 1 + id.len() <= PAYLOAD => {
                last.push(' ');
                last.push_str(id);
            }
            _ => payloads.push(id.to_owned()),
        }
    }
    payloads
}

/// An open line. Dropped, it hangs up, and the node counts as gone.
#[derive(Debug)]
struct PostgresSubscription {
    _client: Client,
    told: UnboundedReceiver<String>,
}

#[async_trait]
impl ChangeSubscription for PostgresSubscription {
    async fn next(&mut self) -> Option<Vec<TransactionId>> {
        let payload = self.told.recv().await?;
        Some(payload.split(' ').map(TransactionId::new).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_changes_are_told_in_few_notifications() {
        let ids: Vec<TransactionId> = (0..1000).map(|_| TransactionId::mint()).collect();
        let payloads = payloads(&ids);
        assert!(payloads.iter().all(|payload| payload.len() < 8_000) && payloads.len() < 10);
        let told: Vec<TransactionId> =
            payloads.iter().flat_map(|payload| payload.split(' ')).map(TransactionId::new).collect();
        assert_eq!(told, ids);
    }
}
