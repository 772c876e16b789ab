//! What merchants are to hear, written in the transaction of what it tells of.

use super::{
    checkouts,
    error::Result,
    record::at,
    session::Db,
    transactions,
    webhooks::{endpoints_hearing, insert_delivery},
};
use crate::{
    domain::{Checkout, Event, Scope, Transaction},
    store::rules::{self, DELAYED_AFTER, Expiry, News},
    webhooks::EventType,
};
use jiff::Timestamp;

/// Tells of an event that a transaction has taken in.
pub(super) async fn announce(db: &Db, transaction: &Transaction, event: &Event) -> Result<()> {
    let pays = match rules::may_pay(transaction, event) {
        Some(checkout) => rules::is_first_payment(&checkouts::locked_charges(db, checkout).await?, transaction),
        None => false,
    };
    let (scope, now) = (&transaction.begun.scope, transaction.updated_at);
    emit(db, scope, News::of_event(transaction, event, pays), now).await
}

/// Tells of a new session.
pub(super) async fn opened(db: &Db, checkout: &Checkout) -> Result<()> {
    let news = News::of_checkout(&checkout.id, EventType::CheckoutOpened);
    emit(db, &checkout.scope, vec![news], checkout.created_at).await
}

pub(super) async fn is_anything_overdue(db: &Db, now: Timestamp) -> Result<bool> {
    let found = db
        .one(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM transactions
                                    WHERE status = 'PENDING' AND delayed_at IS NULL AND created_at <= $1)
                         OR EXISTS (SELECT 1 FROM checkouts WHERE expiry_due <= $2)",
            &[&at(now - DELAYED_AFTER), &at(now)],
        )
        .await?;
    Ok(found.is_some())
}

/// Tells what only the clock says, and returns how many rows that concerned.
pub(super) async fn announce_overdue(db: &Db, now: Timestamp, most: u32) -> Result<usize> {
    let delayed = transactions::take_delayed(db, now - DELAYED_AFTER, now, most).await?;
    for transaction in &delayed {
        emit(db, &transaction.begun.scope, vec![News::of_delay(transaction)], now).await?;
    }
    let expired = checkouts::take_expired(db, now, most).await?;
    for checkout in &expired {
        let standing = checkouts::standing(db, &checkout.id).await?;
        match rules::expiry(checkout, &standing, now) {
            Expiry::Paid => {}
            Expiry::Later(later) => checkouts::expire_later(db, &checkout.id, later).await?,
            Expiry::Unpaid(news) => emit(db, &checkout.scope, vec![news], now).await?,
            Expiry::Unused(news) => {
                checkouts::mark_unused(db, checkout).await?;
                emit(db, &checkout.scope, vec![news], now).await?;
            }
        }
    }
    Ok(delayed.len() + expired.len())
}

async fn emit(db: &Db, scope: &Scope, news: Vec<News>, now: Timestamp) -> Result<()> {
    if news.is_empty() {
        return Ok(());
    }
    let endpoints = endpoints_hearing(db, scope).await?;
    for delivery in news.into_iter().flat_map(|news| news.deliveries(&endpoints, now)) {
        insert_delivery(db, &delivery).await?;
    }
    Ok(())
}
