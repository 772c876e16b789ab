//! Webhook endpoints.

use super::{
    batch_ops::column,
    db::Db,
    deliveries::insert,
    error::{Error, Result},
    record::at,
};
use crate::queries::audit;
use crate::queries::{alerts, security_notices};
use crate::{audit_values, column_values::REMOVED, columns, rows::endpoint};
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    AccountId, EndpointId, Scope,
    audit::{Action, AuditContext},
    mail::SecurityEvent,
    ports::{ChangedEndpoint, EndpointChange},
    webhook::{Delivery, Endpoint, Recipient, notice},
};

macro_rules! endpoint_columns {
    () => {
        "id, account_id, mode, url, secret, old_secret, old_secret_until, created_at, disabled_at,
         removed_at"
    };
}

pub(super) async fn add_endpoint(db: &Db, endpoint: &Endpoint, by: &AuditContext) -> Result<()> {
    insert_endpoint(db, endpoint).await?;
    tell(db, SecurityEvent::WebhookAdded, endpoint, by).await?;
    audit::append(db, by, &audit_values::accounts::endpoint_added(endpoint)).await
}

/// Tells the owners of the account about an endpoint.
async fn tell(db: &Db, event: SecurityEvent, endpoint: &Endpoint, by: &AuditContext) -> Result<()> {
    security_notices::tell_owners(db, event, &endpoint.scope, endpoint.id.as_str(), by).await
}

async fn insert_endpoint(db: &Db, endpoint: &Endpoint) -> Result<()> {
    db.execute(
        "INSERT INTO webhook_endpoints (id, account_id, mode, url, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        &[
            &endpoint.id.as_str(),
            &endpoint.scope.account.as_str(),
            &endpoint.scope.mode.as_str(),
            &endpoint.url,
            &endpoint.secret.as_bytes(),
            &at(endpoint.created_at),
        ],
    )
    .await
    .map(drop)
}

/// The deliveries that were recorded while the endpoint was disabled.
const RECORDED: &str = "SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND status \
    = 'PENDING' AND due_at IS NULL";
const RESEND: &str = "UPDATE webhook_deliveries SET due_at = $2 WHERE endpoint_id = $1 AND status \
    = 'PENDING' AND due_at IS NULL";

pub(super) async fn endpoints(db: &Db, account: Option<&AccountId>) -> Result<Vec<Endpoint>> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints WHERE removed_at IS NULL AND ($1::text IS NULL OR account_id = \
         $1) ORDER BY id"
    );
    db.query(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(endpoint).collect()
}

pub(super) async fn endpoint_by_id(db: &Db, id: &EndpointId) -> Result<Option<Endpoint>> {
    let sql = concat!("SELECT ", endpoint_columns!(), " FROM webhook_endpoints WHERE id = $1");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(endpoint).transpose()
}

/// The endpoints of scopes, locked against removal until the transaction ends.
pub(super) async fn lock_endpoints(
    db: &Db,
    scopes: &[&Scope],
) -> Result<HashMap<Scope, Vec<Recipient>>> {
    let found = db
        .query(
            "SELECT id, account_id, mode, disabled_at FROM webhook_endpoints
             JOIN unnest($1::text[], $2::text[]) AS endpoint_ids (account_id, mode) USING \
             (account_id, mode)
             WHERE removed_at IS NULL ORDER BY id FOR KEY SHARE OF webhook_endpoints",
            &[
                &column(scopes, |scope| scope.account.as_str()),
                &column(scopes, |scope| scope.mode.as_str()),
            ],
        )
        .await?;
    let mut recipients: HashMap<Scope, Vec<Recipient>> = HashMap::new();
    for row in found {
        let id = EndpointId::new(columns::text(&row, "id")?);
        let is_enabled = columns::maybe_time(&row, "disabled_at")?.is_none();
        recipients.entry(columns::scope(&row)?).or_default().push(Recipient { id, is_enabled });
    }
    Ok(recipients)
}

/// Locks an endpoint: waits for transactions that insert deliveries for it.
async fn lock_endpoint(db: &Db, id: &EndpointId) -> Result<Option<Endpoint>> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints WHERE id = $1 AND removed_at IS NULL FOR UPDATE"
    );
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(endpoint).transpose()
}

