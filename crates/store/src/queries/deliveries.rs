//! Webhook deliveries, as people list and repeat them.

use crate::payment_sql::PaymentSql;
use jiff::Timestamp;
use tua_domain::{
    DeliveryId, EndpointId,
    audit::AuditContext,
    ports::DeliveryFilter,
    webhook::{Delivery, delivery::DeliveryStatus, notice},
};
use tua_sql::{
    audit_values, column_values,
    queries::{audit, listing::Query, webhooks},
    rows::{delivery, delivery_columns, is_held},
    sql::{RowLock, Sql},
};

pub(crate) async fn list<S: Sql>(
    db: &S,
    filter: &DeliveryFilter,
) -> Result<Vec<Delivery>, S::Error> {
    let mut query = Query::default();
    query.add("endpoint_id =", filter.endpoint.as_ref().map(EndpointId::as_str));
    match filter.status {
        Some(DeliveryStatus::Pending) => {
            query.add_condition("status = 'PENDING' AND due_at IS NOT NULL");
        }
        Some(DeliveryStatus::Held) => query.add_condition(is_held!()),
        status => query.add("status =", status.map(DeliveryStatus::as_str)),
    }
    query.add("id =", filter.id.as_ref().map(DeliveryId::as_str));
    let (from, before) = column_values::moments_between(filter.from, filter.to);
    // The record of events, whose ids are lower, is no endpoint.
    query.add("endpoint_id >=", Some(EndpointId::PREFIX));
    query.add("occurred_at >=", from);
    query.add("occurred_at <", before);
    let all = concat!("SELECT ", delivery_columns!(), " FROM webhook_deliveries");
    query.rows(db, all, "id DESC", filter.limit).await?.iter().map(delivery).collect()
}

/// Inserts a `ping`; `None` if there is no such endpoint, or it was removed.
pub(crate) async fn ping<S: PaymentSql>(
    db: &S,
    id: &EndpointId,
    now: Timestamp,
) -> Result<Option<Delivery>, S::Error> {
    if webhooks::keep(db, id).await?.is_none() {
        return Ok(None);
    }
    let delivery = notice::ping(id, now);
    db.insert_deliveries(std::slice::from_ref(&delivery)).await?;
    Ok(Some(delivery))
}

/// Schedules a delivery again; `None` if there is no such delivery, or its endpoint was removed.
pub(crate) async fn replay<S: Sql>(
    db: &S,
    id: &DeliveryId,
    by: &AuditContext,
) -> Result<Option<Delivery>, S::Error> {
    let sql = concat!("SELECT ", delivery_columns!(), " FROM webhook_deliveries WHERE id = $1");
    let found = db.query_locked(sql, RowLock::NoKeyUpdate, &[&id.as_str()]).await?;
    let Some(before) = found.first().map(delivery).transpose()? else { return Ok(None) };
    let Some(account) = webhooks::keep(db, &before.endpoint).await? else { return Ok(None) };
    let mut after = before.clone();
    after.replay(by.at);
    let update =
        "UPDATE webhook_deliveries SET status = $2, attempts = $3, due_at = $4 WHERE id = $1";
    db.execute(update, &[&id.as_str(), &after.status.as_str(), &after.attempts, &after.due_at])
        .await?;
    let change = audit_values::accounts::delivery_replayed(&account, &before, &after);
    audit::append(db, by, &change).await?;
    Ok(Some(after))
}
