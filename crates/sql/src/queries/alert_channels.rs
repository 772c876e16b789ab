//! Alert channels, as people manage them.

use super::{alerts::kinds_text, audit, security_notices};
use crate::{
    audit_values,
    columns::number,
    rows::{channel, channel_columns},
    sql::{MissingRow, RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    ChannelId, Scope,
    alert_channel::{AlertChannel, ChannelOutcome, MAX_CHANNELS},
    audit::AuditContext,
    mail::{AlertTopic, SecurityEvent},
    people::Role,
};

/// The channels of an account and mode.
pub async fn list<S: Sql>(db: &S, scope: &Scope) -> Result<Vec<AlertChannel>, S::Error> {
    let sql = concat!(
        "SELECT ",
        channel_columns!(),
        " FROM alert_channels WHERE account_id = $1 AND mode = $2 ORDER BY id"
    );
    let rows = db.query(sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    rows.iter().map(channel).collect()
}

/// Inserts a channel, unless there are as many as there may be.
pub async fn add<S: Sql>(db: &S, new: &AlertChannel, by: &AuditContext) -> Result<bool, S::Error> {
    // Of two that are added at the same time, the second one counts the first.
    let account = new.scope.account.as_str();
    let lock = "SELECT id FROM accounts WHERE id = $1";
    db.query_locked(lock, RowLock::NoKeyUpdate, &[&account]).await?;
    let count =
        "SELECT count(*) AS channels FROM alert_channels WHERE account_id = $1 AND mode = $2";
    let row = db.query_opt(count, &[&account, &new.scope.mode.as_str()]).await?;
    if number::<_, u32>(&row.ok_or(MissingRow)?, "channels")? >= MAX_CHANNELS {
        return Ok(false);
    }
    let sql = "INSERT INTO alert_channels
             (id, account_id, mode, service, target, shown, language, topics, kinds, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    db.execute(
        sql,
        &[
            &new.id.as_str(),
            &account,
            &new.scope.mode.as_str(),
            &new.service.as_str(),
            &new.target.as_bytes(),
            &new.shown,
            &new.language.as_str(),
            &topics_text(&new.topics),
            &kinds_text(&new.topics),
            &new.created_at,
        ],
    )
    .await?;
    notify_owners(db, SecurityEvent::ChannelAdded, new, by).await?;
    audit::append(db, by, &audit_values::channels::added(new)).await?;
    Ok(true)
}

/// Deletes what waits for a channel and is not of these kinds.
const DELETE_OTHER_KINDS: &str = "DELETE FROM alert_deliveries
     WHERE channel_id = $1
       AND EXISTS (SELECT 1 FROM mail_alerts
                   WHERE mail_alerts.id = alert_id
                     AND CAST($2 AS TEXT) NOT LIKE '% ' || kind || ' %')";

/// Stores the topics: of those that are open to the role these, and of the others those that the
/// channel has. Waiting alerts of other topics are not sent any more.
pub async fn set_topics<S: Sql>(
    db: &S,
    scope: &Scope,
    id: &ChannelId,
    role: Role,
    topics: &[AlertTopic],
    by: &AuditContext,
) -> Result<(), S::Error> {
    let Some(before) = lock(db, Some(scope), id).await? else { return Ok(()) };
    let kept = before.topics.iter().filter(|topic| !topic.is_open_to(role));
    let topics: Vec<AlertTopic> = kept.chain(topics).copied().collect();
    let sql = "UPDATE alert_channels SET topics = $2, kinds = $3 WHERE id = $1";
    let kinds = kinds_text(&topics);
    db.execute(sql, &[&id.as_str(), &topics_text(&topics), &kinds]).await?;
    db.execute(DELETE_OTHER_KINDS, &[&id.as_str(), &kinds]).await?;
    let after = AlertChannel { topics, ..before.clone() };
    audit::append(db, by, &audit_values::channels::topics_set(&before, &after)).await
}

/// Deletes a channel, its secrets and its waiting alerts.
pub async fn remove<S: Sql>(
    db: &S,
    scope: &Scope,
    id: &ChannelId,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let Some(before) = lock(db, Some(scope), id).await? else { return Ok(()) };
    db.execute("DELETE FROM alert_channels WHERE id = $1", &[&id.as_str()]).await?;
    db.execute("DELETE FROM alert_deliveries WHERE channel_id = $1", &[&id.as_str()]).await?;
    notify_owners(db, SecurityEvent::ChannelRemoved, &before, by).await?;
    audit::append(db, by, &audit_values::channels::removed(&before)).await
}

/// Inserts a notice about a channel for each owner of the account.
async fn notify_owners<S: Sql>(
    db: &S,
    event: SecurityEvent,
    channel: &AlertChannel,
    by: &AuditContext,
) -> Result<(), S::Error> {
    security_notices::notify_owners(db, event, &channel.scope, &channel.shown, by).await
}

/// Stores that a test begins, unless the last one began later than `tested_until`.
pub async fn begin_test<S: Sql>(
    db: &S,
    id: &ChannelId,
    tested_until: Timestamp,
    now: Timestamp,
) -> Result<bool, S::Error> {
    let sql = "UPDATE alert_channels SET tested_at = $2
               WHERE id = $1 AND (tested_at IS NULL OR tested_at <= $3)";
    Ok(db.execute(sql, &[&id.as_str(), &now, &tested_until]).await? > 0)
}

/// Stores what became of a test message.
pub async fn record_test<S: Sql>(
    db: &S,
    id: &ChannelId,
    outcome: &ChannelOutcome,
    now: Timestamp,
) -> Result<(), S::Error> {
    let Some(mut channel) = lock(db, None, id).await? else { return Ok(()) };
    channel.record_test(outcome, now);
    store_attempt(db, &channel).await
}

/// Locks a channel: of an account and mode, or any.
pub(super) async fn lock<S: Sql>(
    db: &S,
    scope: Option<&Scope>,
    id: &ChannelId,
) -> Result<Option<AlertChannel>, S::Error> {
    let sql = concat!("SELECT ", channel_columns!(), " FROM alert_channels WHERE id = $1");
    let rows = db.query_locked(sql, RowLock::Update, &[&id.as_str()]).await?;
    let found = rows.first().map(channel).transpose()?;
    Ok(found.filter(|one| scope.is_none_or(|scope| one.scope == *scope)))
}

/// Stores the last attempt, and when the next one may begin.
pub(super) async fn store_attempt<S: Sql>(db: &S, after: &AlertChannel) -> Result<(), S::Error> {
    let last = after.last.as_ref();
    let sql = "UPDATE alert_channels
               SET next_at = $2, attempts = $3, attempted_at = $4, fault = $5, given_up = $6
               WHERE id = $1";
    db.execute(
        sql,
        &[
            &after.id.as_str(),
            &after.next_at,
            &after.attempts,
            &last.map(|last| last.at),
            &last.and_then(|last| last.fault.clone()),
            &after.given_up,
        ],
    )
    .await
    .map(drop)
}

fn topics_text(topics: &[AlertTopic]) -> String {
    topics.iter().map(|topic| topic.as_str()).collect::<Vec<_>>().join(" ")
}
