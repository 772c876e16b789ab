//! Webhook deliveries and their outcomes.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::{
    DeliveryId, EndpointId, Scope,
    audit::AuditContext,
    webhook::{Delivery, DeliveryAttempt, DeliveryOutcome, Recipient},
};
use tua_sql::{
    column_values,
    queries::webhooks,
    rows::delivery,
    sqlite::{record::Record, sql::ready},
};

/// The endpoints of a scope.
pub(super) fn recipients(db: &Connection, scope: &Scope) -> Result<Vec<Recipient>> {
    let sql = "SELECT id, disabled_at IS NULL FROM webhook_endpoints
               WHERE account_id = ?1 AND mode = ?2 AND removed_at IS NULL";
    db.prepare_cached(sql)?
        .query_map((scope.account.as_str(), scope.mode.as_str()), |row| {
            Ok(Recipient { id: EndpointId::new(row.get::<_, String>(0)?), is_enabled: row.get(1)? })
        })?
        .collect()
}

pub(super) fn insert_delivery(db: &Connection, delivery: &Delivery) -> Result<()> {
    let (subject, version) = column_values::subject_columns(delivery);
    db.prepare_cached(
        "INSERT INTO webhook_deliveries (id, endpoint_id, webhook_id, type, subject, version, \
         occurred_at, status, due_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        delivery.id.as_str(),
        delivery.endpoint.as_str(),
        delivery.webhook_id,
        delivery.event_type.as_str(),
        subject,
        version,
        delivery.occurred_at.as_millisecond(),
        delivery.status.as_str(),
        delivery.due_at.map(Timestamp::as_millisecond),
    ])
    .map(drop)
}

pub(super) fn lease(
    db: &Connection,
    endpoint: &EndpointId,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Delivery>> {
    let mut leased: Vec<Delivery> = db
        .prepare_cached(
            "UPDATE webhook_deliveries SET due_at = ?3
             WHERE id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = ?1 AND due_at <= ?2
                          ORDER BY due_at, id LIMIT ?4) RETURNING *",
        )?
        .query_map(
            (endpoint.as_str(), now.as_millisecond(), until.as_millisecond(), limit),
            |row| delivery(&Record::new(row)),
        )?
        .collect::<Result<_>>()?;
    leased.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(leased)
}

/// Records the outcome of an attempt, unless the delivery was deleted or replayed since.
pub(super) fn record_attempt(
    db: &Connection,
    sent: &Delivery,
    attempt: &DeliveryAttempt,
    by: &AuditContext,
) -> Result<()> {
    if delivery_by_id(db, &sent.id)?.as_ref() != Some(sent) {
        return Ok(());
    }
    let mut delivery = sent.clone();
    delivery.record_attempt(attempt, by.at);
    update(db, &delivery)?;
    if attempt.outcome == DeliveryOutcome::Gone {
        ready(webhooks::disable(db, &delivery.endpoint, by))
    } else {
        Ok(())
    }
}

fn update(db: &Connection, delivery: &Delivery) -> Result<()> {
    let last = delivery.last.as_ref();
    db.prepare_cached(
        "UPDATE webhook_deliveries
         SET status = ?2, attempts = ?3, due_at = ?4, attempted_at = ?5, http_status = ?6, fault = \
         ?7,
             response = ?8 WHERE id = ?1",
    )?
    .execute(params![
        delivery.id.as_str(),
        delivery.status.as_str(),
        delivery.attempts,
        delivery.due_at.map(Timestamp::as_millisecond),
        last.map(|last| last.at.as_millisecond()),
        last.and_then(|last| last.http_status),
        last.and_then(|last| last.fault.as_deref()),
        last.and_then(|last| last.response.as_deref()),
    ])
    .map(drop)
}

fn delivery_by_id(db: &Connection, id: &DeliveryId) -> Result<Option<Delivery>> {
    db.prepare_cached("SELECT * FROM webhook_deliveries WHERE id = ?1")?
        .query_row([id.as_str()], |row| delivery(&Record::new(row)))
        .optional()
}
