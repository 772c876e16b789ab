//! Webhook endpoints and deliveries.

use super::record::Record;
use super::sql::ready;
use crate::queries::audit;
use crate::queries::{alerts, security_notices};
use crate::{
    audit_values,
    column_values::{self, REMOVED},
    rows::{delivery, endpoint},
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, named_params, params};
use tua_domain::{
    AccountId, DeliveryId, EndpointId, Scope,
    audit::{Action, AuditContext},
    mail::SecurityEvent,
    ports::{ChangedEndpoint, DeliveryFilter, EndpointChange},
    webhook::{Delivery, DeliveryOutcome, Endpoint, Recipient, delivery::DeliveryStatus, notice},
};

pub(super) fn add_endpoint(db: &Connection, endpoint: &Endpoint, by: &AuditContext) -> Result<()> {
    insert_endpoint(db, endpoint)?;
    ready(audit::append(db, by, &audit_values::accounts::endpoint_added(endpoint)))?;
    tell(db, SecurityEvent::WebhookAdded, endpoint, by)
}

/// Tells the owners of the account about an endpoint.
fn tell(
    db: &Connection,
    event: SecurityEvent,
    endpoint: &Endpoint,
    by: &AuditContext,
) -> Result<()> {
    ready(security_notices::tell_owners(db, event, &endpoint.scope, endpoint.id.as_str(), by))
}

fn insert_endpoint(db: &Connection, endpoint: &Endpoint) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO webhook_endpoints (id, account_id, mode, url, secret, created_at)
         VALUES (:id, :account, :mode, :url, :secret, :created_at)",
    )?
    .execute(named_params! {
        ":id": endpoint.id.as_str(),
        ":account": endpoint.scope.account.as_str(),
        ":mode": endpoint.scope.mode.as_str(),
        ":url": endpoint.url,
        ":secret": endpoint.secret.as_bytes(),
        ":created_at": endpoint.created_at.as_millisecond(),
    })
    .map(drop)
}

/// The deliveries that were recorded while the endpoint was disabled.
const RECORDED: &str = "SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ?1 AND status \
    = 'PENDING' AND due_at IS NULL";
const RESEND: &str = "UPDATE webhook_deliveries SET due_at = ?2 WHERE endpoint_id = ?1 AND status \
    = 'PENDING' AND due_at IS NULL";

pub(super) fn endpoints(db: &Connection, account: Option<&AccountId>) -> Result<Vec<Endpoint>> {
    db.prepare_cached(
        "SELECT * FROM webhook_endpoints WHERE removed_at IS NULL AND (?1 IS NULL OR account_id = \
         ?1) ORDER BY id",
    )?
    .query_map([account.map(AccountId::as_str)], |row| endpoint(&Record::new(row)))?
    .collect()
}

pub(super) fn endpoint_by_id(db: &Connection, id: &EndpointId) -> Result<Option<Endpoint>> {
    db.prepare_cached("SELECT * FROM webhook_endpoints WHERE id = ?1")?
        .query_row([id.as_str()], |row| endpoint(&Record::new(row)))
        .optional()
}

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

fn present_endpoint(db: &Connection, id: &EndpointId) -> Result<Option<Endpoint>> {
    Ok(endpoint_by_id(db, id)?.filter(|endpoint| endpoint.removed_at.is_none()))
}

