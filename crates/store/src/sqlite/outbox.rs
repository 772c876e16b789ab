//! The transactional outbox: webhook deliveries are inserted in the transaction of the change that
//! they report.

use super::{checkouts, expiry::apply_expiry, links, notices::insert_deliveries, transaction_rows};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    Event, Transaction,
    mail::QueuedMail,
    rules::{self, DELAYED_AFTER},
    webhook::{
        EventType,
        notice::{self, Notice},
    },
};
use tua_sql::{
    queries::{
        advanced_payments::{self, is_delayed},
        mail,
    },
    sqlite::sql::ready,
};

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

/// Whether [`announce_overdue`] would find anything.
pub(super) fn is_anything_overdue(db: &Connection, now: Timestamp) -> Result<bool> {
    db.prepare_cached(concat!(
        "SELECT EXISTS (SELECT 1 FROM transactions
                        WHERE status = 'PENDING' AND delayed_at IS NULL AND handed_over_at <= ?1)
             OR EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_undelayed_advanced
                        WHERE ",
        is_delayed!("?1"),
        ")
             OR EXISTS (SELECT 1 FROM checkouts WHERE expiry_due <= ?2)",
    ))?
    .query_row(((now - DELAYED_AFTER).as_millisecond(), now.as_millisecond()), |row| row.get(0))
}

/// Inserts deliveries for delayed transactions and expired sessions; returns how many of both there
/// were.
pub(super) fn announce_overdue(db: &Connection, now: Timestamp, limit: u32) -> Result<usize> {
    let handed_over_before = now - DELAYED_AFTER;
    let mut delayed = transaction_rows::take_delayed(db, handed_over_before, now, limit)?;
    delayed.extend(ready(advanced_payments::take_delayed(db, handed_over_before, now, limit))?);
    for transaction in &delayed {
        insert_deliveries(db, &transaction.order.scope, Notice::of_delay(transaction), now)?;
    }
    let expired = checkouts::take_expired(db, now, limit)?;
    for checkout in &expired {
        let expiry = rules::expiry(checkout, &checkouts::standing(db, &checkout.id)?, now);
        apply_expiry(db, checkout, expiry, now)?;
    }
    Ok(delayed.len() + expired.len())
}
