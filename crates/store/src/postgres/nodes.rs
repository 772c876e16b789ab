//! The nodes that share a database: membership, and messages to each other.
//!
//! Each node holds a shared advisory lock on the connection that it listens on. The server releases
//! the lock when the connection ends, so liveness depends on no clock.

use super::connect::Connector;
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_postgres::Client;
use tua_domain::ports::{ChangeSubscription, ClusterMessage};
use tua_sql::postgres::{
    db::Db,
    error::{Error, Result},
};

/// The first key of the advisory locks of a schema; the second is the hash of the node's name.
macro_rules! class {
    () => {
        "hashtext('tua: nodes of ' || current_schema())"
    };
}

/// Counts the locks that are held in this database.
macro_rules! held {
    () => {
        concat!(
            "SELECT count(*) FROM pg_locks
             WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid = ",
            class!(),
            "::bigint::bit(32)::bigint::oid AND database = (SELECT oid FROM pg_database WHERE \
             datname = current_database())"
        )
    };
}

/// The notification channel of a schema. Notifications reach the whole database.
macro_rules! channel {
    () => {
        "'tua: changes in ' || current_schema()"
    };
}

/// The largest payload of a notification, in bytes. PostgreSQL's limit is 8,000 (NOTIFY).
const MAX_PAYLOAD_BYTES: usize = 7_900;

/// Whether a node of this name is connected.
pub(super) async fn is_alive(db: &Db, instance: &str) -> Result<bool> {
    let sql = concat!(held!(), " AND objid = hashtext($1)::bigint::bit(32)::bigint::oid");
    Ok(count(db, sql, &[&instance]).await? > 0)
}

/// Whether another node is connected.
pub(super) async fn are_others_alive(db: &Db) -> Result<bool> {
    Ok(count(db, held!(), &[]).await? > 1)
}

/// How many nodes are connected.
pub(super) async fn alive(client: &Client) -> Result<u32> {
    let row = client.query_one(held!(), &[]).await?;
    Ok(u32::try_from(row.try_get::<_, i64>(0)?).unwrap_or(u32::MAX))
}

async fn count(
    db: &Db,
    sql: &str,
    parameters: tua_sql::postgres::db::Parameters<'_>,
) -> Result<i64> {
    db.query_opt(sql, parameters).await?.ok_or(Error::MissingRow)?.try_get(0).map_err(Error::from)
}

/// Makes a node a member: listens for the messages of the others, and holds the node's lock.
pub(super) async fn subscribe(
    connector: &Connector,
    instance: &str,
) -> Result<impl ChangeSubscription + use<>> {
    let (client, received) = connector.connect().await?;
    listen_and_lock(&client, instance).await?;
    Ok(PostgresSubscription { _client: client, received, instance: instance.to_owned() })
}

/// Starts to listen for notifications, and takes the lock that shows that the node is alive.
async fn listen_and_lock(client: &Client, instance: &str) -> Result<()> {
    let row = client.query_one(concat!("SELECT quote_ident(", channel!(), ")"), &[]).await?;
    let channel: String = row.try_get(0)?;
    client.batch_execute(&format!("LISTEN {channel}")).await?;
    client
        .execute(
            concat!("SELECT pg_advisory_lock_shared(", class!(), ", hashtext($1))"),
            &[&instance],
        )
        .await?;
    Ok(())
}

/// Sends a payload to all nodes that listen.
pub(super) async fn notify(db: &Db, payload: &str) -> Result<u64> {
    db.execute(concat!("SELECT pg_notify(", channel!(), ", $1)"), &[&payload]).await
}

/// Joins the name of the node and its messages with spaces, into as few payloads as possible.
pub(super) fn payloads(instance: &str, messages: &[ClusterMessage]) -> Vec<String> {
    let mut payloads: Vec<String> = Vec::new();
    for text in messages.iter().map(ClusterMessage::to_text) {
        match payloads.last_mut() {
            Some(last) if last.len() + 1 + text.len() <= MAX_PAYLOAD_BYTES => {
                last.push(' ');
                last.push_str(&text);
            }
            _ => payloads.push(format!("{instance} {text}")),
        }
    }
    payloads
}

/// The messages of a payload; `None` if the node itself published them.
fn messages_for(instance: &str, payload: &str) -> Option<Vec<ClusterMessage>> {
    let (publisher, texts) = payload.split_once(' ')?;
    let messages = || texts.split(' ').filter_map(ClusterMessage::parse).collect();
    (publisher != instance).then(messages)
}

/// A listening connection. Dropping it ends the node's membership.
#[derive(Debug)]
struct PostgresSubscription {
    _client: Client,
    received: UnboundedReceiver<String>,
    /// The node that listens.
    instance: String,
}

#[async_trait]
impl ChangeSubscription for PostgresSubscription {
    async fn next(&mut self) -> Option<Vec<ClusterMessage>> {
        loop {
            let payload = self.received.recv().await?;
            if let Some(messages) = messages_for(&self.instance, &payload) {
                return Some(messages);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::TransactionId;

    #[test]
    fn many_messages_share_few_notifications() {
        let messages: Vec<_> =
            (0..1000).map(|_| ClusterMessage::Changed(TransactionId::mint())).collect();
        let payloads = payloads("a", &messages);
        assert!(payloads.iter().all(|payload| payload.len() < 8_000) && payloads.len() < 10);
        let received = |instance| payloads.iter().filter_map(move |p| messages_for(instance, p));
        assert_eq!(received("b").flatten().collect::<Vec<_>>(), messages);
        assert_eq!(received("a").count(), 0, "a node's own messages are no news to it");
    }
}