pub(super) fn change_endpoint(
    db: &Connection,
    id: &EndpointId,
    change: &EndpointChange,
    by: &AuditContext,
) -> Result<Option<ChangedEndpoint>> {
    let Some(before) = present_endpoint(db, id)? else { return Ok(None) };
    let recorded: i64 = db.prepare_cached(RECORDED)?.query_row([id.as_str()], |row| row.get(0))?;
    let (action, event, after) = match change {
        EndpointChange::Rotate(secret, until) => (
            Action::WebhookRotated,
            SecurityEvent::WebhookRotated,
            db.prepare_cached(
                "UPDATE webhook_endpoints SET old_secret = secret, old_secret_until = ?3, secret = \
                 ?2
                 WHERE id = ?1 RETURNING *",
            )?
            .query_row((id.as_str(), secret.as_bytes(), until.as_millisecond()), |row| {
                endpoint(&Record::new(row))
            })?,
        ),
        EndpointChange::Enable { .. } => (
            Action::WebhookEnabled,
            SecurityEvent::WebhookEnabled,
            db.prepare_cached("UPDATE webhook_endpoints SET disabled_at = NULL WHERE id = ?1 \
                RETURNING *")?
                .query_row([id.as_str()], |row| endpoint(&Record::new(row)))?,
        ),
        EndpointChange::Disable => (
            Action::WebhookDisabled,
            SecurityEvent::WebhookDisabled,
            db.prepare_cached(
                "UPDATE webhook_endpoints SET disabled_at = coalesce(disabled_at, ?2) WHERE id = \
                 ?1 RETURNING *",
            )?
            .query_row((id.as_str(), by.at.as_millisecond()), |row| endpoint(&Record::new(row)))?,
        ),
    };
    if *change == (EndpointChange::Enable { resend: true }) {
        db.prepare_cached(RESEND)?.execute((id.as_str(), by.at.as_millisecond()))?;
    }
    ready(audit::append(
        db,
        by,
        &audit_values::accounts::endpoint_changed(action, &before, &after),
    ))?;
    if before != after {
        tell(db, event, &after, by)?;
    }
    Ok(Some(ChangedEndpoint { endpoint: after, recorded: recorded.unsigned_abs() }))
}

pub(super) fn remove_endpoint(db: &Connection, id: &EndpointId, by: &AuditContext) -> Result<bool> {
    let Some(before) = present_endpoint(db, id)? else { return Ok(false) };
    ready(audit::append(db, by, &audit_values::accounts::endpoint_removed(id, &before)))?;
    tell(db, SecurityEvent::WebhookRemoved, &before, by)?;
    let now = by.at.as_millisecond();
    db.prepare_cached(
        "UPDATE webhook_deliveries SET status = 'FAILED', due_at = NULL, attempted_at = ?2, \
         http_status = NULL, fault = ?3
         WHERE endpoint_id = ?1 AND status = 'PENDING'",
    )?
    .execute((id.as_str(), now, REMOVED))?;
    db.prepare_cached(
        "UPDATE webhook_endpoints SET removed_at = ?2, secret = x'', old_secret = NULL, \
         old_secret_until = NULL
         WHERE id = ?1",
    )?
    .execute((id.as_str(), now))?;
    Ok(true)
}

pub(super) fn ping(db: &Connection, id: &EndpointId, now: Timestamp) -> Result<Option<Delivery>> {
    if present_endpoint(db, id)?.is_none() {
        return Ok(None);
    }
    let delivery = notice::ping(id, now);
    insert_delivery(db, &delivery)?;
    Ok(Some(delivery))
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

pub(super) fn deliveries(db: &Connection, filter: &DeliveryFilter) -> Result<Vec<Delivery>> {
    let (from, before) = column_values::moments_between(filter.from, filter.to);
    db.prepare_cached(
        "SELECT * FROM webhook_deliveries
         WHERE (?1 IS NULL OR endpoint_id = ?1) AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR \
         id = ?3)
           AND (?4 IS NULL OR occurred_at >= ?4) AND (?5 IS NULL OR occurred_at < ?5)
         ORDER BY id DESC LIMIT ?6",
    )?
    .query_map(
        (
            filter.endpoint.as_ref().map(EndpointId::as_str),
            filter.status.map(DeliveryStatus::as_str),
            filter.id.as_ref().map(DeliveryId::as_str),
            from,
            before,
            filter.limit,
        ),
        |row| delivery(&Record::new(row)),
    )?
    .collect()
}

