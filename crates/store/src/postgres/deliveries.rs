//! Webhook deliveries and their outcomes.

use super::{
    batch_ops::{WriteOp, column},
    record::{at, maybe_at},
};
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use jiff::Timestamp;
use std::{collections::HashSet, convert::Infallible};
use tua_domain::{
    EndpointId,
    audit::AuditContext,
    webhook::{Delivery, DeliveryAttempt, DeliveryOutcome},
};
use tua_sql::{
    column_values,
    postgres::{db::Db, error::Result},
    queries::webhooks,
    rows::{delivery, delivery_columns},
};

/// Inserts deliveries. The transaction holds locks on their endpoints, so none is deleted
/// meanwhile.
pub(super) async fn insert(db: &Db, deliveries: &[Delivery]) -> Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    db.execute(
        "INSERT INTO webhook_deliveries
             (id, endpoint_id, webhook_id, type, subject, version, occurred_at, status, due_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], \
         $6::bigint[], $7::bigint[],
                              $8::text[], $9::bigint[])",
        &[
            &column(deliveries, |new| new.id.as_str()),
            &column(deliveries, |new| new.endpoint.as_str()),
            &column(deliveries, |new| &new.webhook_id),
            &column(deliveries, |new| new.event_type.as_str()),
            &column(deliveries, |new| column_values::subject_columns(new).0),
            &column(deliveries, |new| column_values::subject_columns(new).1.map(i64::from)),
            &column(deliveries, |new| at(new.occurred_at)),
            &column(deliveries, |new| new.status.as_str()),
            &column(deliveries, |new| maybe_at(new.due_at)),
        ],
    )
    .await
    .map(drop)
}

/// Leases due deliveries of an endpoint until `until`, oldest first.
pub(super) async fn lease(
    db: &Db,
    endpoint: &EndpointId,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Delivery>> {
    let sql = concat!(
        "WITH due AS (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND due_at <= $2
                      ORDER BY due_at, id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE webhook_deliveries SET due_at = $3 FROM due WHERE webhook_deliveries.id = due.id \
         RETURNING ",
        delivery_columns!()
    );
    let leased =
        db.query(sql, &[&endpoint.as_str(), &at(now), &at(until), &i64::from(limit)]).await?;
    let mut leased: Vec<Delivery> = leased.iter().map(delivery).collect::<Result<_>>()?;
    leased.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(leased)
}

/// The outcome of a delivery attempt.
pub(super) struct RecordAttempt {
    pub(super) sent: Delivery,
    pub(super) attempt: DeliveryAttempt,
    pub(super) by: AuditContext,
}

impl RecordAttempt {
    fn after(&self) -> Delivery {
        let mut delivery = self.sent.clone();
        delivery.record_attempt(&self.attempt, self.by.at);
        delivery
    }
}

/// Skips deliveries that were deleted, replayed or leased again since the attempt.
#[async_trait]
impl WriteOp for RecordAttempt {
    type Output = ();
    type Rejection = Infallible;

    fn conflict_keys(&self) -> Vec<String> {
        vec![self.sent.id.as_str().to_owned()]
    }

    /// A retry finds the delivery changed and skips it.
    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Retry
    }

    async fn write(db: &Db, ops: &[&Self]) -> Result<Vec<std::result::Result<(), Infallible>>> {
        let mut after: Vec<_> = ops.iter().map(|op| (&op.sent, op.after())).collect();
        after.sort_unstable_by_key(|(sent, _)| sent.id.as_str());
        let updated = update(db, &column(&after, |(sent, after)| (*sent, after))).await?;
        let gone = ops.iter().filter(|op| {
            op.attempt.outcome == DeliveryOutcome::Gone && updated.contains(op.sent.id.as_str())
        });
        for op in gone {
            webhooks::disable(db, &op.sent.endpoint, &op.by).await?;
        }
        Ok(ops.iter().map(|_| Ok(())).collect())
    }
}

/// Updates deliveries that are unchanged since they were read, and returns their ids. A lease or an
/// attempt changes `due_at`.
async fn update(db: &Db, deliveries: &[(&Delivery, &Delivery)]) -> Result<HashSet<String>> {
    let updated = db
        .query(
            "UPDATE webhook_deliveries
             SET status = after.status, attempts = after.attempts, due_at = after.due_at,
                 attempted_at = after.attempted_at, http_status = after.http_status, fault = \
             after.fault,
                 response = after.response
             FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], \
             $6::bigint[], $7::bigint[],
                         $8::bigint[], $9::bigint[], $10::text[], $11::text[])
                  AS after (id, status_before, attempts_before, due_before,
                            status, attempts, due_at, attempted_at, http_status, fault, response)
             WHERE webhook_deliveries.id = after.id AND webhook_deliveries.status = status_before
               AND webhook_deliveries.attempts = attempts_before
               AND webhook_deliveries.due_at IS NOT DISTINCT FROM due_before
             RETURNING after.id",
            &[
                &column(deliveries, |(before, _)| before.id.as_str()),
                &column(deliveries, |(before, _)| before.status.as_str()),
                &column(deliveries, |(before, _)| i64::from(before.attempts)),
                &column(deliveries, |(before, _)| maybe_at(before.due_at)),
                &column(deliveries, |(_, after)| after.status.as_str()),
                &column(deliveries, |(_, after)| i64::from(after.attempts)),
                &column(deliveries, |(_, after)| maybe_at(after.due_at)),
                &column(deliveries, |(_, after)| after.last.as_ref().map(|last| at(last.at))),
                &column(deliveries, |(_, after)| {
                    after.last.as_ref().and_then(|last| last.http_status).map(i64::from)
                }),
                &column(deliveries, |(_, after)| {
                    after.last.as_ref().and_then(|last| last.fault.as_deref())
                }),
                &column(deliveries, |(_, after)| {
                    after.last.as_ref().and_then(|last| last.response.as_deref())
                }),
            ],
        )
        .await?;
    updated.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
