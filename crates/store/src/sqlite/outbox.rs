//! The transactional outbox: webhook deliveries are inserted in the transaction of the change that
//! they report.

use super::{checkouts, links, notices::insert_deliveries};
use rusqlite::{Connection, Result};
use tua_domain::{
    Event, Transaction,
    mail::QueuedMail,
    webhook::{
        EventType,
        notice::{self, Notice},
    },
};
use tua_sql::{queries::mail, sqlite::sql::ready};

/// Inserts deliveries for an event of a transaction.
pub(super) fn insert_events(
    db: &Connection,
    transaction: &Transaction,
    event: &Event,
) -> Result<()> {
    let session_event = session_event(db, transaction, event)?;
    if session_event == Some(EventType::CheckoutPaid) {
        links::mark_used(db, transaction)?;
    }
    if let Some(receipt) = QueuedMail::receipt(transaction, event) {
        ready(mail::insert(db, &receipt))?;
    }
    let scope = &transaction.order.scope;
    let now = transaction.updated_at;
    let notices = Notice::of_event(transaction, event, session_event);
    notices.into_iter().try_for_each(|notice| insert_deliveries(db, scope, notice, now))
}

/// What an event of a charge means for its session.
fn session_event(
    db: &Connection,
    transaction: &Transaction,
    event: &Event,
) -> Result<Option<EventType>> {
    if let Some(checkout) = notice::checkout_paid_by(transaction, event) {
        return Ok(notice::first_payment(&checkouts::charges(db, checkout)?, transaction));
    }
    let Some(checkout) = notice::checkout_attempted_by(transaction, event) else { return Ok(None) };
    let window = checkouts::charge_window(db, checkout)?;
    Ok(notice::failed_attempt(&window, &checkouts::charges(db, checkout)?, transaction))
}
