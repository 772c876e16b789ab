//! Webhook endpoints.

use super::{batch_ops::column, db::Db, deliveries::insert, error::Result, record::at};
use crate::{
    domain::{
        AccountId, EndpointId, Scope,
        ports::EndpointChange,
        webhook::{Delivery, Endpoint, notice},
    },
    store::{columns, rows::endpoint},
};
use jiff::Timestamp;
use std::collections::HashMap;

macro_rules! endpoint_columns {
    () => {
        "id, account_id, mode, url, secret, old_secret, old_secret_until, created_at, disabled_at"
    };
}

pub(super) async fn insert_endpoint(db: &Db, endpoint: &Endpoint) -> Result<()> {
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

pub(super) async fn endpoints(db: &Db, account: Option<&AccountId>) -> Result<Vec<Endpoint>> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints WHERE $1::text IS NULL OR account_id = $1 ORDER BY id"
    );
    db.query(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(endpoint).collect()
}

pub(super) async fn endpoint_by_id(db: &Db, id: &EndpointId) -> Result<Option<Endpoint>> {
    let sql = concat!("SELECT ", endpoint_columns!(), " FROM webhook_endpoints WHERE id = $1");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(endpoint).transpose()
}

/// The endpoints of scopes, locked against deletion until the transaction ends.
pub(super) async fn lock_endpoints(db: &Db, scopes: &[&Scope]) -> Result<HashMap<Scope, Vec<EndpointId>>> {
    let found = db
        .query(
            "SELECT id, account_id, mode FROM webhook_endpoints
             JOIN unnest($1::text[], $2::text[]) AS endpoint_ids (account_id, mode) USING (account_id, mode)
             WHERE disabled_at IS NULL ORDER BY id FOR KEY SHARE OF webhook_endpoints",
            &[&column(scopes, |scope| scope.account.as_str()), &column(scopes, |scope| scope.mode.as_str())],
        )
        .await?;
    let mut endpoint_ids: HashMap<Scope, Vec<EndpointId>> = HashMap::new();
    for row in found {
        endpoint_ids.entry(columns::scope(&row)?).or_default().push(EndpointId::new(columns::text(&row, "id")?));
    }
    Ok(endpoint_ids)
}

pub(super) async fn change_endpoint(db: &Db, id: &EndpointId, change: &EndpointChange) -> Result<Option<Endpoint>> {
    let changed = match change {
        EndpointChange::Rotate(secret, until) => {
            let sql = concat!(
                "UPDATE webhook_endpoints SET old_secret = secret, old_secret_until = $3, secret = $2
                 WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            db.query_opt(sql, &[&id.as_str(), &secret.as_bytes(), &at(*until)]).await?
        }
        EndpointChange::Enable => {
            let sql = concat!(
                "UPDATE webhook_endpoints SET disabled_at = NULL WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            db.query_opt(sql, &[&id.as_str()]).await?
        }
    };
    changed.as_ref().map(endpoint).transpose()
}

pub(super) async fn remove_endpoint(db: &Db, id: &EndpointId) -> Result<bool> {
    // Deletes the endpoint first: this waits for transactions that are inserting deliveries for it.
    db.execute("SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE", &[&id.as_str()]).await?;
    db.execute("DELETE FROM webhook_deliveries WHERE endpoint_id = $1", &[&id.as_str()]).await?;
    Ok(db.execute("DELETE FROM webhook_endpoints WHERE id = $1", &[&id.as_str()]).await? > 0)
}

pub(super) async fn ping(db: &Db, id: &EndpointId, now: Timestamp) -> Result<Option<Delivery>> {
    // Locks the endpoint, so that it is not deleted before the delivery is inserted.
    let sql = "SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR KEY SHARE";
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
         WHERE disabled_at IS NULL
           AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND due_at <= $1)"
    );
    db.query(sql, &[&at(now)]).await?.iter().map(endpoint).collect()
}
