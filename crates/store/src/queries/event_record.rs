//! The record of a scope's events: an endpoint without an address, whose deliveries are the events.

use super::past_events;
use crate::payment_sql::PaymentSql;
use jiff::{SignedDuration, Timestamp};
use tua_domain::{
    DeliveryId, Scope,
    audit::AuditContext,
    webhook::{
        Delivery, EventType,
        record::{EventFilter, EventRange, RecordState, record_id},
    },
};
use tua_sql::{
    audit_values, column_values,
    columns::{maybe_time, time},
    queries::{audit, listing::Query, webhooks::endpoint_columns},
    rows::{delivery, delivery_columns, endpoint},
    sql::{Parameters, RowLock, Sql},
};

/// Serves every list: by endpoint, in the order of the ids.
const INDEX: &str = "webhook_deliveries_by_endpoint";

/// `None` if the record has not begun.
pub(crate) async fn state<S: Sql>(db: &S, scope: &Scope) -> Result<Option<RecordState>, S::Error> {
    let sql = "SELECT incomplete_since FROM webhook_endpoints WHERE id = $1";
    let Some(row) = db.query_opt(sql, &[&record_id(scope).as_str()]).await? else {
        return Ok(None);
    };
    let since = maybe_time(&row, "incomplete_since")?;
    Ok(Some(since.map_or(RecordState::Complete, |_| RecordState::Incomplete)))
}

/// Inserts the record, disabled, so that its deliveries are never due, and incomplete. Does nothing
/// if another request has inserted it.
pub(crate) async fn begin<S: Sql>(
    db: &S,
    scope: &Scope,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let sql = concat!(
        "INSERT INTO webhook_endpoints
             (id, account_id, mode, url, secret, created_at, disabled_at, incomplete_since)
         VALUES ($1, $2, $3, '', $4, $5, $5, $5) ON CONFLICT (id) DO NOTHING RETURNING ",
        endpoint_columns!()
    );
    let record = record_id(scope);
    let id = record.as_str();
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    let no_secret = &[0_u8; 0];
    let values: Parameters<'_> = &[&id, &account, &mode, no_secret, &by.at];
    let Some(row) = db.query_opt(sql, values).await? else { return Ok(()) };
    audit::append(db, by, &audit_values::accounts::endpoint_added(&endpoint(&row)?)).await
}

/// By how much the clocks of two nodes may differ.
const CLOCK_DIFFERENCE: SignedDuration = SignedDuration::from_secs(60);

/// Inserts the past events that an incomplete record does not have, and makes this its state. The
/// row lock keeps two requests from inserting the same events.
pub(crate) async fn fill<S: PaymentSql>(
    db: &S,
    scope: &Scope,
    now: Timestamp,
    state: RecordState,
) -> Result<(), S::Error> {
    let record = record_id(scope);
    let id: Parameters<'_> = &[&record.as_str()];
    let incomplete = "SELECT incomplete_since FROM webhook_endpoints
                      WHERE id = $1 AND incomplete_since IS NOT NULL";
    let found = db.query_locked(incomplete, RowLock::NoKeyUpdate, id).await?;
    let Some(row) = found.first() else { return Ok(()) };
    // What began later was recorded from its first event on.
    let until = time(row, "incomplete_since")? + CLOCK_DIFFERENCE;
    past_events::insert(db, scope, now, until).await?;
    if state == RecordState::Complete {
        let sql = "UPDATE webhook_endpoints SET incomplete_since = NULL WHERE id = $1";
        db.execute(sql, id).await?;
    }
    Ok(())
}

pub(crate) async fn list<S: Sql>(
    db: &S,
    scope: &Scope,
    filter: &EventFilter,
    range: &EventRange,
    limit: u32,
) -> Result<Vec<Delivery>, S::Error> {
    let record = record_id(scope);
    let mut query = Query::default();
    query.add("endpoint_id =", Some(record.as_str()));
    let order = match range {
        EventRange::NewestFirst(before) => {
            query.add("id <", before.as_ref().map(DeliveryId::as_str));
            "id DESC"
        }
        EventRange::OldestFirst { after, before } => {
            query.add("id >", after.as_ref().map(DeliveryId::as_str));
            query.add("id <", before.as_ref().map(DeliveryId::as_str));
            "id"
        }
    };
    query.add_any("type", filter.types.iter().copied().map(EventType::as_str));
    if let Some(transaction) = &filter.transaction {
        query.add("id >=", Some(column_values::first_delivery_id(transaction.as_str())));
        query.add("subject =", Some(transaction.as_str()));
    }
    query.add("occurred_at >=", filter.from);
    query.add("occurred_at <", filter.before);
    query.rows(db, &select::<S>(), order, limit).await?.iter().map(delivery).collect()
}

pub(crate) async fn find<S: Sql>(
    db: &S,
    scope: &Scope,
    webhook_id: &str,
) -> Result<Option<Delivery>, S::Error> {
    let Some(range) = DeliveryId::range_of_event(webhook_id) else { return Ok(None) };
    let record = record_id(scope);
    let mut query = Query::default();
    query.add("endpoint_id =", Some(record.as_str()));
    query.add("id >=", Some(range.start.as_str()));
    query.add("id <", Some(range.end.as_str()));
    query.add("webhook_id =", Some(webhook_id));
    query.rows(db, &select::<S>(), "id", 1).await?.first().map(delivery).transpose()
}

fn select<S: Sql>() -> String {
    let hint = S::index_hint(INDEX);
    format!(concat!("SELECT ", delivery_columns!(), " FROM webhook_deliveries{}"), hint)
}
