//! Inspects a database for `tua doctor`, without changing it.

use super::{
    PostgresUrl,
    connect::Connector,
    error::{Error, Result},
    migrate,
    nodes::alive,
};
use crate::store::{
    columns::moment,
    inspection::{Contents, Inspection},
};
use jiff::Timestamp;
use tokio_postgres::Client;

/// Checks that the server can be used; returns what its tables contain and how many nodes are connected.
///
/// # Errors
/// One line that says what is wrong with the server.
pub async fn inspect(url: &PostgresUrl, now: Timestamp) -> std::result::Result<(Inspection, u32), String> {
    let connector = Connector::new(url)?;
    let describe = |error: Error| error.to_string();
    let (client, _) = connector.listen().await.map_err(describe)?;
    migrate::check_server(&client).await?;
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
                    (SELECT count(*) FROM transactions WHERE ask_at IS NOT NULL AND review_at IS NULL)
                        + (SELECT count(*) FROM transactions WHERE send_at IS NOT NULL),
                    (SELECT count(*) FROM transactions WHERE review_at IS NOT NULL AND status = 'PENDING'),
                    (SELECT count(*) FROM api_keys
                     WHERE mode = 'live' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)),
                    (SELECT expires_at FROM acme WHERE name = 'certificate'),
                    (SELECT contents FROM acme WHERE name = 'order'),
                    (SELECT count(*) FROM webhook_endpoints WHERE disabled_at IS NOT NULL AND removed_at IS NULL),
                    (SELECT count(*) FROM mail_messages WHERE status = 'GIVEN_UP')",
            &[&now.as_millisecond()],
        )
        .await?;
    let count = |index| row.try_get::<_, i64>(index).map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    let (unflagged, flagged) = (count(1)?, count(2)?);
    let newest: Option<i64> = row.try_get(0)?;
    let pending = unflagged.saturating_add(flagged);
    let certificate_expires = row.try_get::<_, Option<i64>>(4)?.and_then(moment);
    let (newest, acme_orders) = (newest.and_then(moment), row.try_get(5)?);
    let (live_keys, disabled_endpoints, mail_given_up) = (count(3)?, count(6)?, count(7)?);
    Ok(Contents {
        newest,
        pending,
        flagged,
        live_keys,
        certificate_expires,
        acme_orders,
        disabled_endpoints,
        mail_given_up,
    })
}
