//! Inspects a database for `tua doctor`, without changing it.

use super::{connect::Connector, migrate, nodes::alive, url::PostgresUrl};
use crate::inspection::{
    self, CONTENTS, Contents, Inspection, LIVE_KEYS, WEBHOOK_HEALTH, live_key, webhook_health,
};
use jiff::Timestamp;
use tokio_postgres::Client;
use tua_sql::postgres::error::{Error, Result};

/// Checks that the server can be used; returns what its tables contain and how many nodes are
/// connected.
///
/// # Errors
/// One line that says what is wrong with the server.
pub async fn inspect(
    url: &PostgresUrl,
    now: Timestamp,
) -> std::result::Result<(Inspection, u32), String> {
    let connector = Connector::new(url)?;
    let describe = |error: Error| error.to_string();
    let (client, _) = connector.connect().await.map_err(describe)?;
    migrate::check_server(&connector, &client).await?;
    look(&client, now).await.map_err(describe)
}

async fn look(client: &Client, now: Timestamp) -> Result<(Inspection, u32)> {
    let applied = migrate::applied(client).await?;
    let known = migrate::known();
    let contents = if applied == known { Some(contents(client, now).await?) } else { None };
    Ok((Inspection { applied, known, contents }, alive(client).await?))
}

async fn contents(client: &Client, now: Timestamp) -> Result<Contents> {
    let live_keys = client.query(LIVE_KEYS, &[&now.as_millisecond()]).await?;
    let live_keys = live_keys.iter().map(live_key).collect::<Result<_>>()?;
    let webhooks = client.query(WEBHOOK_HEALTH, &[]).await?;
    let webhooks = webhooks.iter().map(webhook_health).collect::<Result<_>>()?;
    inspection::contents(&client.query_one(CONTENTS, &[]).await?, live_keys, webhooks)
}
