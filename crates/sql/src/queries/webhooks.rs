//! Webhook endpoints. One without an address is the record of a scope's events
//! (`queries/event_record.rs` of `tua-store`), which is no endpoint for people.

use super::{alerts, audit, security_notices};
use crate::{
    audit_values,
    column_values::REMOVED,
    columns::{number, text},
    rows::{endpoint, is_held},
    sql::{MissingRow, RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    AccountId, EndpointId, Scope,
    audit::{Action, AuditContext, Source},
    mail::SecurityEvent,
    ports::{ChangedEndpoint, EndpointChange},
    webhook::Endpoint,
};

/// The columns of a webhook endpoint, as [`crate::rows::endpoint`] reads them.
#[macro_export]
macro_rules! endpoint_columns {
    () => {
        "id, account_id, mode, url, secret, old_secret, old_secret_until, created_at, disabled_at,
         removed_at"
    };
}
pub use endpoint_columns;

/// The condition that a row is an endpoint for people, and not the record of a scope's events.
#[macro_export]
macro_rules! is_endpoint {
    () => {
        "url <> ''"
    };
}
pub use is_endpoint;

/// Adds an endpoint, notifies the owners, and audits it.
pub async fn add<S: Sql>(db: &S, endpoint: &Endpoint, by: &AuditContext) -> Result<(), S::Error> {
    let sql = "INSERT INTO webhook_endpoints (id, account_id, mode, url, secret, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    db.execute(
        sql,
        &[
            &endpoint.id.as_str(),
            &endpoint.scope.account.as_str(),
            &endpoint.scope.mode.as_str(),
            &endpoint.url,
            &endpoint.secret.as_bytes(),
            &endpoint.created_at,
        ],
    )
    .await?;
    notify_owners(db, SecurityEvent::WebhookAdded, endpoint, by).await?;
    audit::append(db, by, &audit_values::accounts::endpoint_added(endpoint)).await
}

/// The number of endpoints of an account and mode that were not removed.
pub async fn count<S: Sql>(db: &S, scope: &Scope) -> Result<u32, S::Error> {
    let sql = concat!(
        "SELECT count(*) AS endpoints FROM webhook_endpoints
         WHERE account_id = $1 AND mode = $2 AND removed_at IS NULL AND ",
        is_endpoint!()
    );
    let row = db.query_opt(sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    number(&row.ok_or(MissingRow)?, "endpoints")
}

/// Inserts notices to the owners of the account about an endpoint.
async fn notify_owners<S: Sql>(
    db: &S,
    event: SecurityEvent,
    endpoint: &Endpoint,
    by: &AuditContext,
) -> Result<(), S::Error> {
    security_notices::notify_owners(db, event, &endpoint.scope, endpoint.id.as_str(), by).await
}

/// The endpoints that were not removed, of one account or of all.
pub async fn list<S: Sql>(db: &S, account: Option<&AccountId>) -> Result<Vec<Endpoint>, S::Error> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints
          WHERE removed_at IS NULL AND ",
        is_endpoint!(),
        "
            AND (CAST($1 AS TEXT) IS NULL OR account_id = $1)
          ORDER BY id"
    );
    db.query(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(endpoint).collect()
}

/// An endpoint, also one that was removed.
pub async fn by_id<S: Sql>(db: &S, id: &EndpointId) -> Result<Option<Endpoint>, S::Error> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints WHERE id = $1 AND ",
        is_endpoint!()
    );
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(endpoint).transpose()
}

/// The enabled endpoints with deliveries that are due.
pub async fn due<S: Sql>(db: &S, now: Timestamp) -> Result<Vec<Endpoint>, S::Error> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints
          WHERE disabled_at IS NULL AND removed_at IS NULL
            AND EXISTS (SELECT 1 FROM webhook_deliveries
                        WHERE endpoint_id = webhook_endpoints.id AND due_at <= $1)"
    );
    db.query(sql, &[&now]).await?.iter().map(endpoint).collect()
}

/// The account of an endpoint that was not removed. It is not removed before the transaction ends,
/// so that it can be given deliveries.
pub async fn keep<S: Sql>(db: &S, id: &EndpointId) -> Result<Option<AccountId>, S::Error> {
    let sql = concat!(
        "SELECT account_id FROM webhook_endpoints WHERE id = $1 AND removed_at IS NULL AND ",
        is_endpoint!()
    );
    let found = db.query_locked(sql, RowLock::KeyShare, &[&id.as_str()]).await?;
    found.first().map(|row| Ok(AccountId::new(text(row, "account_id")?))).transpose()
}

/// Locks an endpoint that was not removed: waits for transactions that insert deliveries for it.
async fn lock<S: Sql>(db: &S, id: &EndpointId) -> Result<Option<Endpoint>, S::Error> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints WHERE id = $1 AND removed_at IS NULL AND ",
        is_endpoint!()
    );
    let found = db.query_locked(sql, RowLock::Update, &[&id.as_str()]).await?;
    found.first().map(endpoint).transpose()
}

