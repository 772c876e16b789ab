//! Endpoints and deliveries.

use super::{
    error::Result,
    record::{at, maybe_at},
    session::Db,
    together::column,
};
use crate::{
    domain::{AccountId, DeliveryId, EndpointId, Scope},
    store::{
        columns,
        outbox::{DeliveryFilter, EndpointChange},
        rows::{delivery, endpoint},
        rules,
    },
    webhooks::{Attempted, Delivery, Endpoint, delivery::Progress},
};
use jiff::Timestamp;
use std::collections::HashMap;

macro_rules! endpoint_columns {
    () => {
        "id, account_id, mode, url, secret, old_secret, old_secret_until, created_at, disabled_at"
    };
}

macro_rules! delivery_columns {
    () => {
        "webhook_deliveries.id, endpoint_id, webhook_id, type, subject, version, occurred_at, status, attempts,
         due_at, attempted_at, http_status, fault"
    };
}

pub(super) async fn insert_endpoint(db: &Db, endpoint: &Endpoint) -> Result<()> {
    db.run(
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
    db.all(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(endpoint).collect()
}

pub(super) async fn endpoint_by_id(db: &Db, id: &EndpointId) -> Result<Option<Endpoint>> {
    let sql = concat!("SELECT ", endpoint_columns!(), " FROM webhook_endpoints WHERE id = $1");
    db.one(sql, &[&id.as_str()]).await?.as_ref().map(endpoint).transpose()
}

/// Who hears of the events of scopes. Until the transaction ends none of them is removed.
pub(super) async fn endpoints_hearing(db: &Db, scopes: &[&Scope]) -> Result<HashMap<Scope, Vec<EndpointId>>> {
    let found = db
        .all(
            "SELECT id, account_id, mode FROM webhook_endpoints
             JOIN unnest($1::text[], $2::text[]) AS hearing (account_id, mode) USING (account_id, mode)
             WHERE disabled_at IS NULL ORDER BY id FOR KEY SHARE OF webhook_endpoints",
            &[&column(scopes, |scope| scope.account.as_str()), &column(scopes, |scope| scope.mode.as_str())],
        )
        .await?;
    let mut hearing: HashMap<Scope, Vec<EndpointId>> = HashMap::new();
    for row in found {
        hearing.entry(columns::scope(&row)?).or_default().push(EndpointId::new(columns::text(&row, "id")?));
    }
    Ok(hearing)
}

pub(super) async fn change_endpoint(db: &Db, id: &EndpointId, change: &EndpointChange) -> Result<Option<Endpoint>> {
    let changed = match change {
        EndpointChange::Rotate(secret, until) => {
            let sql = concat!(
                "UPDATE webhook_endpoints SET old_secret = secret, old_secret_until = $3, secret = $2
                 WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            db.one(sql, &[&id.as_str(), &secret.as_bytes(), &at(*until)]).await?
        }
        EndpointChange::Enable => {
            let sql = concat!(
                "UPDATE webhook_endpoints SET disabled_at = NULL WHERE id = $1 RETURNING ",
                endpoint_columns!()
            );
            db.one(sql, &[&id.as_str()]).await?
        }
    };
    changed.as_ref().map(endpoint).transpose()
}

pub(super) async fn remove_endpoint(db: &Db, id: &EndpointId) -> Result<bool> {
    // First the endpoint, so that a delivery that is just being written for it is waited for.
    db.run("SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE", &[&id.as_str()]).await?;
    db.run("DELETE FROM webhook_deliveries WHERE endpoint_id = $1", &[&id.as_str()]).await?;
    Ok(db.run("DELETE FROM webhook_endpoints WHERE id = $1", &[&id.as_str()]).await? > 0)
}

pub(super) async fn ping(db: &Db, id: &EndpointId, now: Timestamp) -> Result<Option<Delivery>> {
    // A delivery for an endpoint that is just being removed would stay behind.
    let sql = "SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR KEY SHARE";
    if db.one(sql, &[&id.as_str()]).await?.is_none() {
        return Ok(None);
    }
    let delivery = rules::ping(id, now);
    insert_deliveries(db, std::slice::from_ref(&delivery)).await?;
    Ok(Some(delivery))
}

/// For endpoints that the transaction keeps from being removed.
pub(super) async fn insert_deliveries(db: &Db, deliveries: &[Delivery]) -> Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    db.run(
        "INSERT INTO webhook_deliveries
             (id, endpoint_id, webhook_id, type, subject, version, occurred_at, status, due_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
                              $8::text[], $9::bigint[])",
        &[
            &column(deliveries, |new| new.id.as_str()),
            &column(deliveries, |new| new.endpoint.as_str()),
            &column(deliveries, |new| &new.webhook_id),
            &column(deliveries, |new| new.event_type.as_str()),
            &column(deliveries, |new| rules::subject_columns(new).0),
            &column(deliveries, |new| rules::subject_columns(new).1.map(i64::from)),
            &column(deliveries, |new| at(new.occurred_at)),
            &column(deliveries, |new| new.progress.as_str()),
            &column(deliveries, |new| maybe_at(new.due_at)),
        ],
    )
    .await
    .map(drop)
}

pub(super) async fn deliveries(db: &Db, filter: &DeliveryFilter) -> Result<Vec<Delivery>> {
    let sql = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM webhook_deliveries
         WHERE ($1::text IS NULL OR endpoint_id = $1) AND ($2::text IS NULL OR status = $2) ORDER BY id DESC LIMIT $3"
    );
    let endpoint = filter.endpoint.as_ref().map(EndpointId::as_str);
    let found = db.all(sql, &[&endpoint, &filter.progress.map(Progress::as_str), &i64::from(filter.limit)]).await?;
    found.iter().map(delivery).collect()
}

pub(super) async fn replay(db: &Db, id: &DeliveryId, now: Timestamp) -> Result<Option<Delivery>> {
    let Some(mut delivery) = locked_delivery(db, id).await? else { return Ok(None) };
    delivery.replay(now);
    update(db, &delivery).await?;
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
    db.all(sql, &[&at(now)]).await?.iter().map(endpoint).collect()
}

pub(super) async fn lease(
    db: &Db,
    endpoint: &EndpointId,
    now: Timestamp,
    until: Timestamp,
    most: u32,
) -> Result<Vec<Delivery>> {
    let sql = concat!(
        "WITH due AS (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND due_at <= $2
                      ORDER BY due_at, id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE webhook_deliveries SET due_at = $3 FROM due WHERE webhook_deliveries.id = due.id RETURNING ",
        delivery_columns!()
    );
    let leased = db.all(sql, &[&endpoint.as_str(), &at(now), &at(until), &i64::from(most)]).await?;
    let mut leased: Vec<Delivery> = leased.iter().map(delivery).collect::<Result<_>>()?;
    leased.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(leased)
}

/// A delivery that was removed, replayed or leased anew meanwhile stands as it is.
pub(super) async fn attempted(db: &Db, sent: &Delivery, attempted: &Attempted, now: Timestamp) -> Result<()> {
    if locked_delivery(db, &sent.id).await?.as_ref() != Some(sent) {
        return Ok(());
    }
    let mut delivery = sent.clone();
    delivery.take(attempted, now);
    update(db, &delivery).await?;
    if *attempted == Attempted::Gone {
        db.run(
            "UPDATE webhook_endpoints SET disabled_at = coalesce(disabled_at, $2) WHERE id = $1",
            &[&delivery.endpoint.as_str(), &at(now)],
        )
        .await?;
    }
    Ok(())
}

async fn update(db: &Db, delivery: &Delivery) -> Result<()> {
    let last = delivery.last.as_ref();
    db.run(
        "UPDATE webhook_deliveries SET status = $2, attempts = $3, due_at = $4, attempted_at = $5, http_status = $6,
             fault = $7 WHERE id = $1",
        &[
            &delivery.id.as_str(),
            &delivery.progress.as_str(),
            &i64::from(delivery.attempts),
            &maybe_at(delivery.due_at),
            &last.map(|last| at(last.at)),
            &last.and_then(|last| last.http_status).map(i64::from),
            &last.and_then(|last| last.fault.as_deref()),
        ],
    )
    .await
    .map(drop)
}

async fn locked_delivery(db: &Db, id: &DeliveryId) -> Result<Option<Delivery>> {
    let sql = concat!("SELECT ", delivery_columns!(), " FROM webhook_deliveries WHERE id = $1 FOR NO KEY UPDATE");
    db.one(sql, &[&id.as_str()]).await?.as_ref().map(delivery).transpose()
}
