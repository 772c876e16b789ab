//! Deliveries: what endpoints are to hear, and what came of it.

use super::{
    db::Db,
    doubt::InDoubt,
    error::Result,
    listing::Wanted,
    record::{at, maybe_at},
    together::{Write, column},
};
use crate::{
    domain::{DeliveryId, EndpointId},
    store::{outbox::DeliveryFilter, rows::delivery, rules},
    webhooks::{Attempted, Delivery, delivery::Progress},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{collections::HashSet, convert::Infallible};

macro_rules! delivery_columns {
    () => {
        "webhook_deliveries.id, endpoint_id, webhook_id, type, subject, version, occurred_at, status, attempts,
         due_at, attempted_at, http_status, fault"
    };
}

/// For endpoints that the transaction keeps from being removed.
pub(super) async fn insert(db: &Db, deliveries: &[Delivery]) -> Result<()> {
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

pub(super) async fn list(db: &Db, filter: &DeliveryFilter) -> Result<Vec<Delivery>> {
    let mut wanted = Wanted::default();
    wanted.add("endpoint_id =", filter.endpoint.as_ref().map(EndpointId::as_str));
    wanted.add("status =", filter.progress.map(Progress::as_str));
    let found =
        wanted.rows(db, concat!("SELECT ", delivery_columns!(), " FROM webhook_deliveries"), "id DESC", filter.limit);
    found.await?.iter().map(delivery).collect()
}

pub(super) async fn replay(db: &Db, id: &DeliveryId, now: Timestamp) -> Result<Option<Delivery>> {
    let Some(before) = locked_delivery(db, id).await? else { return Ok(None) };
    let mut delivery = before.clone();
    delivery.replay(now);
    update(db, &[(&before, &delivery)]).await?;
    Ok(Some(delivery))
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

/// What came of an attempt to deliver.
pub(super) struct Attempting {
    pub(super) sent: Delivery,
    pub(super) attempted: Attempted,
    pub(super) now: Timestamp,
}

impl Attempting {
    fn after(&self) -> Delivery {
        let mut delivery = self.sent.clone();
        delivery.take(&self.attempted, self.now);
        delivery
    }
}

/// A delivery that was removed, replayed or leased anew meanwhile stands as it is.
#[async_trait]
impl Write for Attempting {
    type Done = ();
    type Refusal = Infallible;

    fn names(&self) -> Vec<String> {
        vec![self.sent.id.as_str().to_owned()]
    }

    /// It would find none as they were.
    fn doubt(&self) -> InDoubt<'_> {
        InDoubt::Repeat
    }

    async fn write(db: &Db, these: &[&Self]) -> Result<Vec<std::result::Result<(), Infallible>>> {
        let mut after: Vec<_> = these.iter().map(|one| (&one.sent, one.after())).collect();
        after.sort_unstable_by_key(|(sent, _)| sent.id.as_str());
        let updated = update(db, &column(&after, |(sent, after)| (*sent, after))).await?;
        let gone =
            these.iter().filter(|one| one.attempted == Attempted::Gone && updated.contains(one.sent.id.as_str()));
        for one in gone {
            let sql = "UPDATE webhook_endpoints SET disabled_at = coalesce(disabled_at, $2) WHERE id = $1";
            db.run(sql, &[&one.sent.endpoint.as_str(), &at(one.now)]).await?;
        }
        Ok(these.iter().map(|_| Ok(())).collect())
    }
}

/// Writes deliveries over what they were, and returns the ids of those that were still so. Each lease and each
/// attempt moves the moment when one is due.
async fn update(db: &Db, deliveries: &[(&Delivery, &Delivery)]) -> Result<HashSet<String>> {
    let updated = db
        .all(
            "UPDATE webhook_deliveries
             SET status = after.status, attempts = after.attempts, due_at = after.due_at,
                 attempted_at = after.attempted_at, http_status = after.http_status, fault = after.fault
             FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[],
                         $8::bigint[], $9::bigint[], $10::text[])
                  AS after (id, status_before, attempts_before, due_before,
                            status, attempts, due_at, attempted_at, http_status, fault)
             WHERE webhook_deliveries.id = after.id AND webhook_deliveries.status = status_before
               AND webhook_deliveries.attempts = attempts_before
               AND webhook_deliveries.due_at IS NOT DISTINCT FROM due_before
             RETURNING after.id",
            &[
                &column(deliveries, |(before, _)| before.id.as_str()),
                &column(deliveries, |(before, _)| before.progress.as_str()),
                &column(deliveries, |(before, _)| i64::from(before.attempts)),
                &column(deliveries, |(before, _)| maybe_at(before.due_at)),
                &column(deliveries, |(_, after)| after.progress.as_str()),
                &column(deliveries, |(_, after)| i64::from(after.attempts)),
                &column(deliveries, |(_, after)| maybe_at(after.due_at)),
                &column(deliveries, |(_, after)| after.last.as_ref().map(|last| at(last.at))),
                &column(deliveries, |(_, after)| after.last.as_ref().and_then(|last| last.http_status).map(i64::from)),
                &column(deliveries, |(_, after)| after.last.as_ref().and_then(|last| last.fault.as_deref())),
            ],
        )
        .await?;
    updated.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

async fn locked_delivery(db: &Db, id: &DeliveryId) -> Result<Option<Delivery>> {
    let sql = concat!("SELECT ", delivery_columns!(), " FROM webhook_deliveries WHERE id = $1 FOR NO KEY UPDATE");
    db.one(sql, &[&id.as_str()]).await?.as_ref().map(delivery).transpose()
}
