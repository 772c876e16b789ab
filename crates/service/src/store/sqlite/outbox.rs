//! What merchants are to hear, written in the transaction of what it tells of.

use super::{
    checkouts, transactions,
    webhooks::{endpoints_hearing, insert_delivery},
};
use crate::{
    domain::{Checkout, CheckoutId, Event, Scope, Transaction},
    webhooks::{Delivery, EventType, delivery::Subject},
};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Result};
use uuid::Uuid;

/// From here on a pending transaction is reported as delayed (contract section 8).
const DELAYED_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// When a session whose last charge was pending at its expiry is looked at again.
const EXPIRED_LATER: SignedDuration = SignedDuration::from_mins(1);

/// Tells of an event that a transaction has taken in.
pub(super) fn announce(db: &Connection, transaction: &Transaction, event: &Event) -> Result<()> {
    let (scope, now) = (&transaction.begun.scope, transaction.updated_at);
    if let Some(event_type) = EventType::of(transaction, event) {
        emit(db, scope, event_type, || subject(transaction), now)?;
    }
    match &transaction.begun.checkout {
        Some(checkout) if EventType::pays(event) && is_first_payment(db, checkout, transaction)? => {
            emit(db, scope, EventType::CheckoutPaid, || Subject::Checkout(checkout.clone()), now)
        }
        _ => Ok(()),
    }
}

/// Tells of a new session.
pub(super) fn opened(db: &Connection, checkout: &Checkout) -> Result<()> {
    let subject = || Subject::Checkout(checkout.id.clone());
    emit(db, &checkout.scope, EventType::CheckoutOpened, subject, checkout.created_at)
}

pub(super) fn is_anything_overdue(db: &Connection, now: Timestamp) -> Result<bool> {
    db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM transactions
                        WHERE status = 'PENDING' AND delayed_at IS NULL AND created_at <= ?1)
             OR EXISTS (SELECT 1 FROM checkouts WHERE expiry_due <= ?2)",
    )?
    .query_row(((now - DELAYED_AFTER).as_millisecond(), now.as_millisecond()), |row| row.get(0))
}

/// Tells what only the clock says, and returns how many rows that concerned.
pub(super) fn announce_overdue(db: &Connection, now: Timestamp, most: u32) -> Result<usize> {
    let delayed = transactions::take_delayed(db, now - DELAYED_AFTER, now, most)?;
    for transaction in &delayed {
        let event_type = EventType::delayed(transaction.begun.kind);
        emit(db, &transaction.begun.scope, event_type, || subject(transaction), now)?;
    }
    let expired = checkouts::take_expired(db, now, most)?;
    for checkout in &expired {
        let standing = checkouts::standing(db, &checkout.id)?;
        match standing.as_str() {
            "PAID" => {}
            // Decided any moment now; only then is it known whether the session ends unpaid.
            "PENDING" => checkouts::expire_later(db, &checkout.id, now + EXPIRED_LATER)?,
            _ => {
                let subject = || Subject::Checkout(checkout.id.clone());
                emit(db, &checkout.scope, EventType::CheckoutExpired, subject, now)?;
            }
        }
    }
    Ok(delayed.len() + expired.len())
}

fn emit(
    db: &Connection,
    scope: &Scope,
    event_type: EventType,
    subject: impl Fn() -> Subject,
    now: Timestamp,
) -> Result<()> {
    let webhook_id = format!("msg_{}", Uuid::now_v7().simple());
    for endpoint in endpoints_hearing(db, scope)? {
        insert_delivery(db, &Delivery::new(endpoint, webhook_id.clone(), event_type, subject(), now))?;
    }
    Ok(())
}

fn subject(transaction: &Transaction) -> Subject {
    Subject::Transaction(transaction.begun.id.clone(), transaction.version)
}

/// Whether nothing else had paid the session. After a contradiction something may have.
fn is_first_payment(db: &Connection, checkout: &CheckoutId, transaction: &Transaction) -> Result<bool> {
    let charges = checkouts::charges(db, checkout)?;
    Ok(charges.iter().filter(|charge| charge.begun.id != transaction.begun.id).all(|charge| !charge.is_paid()))
}
