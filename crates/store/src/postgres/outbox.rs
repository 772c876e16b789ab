//! The transactional outbox: webhook deliveries are inserted in the transaction of the change that
//! they report.

use super::{
    checkouts::{self, LockedCheckout},
    links,
    notices::insert_deliveries,
    receipts,
};
use std::collections::HashMap;
use tua_domain::{
    CheckoutId, Event, Transaction,
    mail::QueuedMail,
    webhook::{
        EventType,
        notice::{self, Notice},
    },
};
use tua_sql::postgres::{db::Db, error::Result};

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
