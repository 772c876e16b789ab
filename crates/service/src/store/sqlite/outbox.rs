//! What merchants are to hear, written in the transaction of what it tells of.

use super::{
    checkouts, transactions,
    webhooks::{endpoints_hearing, insert_delivery},
};
use crate::{
    domain::{Checkout, Event, Scope, Transaction, webhook::EventType},
    store::rules::{self, DELAYED_AFTER, Expiry, News},
};
use jiff::Timestamp;
use rusqlite::{Connection, Result};

/// Tells of an event that a transaction has taken in.
pub(super) fn announce(db: &Connection, transaction: &Transaction, event: &Event) -> Result<()> {
    let pays = match rules::may_pay(transaction, event) {
        Some(checkout) => rules::is_first_payment(&checkouts::charges(db, checkout)?, transaction),
        None => false,
    };
    let (scope, now) = (&transaction.begun.scope, transaction.updated_at);
    News::of_event(transaction, event, pays).into_iter().try_for_each(|news| emit(db, scope, news, now))
}

/// Tells of a new session.
pub(super) fn opened(db: &Connection, checkout: &Checkout) -> Result<()> {
    let news = News::of_checkout(&checkout.id, EventType::CheckoutOpened);
    emit(db, &checkout.scope, news, checkout.created_at)
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
        emit(db, &transaction.begun.scope, News::of_delay(transaction), now)?;
    }
    let expired = checkouts::take_expired(db, now, most)?;
    for checkout in &expired {
        match rules::expiry(checkout, &checkouts::standing(db, &checkout.id)?, now) {
            Expiry::Paid => {}
            Expiry::Later(at) => checkouts::expire_later(db, &checkout.id, at)?,
            Expiry::Unpaid(news) => emit(db, &checkout.scope, news, now)?,
            Expiry::Unused(news) => {
                checkouts::mark_unused(db, checkout)?;
                emit(db, &checkout.scope, news, now)?;
            }
        }
    }
    Ok(delayed.len() + expired.len())
}

fn emit(db: &Connection, scope: &Scope, news: News, now: Timestamp) -> Result<()> {
    let deliveries = news.deliveries(&endpoints_hearing(db, scope)?, now);
    deliveries.iter().try_for_each(|delivery| insert_delivery(db, delivery))
}