/// Whether the secret key that makes this change is revoked. A revocation that has not been
/// committed waits for this transaction, or this one for it.
async fn is_by_revoked_key<S: Sql>(db: &S, by: &AuditContext) -> Result<bool, S::Error> {
    if by.source != Source::Api {
        return Ok(false);
    }
    let sql = "SELECT id FROM api_keys WHERE id = $1 AND revoked_at IS NULL";
    Ok(db.query_locked(sql, RowLock::KeyShare, &[&by.actor.as_str()]).await?.is_empty())
}

/// Changes an endpoint. `None` where there is none, or for a key that is revoked.
pub async fn change<S: Sql>(
    db: &S,
    id: &EndpointId,
    change: &EndpointChange,
    by: &AuditContext,
) -> Result<Option<ChangedEndpoint>, S::Error> {
    if is_by_revoked_key(db, by).await? {
        return Ok(None);
    }
    let Some(before) = lock(db, id).await? else { return Ok(None) };
    let recorded_deliveries = count_recorded(db, id).await?;
    let (action, event, changed) = match change {
        EndpointChange::RotateSecret(secret, until) => {
            let sql = concat!(
                "UPDATE webhook_endpoints
                 SET old_secret = secret, old_secret_until = $3, secret = $2
                 WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            (
                Action::WebhookRotated,
                SecurityEvent::WebhookRotated,
                db.query_opt(sql, &[&id.as_str(), &secret.as_bytes(), until]).await?,
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
                "UPDATE webhook_endpoints SET disabled_at = coalesce(disabled_at, $2)
                 WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            (
                Action::WebhookDisabled,
                SecurityEvent::WebhookDisabled,
                db.query_opt(sql, &[&id.as_str(), &by.at]).await?,
            )
        }
    };
    let after = endpoint(&changed.ok_or(MissingRow)?)?;
    if *change == (EndpointChange::Enable { resend: true }) {
        let resend = concat!(
            "UPDATE webhook_deliveries SET due_at = $2 WHERE endpoint_id = $1 AND ",
            is_held!()
        );
        db.execute(resend, &[&id.as_str(), &by.at]).await?;
    }
    if before != after {
        notify_owners(db, event, &after, by).await?;
    }
    audit::append(db, by, &audit_values::accounts::endpoint_changed(action, &before, &after))
        .await?;
    Ok(Some(ChangedEndpoint { endpoint: after, recorded_deliveries }))
}

/// The number of deliveries that were recorded while the endpoint was disabled.
async fn count_recorded<S: Sql>(db: &S, id: &EndpointId) -> Result<u64, S::Error> {
    let sql = concat!(
        "SELECT count(*) AS recorded FROM webhook_deliveries WHERE endpoint_id = $1 AND ",
        is_held!()
    );
    number(&db.query_opt(sql, &[&id.as_str()]).await?.ok_or(MissingRow)?, "recorded")
}

/// Disables an endpoint. One that is disabled or removed already stays as it is, and the audit log
/// gets no entry.
pub async fn disable<S: Sql>(db: &S, id: &EndpointId, by: &AuditContext) -> Result<(), S::Error> {
    let sql = concat!(
        "UPDATE webhook_endpoints SET disabled_at = $2
         WHERE id = $1 AND disabled_at IS NULL AND removed_at IS NULL RETURNING ",
        endpoint_columns!()
    );
    let Some(row) = db.query_opt(sql, &[&id.as_str(), &by.at]).await? else { return Ok(()) };
    let after = endpoint(&row)?;
    let before = Endpoint { disabled_at: None, ..after.clone() };
    alerts::insert(db, &before.disabled_alert(by.at)).await?;
    let change = audit_values::accounts::endpoint_changed(Action::WebhookDisabled, &before, &after);
    audit::append(db, by, &change).await
}

/// Removes an endpoint, and its secrets. Its pending deliveries fail. Returns `false` where there
/// is none, or for a key that is revoked.
pub async fn remove<S: Sql>(db: &S, id: &EndpointId, by: &AuditContext) -> Result<bool, S::Error> {
    if is_by_revoked_key(db, by).await? {
        return Ok(false);
    }
    let Some(before) = lock(db, id).await? else { return Ok(false) };
    let fail = "UPDATE webhook_deliveries
                SET status = 'FAILED', due_at = NULL, attempted_at = $2, http_status = NULL,
                    fault = $3, response = NULL
                WHERE endpoint_id = $1 AND status = 'PENDING'";
    db.execute(fail, &[&id.as_str(), &by.at, &REMOVED]).await?;
    let remove = "UPDATE webhook_endpoints
                  SET removed_at = $2, secret = $3, old_secret = NULL, old_secret_until = NULL
                  WHERE id = $1";
    db.execute(remove, &[&id.as_str(), &by.at, &[0_u8; 0]]).await?;
    notify_owners(db, SecurityEvent::WebhookRemoved, &before, by).await?;
    audit::append(db, by, &audit_values::accounts::endpoint_removed(id, &before)).await?;
    Ok(true)
}
