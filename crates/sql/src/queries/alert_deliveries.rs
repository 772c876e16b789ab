//! Alerts that wait to be sent to channels.

use super::{
    alert_channels::{lock, store_attempt},
    alerts::most_urgent_first,
};
use crate::{
    columns::number,
    rows::{alert, channel, channel_columns},
    sql::{MissingRow, Parameters, RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    MailId,
    alert_channel::{AlertChannel, ChannelDueTimes, ChannelOutcome, LeasedChannel, MessageAlerts},
};

/// What makes a channel due. The parameters: now, and until when alerts have been collected.
macro_rules! due {
    () => {
        "(next_at IS NULL OR next_at <= $1)
         AND EXISTS (SELECT 1 FROM alert_deliveries
                     WHERE channel_id = alert_channels.id AND occurred_at <= $2)"
    };
}

/// Whether a message to a channel is due.
pub async fn is_any_due<S: Sql>(db: &S, due: ChannelDueTimes) -> Result<bool, S::Error> {
    let sql = concat!("SELECT 1 FROM alert_channels WHERE ", due!(), " LIMIT 1");
    Ok(db.query_opt(sql, &[&due.now, &due.occurred_until]).await?.is_some())
}

/// Leases channels that are due: those that work first, and of these live ones. Channels that
/// another node is leasing are left to it.
pub async fn lease<S: Sql>(
    db: &S,
    due: ChannelDueTimes,
    limit: u32,
) -> Result<Vec<LeasedChannel>, S::Error> {
    let sql = concat!(
        "SELECT ",
        channel_columns!(),
        " FROM alert_channels WHERE ",
        due!(),
        " ORDER BY CASE WHEN attempts > 0 THEN 1 ELSE 0 END,
                   CASE mode WHEN 'live' THEN 0 ELSE 1 END, coalesce(next_at, 0), id
          LIMIT $3"
    );
    let parameters: Parameters<'_> = &[&due.now, &due.occurred_until, &limit];
    let found = db.query_locked(sql, RowLock::NoKeyUpdateUnlocked, parameters).await?;
    let mut leased = Vec::new();
    for row in &found {
        let channel = channel(row)?;
        let message_id = MailId::mint().as_str().to_owned();
        let update = "UPDATE alert_channels SET next_at = $2 WHERE id = $1";
        db.execute(update, &[&channel.id.as_str(), &due.leased_until]).await?;
        let mark = "UPDATE alert_deliveries SET message_id = $2 WHERE channel_id = $1";
        db.execute(mark, &[&channel.id.as_str(), &message_id]).await?;
        leased.push(LeasedChannel { channel, message_id, leased_until: due.leased_until });
    }
    Ok(leased)
}

/// The alerts of a message.
pub async fn alerts_of_message<S: Sql>(
    db: &S,
    leased: &LeasedChannel,
    limit: u32,
) -> Result<MessageAlerts, S::Error> {
    let sql = "SELECT count(*) AS alerts FROM alert_deliveries
               JOIN mail_alerts ON mail_alerts.id = alert_id
               WHERE channel_id = $1 AND message_id = $2";
    let id = leased.channel.id.as_str();
    let row = db.query_opt(sql, &[&id, &leased.message_id]).await?;
    let count = number(&row.ok_or(MissingRow)?, "alerts")?;
    let sql = concat!(
        "SELECT account_id, mode, kind, subject, occurred_at FROM mail_alerts
         WHERE id IN (SELECT alert_id FROM alert_deliveries
                      WHERE channel_id = $1 AND message_id = $2) ",
        most_urgent_first!(),
        " LIMIT $3"
    );
    let rows = db.query(sql, &[&id, &leased.message_id, &limit]).await?;
    let alerts = rows.iter().map(alert).collect::<Result<_, S::Error>>()?;
    Ok(MessageAlerts { alerts, count })
}

/// Stores the result of a message, unless the channel was removed. If it was leased again since,
/// only the alerts that were accepted are deleted.
pub async fn record<S: Sql>(
    db: &S,
    leased: &LeasedChannel,
    outcome: &ChannelOutcome,
    now: Timestamp,
) -> Result<(), S::Error> {
    let id = &leased.channel.id;
    let Some(mut channel) = lock(db, None, id).await? else { return Ok(()) };
    let lease_end = channel.next_at.map(Timestamp::as_millisecond);
    let is_leased = lease_end == Some(leased.leased_until.as_millisecond());
    match outcome {
        ChannelOutcome::Accepted | ChannelOutcome::NothingToSend => {
            let sql = "DELETE FROM alert_deliveries WHERE channel_id = $1 AND message_id = $2";
            db.execute(sql, &[&id.as_str(), &leased.message_id]).await?;
        }
        ChannelOutcome::Failed(_) if is_leased => {
            let sql = "DELETE FROM alert_deliveries WHERE channel_id = $1 AND occurred_at <= $2";
            let until = AlertChannel::given_up_until(now);
            let given_up = db.execute(sql, &[&id.as_str(), &until]).await?;
            let given_up = u32::try_from(given_up).unwrap_or(u32::MAX);
            channel.given_up = channel.given_up.saturating_add(given_up);
        }
        ChannelOutcome::Failed(_) => {}
    }
    if !is_leased {
        return Ok(());
    }
    channel.record(outcome, now);
    store_attempt(db, &channel).await
}
