//! Inspects a database for `tua doctor`, without changing it.

use super::{
    PostgresUrl,
    connect::Connector,
    error::{Error, Result},
    migrate,
    nodes::alive,
};
use crate::{
    columns::moment,
    inspection::{Contents, Inspection, WEBHOOK_HEALTH, WebhookHealth},
};
use jiff::Timestamp;
use tokio_postgres::{Client, Row};
use tua_domain::{AccountId, Mode};

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
    let (client, _) = connector.listen().await.map_err(describe)?;
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
    // Ids sort by time, so the last id belongs to the newest transaction.
    let row = client
        .query_one(
            "SELECT (SELECT created_at FROM transactions ORDER BY id DESC LIMIT 1),
                    (SELECT count(*) FROM transactions WHERE ask_at IS NOT NULL AND review_at IS \
             NULL AND status = 'PENDING')
                        + (SELECT count(*) FROM transactions WHERE send_at IS NOT NULL),
                    (SELECT count(*) FROM transactions WHERE review_at IS NOT NULL AND status = \
             'PENDING'),
                    (SELECT expires_at FROM acme WHERE name = 'certificate'),
                    (SELECT contents FROM acme WHERE name = 'order'),
                    (SELECT count(*) FROM mail_messages WHERE status = 'GIVEN_UP')",
            &[],
        )
        .await?;
    let unflagged = count(&row, 1)?;
    let flagged = count(&row, 2)?;
    Ok(Contents {
        newest: row.try_get::<_, Option<i64>>(0)?.and_then(moment),
        pending: unflagged.saturating_add(flagged),
        flagged,
        live_keys: live_keys(client, now).await?,
        certificate_expires: row.try_get::<_, Option<i64>>(3)?.and_then(moment),
        acme_orders: row.try_get(4)?,
        webhooks: webhooks(client).await?,
        mail_given_up: count(&row, 5)?,
    })
}

async fn live_keys(client: &Client, now: Timestamp) -> Result<Vec<AccountId>> {
    let sql = "SELECT account_id FROM api_keys
               WHERE mode = 'live' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > \
        $1)";
    let rows = client.query(sql, &[&now.as_millisecond()]).await?;
    rows.iter().map(|row| Ok(AccountId::new(row.try_get::<_, String>(0)?))).collect()
}

async fn webhooks(client: &Client) -> Result<Vec<(Mode, WebhookHealth)>> {
    let mut found = Vec::new();
    for row in client.query(WEBHOOK_HEALTH, &[]).await? {
        let health = WebhookHealth {
            disabled_endpoints: count(&row, 1)?,
            abandoned: count(&row, 2)?,
            failing: count(&row, 3)?,
        };
        found.extend(Mode::parse(row.try_get(0)?).map(|mode| (mode, health)));
    }
    Ok(found)
}

fn count(row: &Row, index: usize) -> Result<u32> {
    Ok(u32::try_from(row.try_get::<_, i64>(index)?).unwrap_or(u32::MAX))
}
