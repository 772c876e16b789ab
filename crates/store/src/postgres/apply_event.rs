//! Applies events to transactions that nothing else has changed since they were read: most
//! responses of operators are such events.
//!
//! Lock order: idempotency records, transactions, payment links, checkout sessions.

use super::{batch_ops::WriteOp, day_totals, idempotency, ledger, outbox, transaction_rows};
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use tua_domain::{
    CheckoutId, Event, LinkId, Transaction, idempotency::StoredResponse, ledger::PostedBefore,
};
use tua_sql::postgres::{db::Db, error::Result};

/// A transaction after an event, computed from the version that the caller read. The update is
/// conditional on that version (optimistic concurrency), so that the row need not be read first.
pub(super) struct ApplyEvent {
    after: Transaction,
    /// What was posted for the version that the caller read.
    posted_before: PostedBefore,
    event: Event,
    response: Option<StoredResponse>,
}

impl ApplyEvent {
    pub(super) fn new(
        before: &Transaction,
        after: Transaction,
        event: Event,
        response: Option<StoredResponse>,
    ) -> Self {
        Self { after, posted_before: PostedBefore::of(before), event, response }
    }
}

/// Another event has changed the transaction since it was read.
pub(super) struct VersionConflict;

#[async_trait]
impl WriteOp for ApplyEvent {
    type Output = ();
    type Rejection = VersionConflict;

    fn conflict_keys(&self) -> Vec<String> {
        let order = &self.after.order;
        let checkout = order.checkout.as_ref().map(CheckoutId::as_str);
        let link = order.link.as_ref().map(LinkId::as_str);
        std::iter::once(order.id.as_str()).chain(checkout).chain(link).map(str::to_owned).collect()
    }

    /// A retry finds a higher version and reports a conflict.
    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Retry
    }

    async fn write(
        db: &Db,
        ops: &[&Self],
    ) -> Result<Vec<std::result::Result<(), VersionConflict>>> {
        let responses = ops.iter().filter_map(|op| op.response.as_ref()).collect();
        let mut events: Vec<_> = ops.iter().map(|op| (&op.after, &op.event)).collect();
        events.sort_unstable_by_key(|(after, _)| after.order.id.as_str());
        let posted: Vec<_> = ops.iter().map(|op| (op.posted_before, &op.after)).collect();
        let (_, updated, (), (), (), ()) = tokio::try_join!(
            biased;
            idempotency::record_responses(db, responses),
            transaction_rows::update(db, &events),
            transaction_rows::store_reports(db, &events),
            outbox::insert_events(db, &events),
            day_totals::count_final(db, &events),
            ledger::post(db, &posted),
        )?;
        let outcome = |op: &&Self| {
            updated.contains(op.after.order.id.as_str()).then_some(()).ok_or(VersionConflict)
        };
        Ok(ops.iter().map(outcome).collect())
    }
}
