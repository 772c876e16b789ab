//! The transactional outbox: webhook deliveries are inserted in the transaction of the change that
//! they report.

use super::{
    checkouts::{self, LockedCheckout},
    expiry::apply_expiry,
    links,
    notices::insert_deliveries,
    receipts,
    record::at,
    transaction_rows,
};
use jiff::Timestamp;
use std::collections::HashMap;
use tua_domain::{
    CheckoutId, Event, Transaction,
    mail::QueuedMail,
    rules::{self, DELAYED_AFTER},
    webhook::{
        EventType,
        notice::{self, Notice},
    },
};
use tua_sql::{
    postgres::{db::Db, error::Result},
    queries::advanced_payments::{self, is_delayed},
};

/// Inserts deliveries for the events of transactions.
pub(super) async fn insert_events(db: &Db, applied: &[(&Transaction, &Event)]) -> Result<()> {
    let paying = applied.iter().filter_map(|(transaction, event)| {
        Some((notice::checkout_paid_by(transaction, event)?, *transaction))
    });
    let (mut changed, paid): (Vec<&CheckoutId>, Vec<&Transaction>) = paying.unzip();
    links::mark_used(db, &paid).await?;
    changed.extend(
        applied
            .iter()
            .filter_map(|(transaction, event)| notice::checkout_attempted_by(transaction, event)),
    );
    let sessions = checkouts::lock(db, &changed).await?;
    let notices = applied.iter().flat_map(|(transaction, event)| {
        let session_event = session_event(&sessions, transaction, event);
        let scope = &transaction.order.scope;
        let now = transaction.updated_at;
        let notices = Notice::of_event(transaction, event, session_event);
        notices.into_iter().map(move |notice| (scope, notice, now))
    });
    insert_deliveries(db, notices.collect()).await?;
    let receipts =
        applied.iter().filter_map(|(transaction, event)| QueuedMail::receipt(transaction, event));
    receipts::insert(db, &receipts.collect::<Vec<_>>()).await
}

/// What an event of a charge means for its session, one of `sessions`.
fn session_event(
    sessions: &HashMap<CheckoutId, LockedCheckout>,
    transaction: &Transaction,
    event: &Event,
) -> Option<EventType> {
    if let Some(session) =
        notice::checkout_paid_by(transaction, event).and_then(|id| sessions.get(id))
    {
        return notice::first_payment(&session.charges, transaction);
    }
    let session =
        notice::checkout_attempted_by(transaction, event).and_then(|id| sessions.get(id))?;
    notice::failed_attempt(&session.window, &session.charges, transaction)
}

/// Whether [`announce_overdue`] would find anything.
pub(super) async fn is_anything_overdue(db: &Db, now: Timestamp) -> Result<bool> {
    let found = db
        .query_opt(
            concat!(
                "SELECT 1 WHERE EXISTS (SELECT 1 FROM transactions
                                    WHERE status = 'PENDING' AND delayed_at IS NULL AND \
                 handed_over_at <= $1)
                         OR EXISTS (SELECT 1 FROM transactions WHERE ",
                is_delayed!("$1"),
                ")
                         OR EXISTS (SELECT 1 FROM checkouts WHERE expiry_due <= $2)"
            ),
            &[&at(now - DELAYED_AFTER), &at(now)],
        )
        .await?;
    Ok(found.is_some())
}

/// Inserts deliveries for delayed transactions and expired sessions; returns how many of both there
/// were.
pub(super) async fn announce_overdue(db: &Db, now: Timestamp, limit: u32) -> Result<usize> {
    let handed_over_before = now - DELAYED_AFTER;
    let mut delayed = transaction_rows::take_delayed(db, handed_over_before, now, limit).await?;
    delayed.extend(advanced_payments::take_delayed(db, handed_over_before, now, limit).await?);
    insert_deliveries(
        db,
        delayed.iter().map(|late| (&late.order.scope, Notice::of_delay(late), now)).collect(),
    )
    .await?;
    let expired = checkouts::take_expired(db, now, limit).await?;
    for checkout in &expired {
        let expiry = rules::expiry(checkout, &checkouts::standing(db, &checkout.id).await?, now);
        apply_expiry(db, checkout, expiry, now).await?;
    }
    Ok(delayed.len() + expired.len())
}