pub(super) fn replay(
    db: &Connection,
    id: &DeliveryId,
    by: &AuditContext,
) -> Result<Option<Delivery>> {
    let Some(before) = delivery_by_id(db, id)? else { return Ok(None) };
    let Some(endpoint) = present_endpoint(db, &before.endpoint)? else { return Ok(None) };
    let mut delivery = before.clone();
    delivery.replay(by.at);
    update(db, &delivery)?;
    ready(audit::append(
        db,
        by,
        &audit_values::accounts::delivery_replayed(&endpoint.scope.account, &before, &delivery),
    ))?;
    Ok(Some(delivery))
}

pub(super) fn endpoints_due(db: &Connection, now: Timestamp) -> Result<Vec<Endpoint>> {
    db.prepare_cached(
        "SELECT * FROM webhook_endpoints
         WHERE disabled_at IS NULL AND removed_at IS NULL
           AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id \
         AND due_at <= ?1)",
    )?
    .query_map([now.as_millisecond()], |row| endpoint(&Record::new(row)))?
    .collect()
}

pub(super) fn lease(
    db: &Connection,
    endpoint: &EndpointId,
    now: Timestamp,
    until: Timestamp,
    most: u32,
) -> Result<Vec<Delivery>> {
    let mut leased: Vec<Delivery> = db
        .prepare_cached(
            "UPDATE webhook_deliveries SET due_at = ?3
             WHERE id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = ?1 AND due_at <= ?2
                          ORDER BY due_at, id LIMIT ?4) RETURNING *",
        )?
        .query_map(
            (endpoint.as_str(), now.as_millisecond(), until.as_millisecond(), most),
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
    outcome: &DeliveryOutcome,
    by: &AuditContext,
) -> Result<()> {
    if delivery_by_id(db, &sent.id)?.as_ref() != Some(sent) {
        return Ok(());
    }
    let mut delivery = sent.clone();
    delivery.take(outcome, by.at);
    update(db, &delivery)?;
    if *outcome == DeliveryOutcome::Gone { disable(db, &delivery.endpoint, by) } else { Ok(()) }
}

/// Disables an endpoint. One that is disabled or removed already stays as it is, and the audit log
/// gets no entry.
fn disable(db: &Connection, id: &EndpointId, by: &AuditContext) -> Result<()> {
    let found = present_endpoint(db, id)?.filter(|endpoint| endpoint.disabled_at.is_none());
    let Some(before) = found else { return Ok(()) };
    let after = Endpoint { disabled_at: Some(by.at), ..before.clone() };
    db.prepare_cached("UPDATE webhook_endpoints SET disabled_at = ?2 WHERE id = ?1")?
        .execute((id.as_str(), by.at.as_millisecond()))?;
    ready(alerts::insert(db, &before.disabled_alert(by.at)))?;
    ready(audit::append(
        db,
        by,
        &audit_values::accounts::endpoint_changed(Action::WebhookDisabled, &before, &after),
    ))
}

fn update(db: &Connection, delivery: &Delivery) -> Result<()> {
    let last = delivery.last.as_ref();
    db.prepare_cached(
        "UPDATE webhook_deliveries
         SET status = ?2, attempts = ?3, due_at = ?4, attempted_at = ?5, http_status = ?6, fault = \
         ?7 WHERE id = ?1",
    )?
    .execute(params![
        delivery.id.as_str(),
        delivery.status.as_str(),
        delivery.attempts,
        delivery.due_at.map(Timestamp::as_millisecond),
        last.map(|last| last.at.as_millisecond()),
        last.and_then(|last| last.http_status),
        last.and_then(|last| last.fault.as_deref()),
    ])
    .map(drop)
}

fn delivery_by_id(db: &Connection, id: &DeliveryId) -> Result<Option<Delivery>> {
    db.prepare_cached("SELECT * FROM webhook_deliveries WHERE id = ?1")?
        .query_row([id.as_str()], |row| delivery(&Record::new(row)))
        .optional()
}