pub(super) async fn change_endpoint(
    db: &Db,
    id: &EndpointId,
    change: &EndpointChange,
    by: &AuditContext,
) -> Result<Option<ChangedEndpoint>> {
    let Some(before) = lock_endpoint(db, id).await? else { return Ok(None) };
    let row = db.query_opt(RECORDED, &[&id.as_str()]).await?.ok_or(Error::MissingRow)?;
    let recorded: i64 = row.try_get(0)?;
    let (action, event, changed) = match change {
        EndpointChange::Rotate(secret, until) => {
            let sql = concat!(
                "UPDATE webhook_endpoints SET old_secret = secret, old_secret_until = $3, secret = \
                 $2
                 WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            (
                Action::WebhookRotated,
                SecurityEvent::WebhookRotated,
                db.query_opt(sql, &[&id.as_str(), &secret.as_bytes(), &at(*until)]).await?,
            )
        }
        EndpointChange::Enable { .. } => {
            let sql = concat!(
                "UPDATE webhook_endpoints SET disabled_at = NULL WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            (
                Action::WebhookEnabled,
                SecurityEvent::WebhookEnabled,
                db.query_opt(sql, &[&id.as_str()]).await?,
            )
        }
        EndpointChange::Disable => {
            let sql = concat!(
                "UPDATE webhook_endpoints SET disabled_at = coalesce(disabled_at, $2) WHERE id = \
                 $1 RETURNING ",
                endpoint_columns!()
            );
            (
                Action::WebhookDisabled,
                SecurityEvent::WebhookDisabled,
                db.query_opt(sql, &[&id.as_str(), &at(by.at)]).await?,
            )
        }
    };
    let after = endpoint(&changed.ok_or(Error::MissingRow)?)?;
    if *change == (EndpointChange::Enable { resend: true }) {
        db.execute(RESEND, &[&id.as_str(), &at(by.at)]).await?;
    }
    if before != after {
        tell(db, event, &after, by).await?;
    }
    audit::append(db, by, &audit_values::accounts::endpoint_changed(action, &before, &after))
        .await?;
    Ok(Some(ChangedEndpoint { endpoint: after, recorded: recorded.unsigned_abs() }))
}

/// Disables an endpoint. One that is disabled or removed already stays as it is, and the audit log
/// gets no entry.
pub(super) async fn disable(db: &Db, id: &EndpointId, by: &AuditContext) -> Result<()> {
    let sql = concat!(
        "UPDATE webhook_endpoints SET disabled_at = $2
         WHERE id = $1 AND disabled_at IS NULL AND removed_at IS NULL RETURNING ",
        endpoint_columns!()
    );
    let Some(row) = db.query_opt(sql, &[&id.as_str(), &at(by.at)]).await? else { return Ok(()) };
    let after = endpoint(&row)?;
    let before = Endpoint { disabled_at: None, ..after.clone() };
    alerts::insert(db, &before.disabled_alert(by.at)).await?;
    audit::append(
        db,
        by,
        &audit_values::accounts::endpoint_changed(Action::WebhookDisabled, &before, &after),
    )
    .await
}

pub(super) async fn remove_endpoint(db: &Db, id: &EndpointId, by: &AuditContext) -> Result<bool> {
    let Some(before) = lock_endpoint(db, id).await? else { return Ok(false) };
    tell(db, SecurityEvent::WebhookRemoved, &before, by).await?;
    audit::append(db, by, &audit_values::accounts::endpoint_removed(id, &before)).await?;
    let fail = "UPDATE webhook_deliveries
                SET status = 'FAILED', due_at = NULL, attempted_at = $2, http_status = NULL, fault \
        = $3
                WHERE endpoint_id = $1 AND status = 'PENDING'";
    db.execute(fail, &[&id.as_str(), &at(by.at), &REMOVED]).await?;
    let remove = "UPDATE webhook_endpoints
                  SET removed_at = $2, secret = ''::bytea, old_secret = NULL, old_secret_until = \
        NULL WHERE id = $1";
    Ok(db.execute(remove, &[&id.as_str(), &at(by.at)]).await? > 0)
}

pub(super) async fn ping(db: &Db, id: &EndpointId, now: Timestamp) -> Result<Option<Delivery>> {
    // Locks the endpoint, so that it is not deleted before the delivery is inserted.
    let sql = "SELECT 1 FROM webhook_endpoints WHERE id = $1 AND removed_at IS NULL FOR KEY SHARE";
    if db.query_opt(sql, &[&id.as_str()]).await?.is_none() {
        return Ok(None);
    }
    let delivery = notice::ping(id, now);
    insert(db, std::slice::from_ref(&delivery)).await?;
    Ok(Some(delivery))
}

pub(super) async fn endpoints_due(db: &Db, now: Timestamp) -> Result<Vec<Endpoint>> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints
         WHERE disabled_at IS NULL AND removed_at IS NULL
           AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id \
         AND due_at <= $1)"
    );
    db.query(sql, &[&at(now)]).await?.iter().map(endpoint).collect()
}
