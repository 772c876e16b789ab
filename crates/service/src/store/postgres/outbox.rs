//! What merchants are to hear, written in the transaction of what it tells of.

use super::{checkouts, db::Db, deliveries, error::Result, record::at, transactions, webhooks::endpoints_hearing};
use crate::{
    domain::{Checkout, CheckoutId, Event, Scope, Transaction},
    store::rules::{self, DELAYED_AFTER, Expiry, News},
    webhooks::EventType,
};
use jiff::Timestamp;
use std::collections::HashSet;

/// Tells of events that transactions have taken in.
pub(super) async fn announce(db: &Db, taken: &[(&Transaction, &Event)]) -> Result<()> {
    let paying: Vec<&CheckoutId> =
        taken.iter().filter_map(|(transaction, event)| rules::may_pay(transaction, event)).collect();
    let charges = checkouts::locked_charges(db, &paying).await?;
    let news = taken.iter().flat_map(|(transaction, event)| {
        let session = rules::may_pay(transaction, event).and_then(|session| charges.get(session));
        let pays = session.is_some_and(|charges| rules::is_first_payment(charges, transaction));
        let (scope, now) = (&transaction.begun.scope, transaction.updated_at);
        News::of_event(transaction, event, pays).into_iter().map(move |news| (scope, news, now))
    });
    emit(db, news.collect()).await
}

/// Tells of new sessions.
pub(super) async fn opened(db: &Db, checkouts: &[&Checkout]) -> Result<()> {
    let news = checkouts.iter().map(|checkout| {
        let opened = News::of_checkout(&checkout.id, EventType::CheckoutOpened);
        (&checkout.scope, opened, checkout.created_at)
    });
    emit(db, news.collect()).await
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
    emit(db, delayed.iter().map(|late| (&late.begun.scope, News::of_delay(late), now)).collect()).await?;
    let expired = checkouts::take_expired(db, now, most).await?;
    for checkout in &expired {
        let standing = checkouts::standing(db, &checkout.id).await?;
        match rules::expiry(checkout, &standing, now) {
            Expiry::Paid => {}
            Expiry::Later(later) => checkouts::expire_later(db, &checkout.id, later).await?,
            Expiry::Unpaid(news) => emit(db, vec![(&checkout.scope, news, now)]).await?,
            Expiry::Unused(news) => {
                checkouts::mark_unused(db, checkout).await?;
                emit(db, vec![(&checkout.scope, news, now)]).await?;
            }
        }
    }
    Ok(delayed.len() + expired.len())
}

/// Writes down who is to hear of what.
async fn emit(db: &Db, news: Vec<(&Scope, News, Timestamp)>) -> Result<()> {
    if news.is_empty() {
        return Ok(());
    }
    let scopes: HashSet<&Scope> = news.iter().map(|(scope, ..)| *scope).collect();
    let endpoints = endpoints_hearing(db, &scopes.into_iter().collect::<Vec<_>>()).await?;
    let addressed = |(scope, news, now): (&Scope, News, Timestamp)| {
        let hearing = endpoints.get(scope).map_or(&[][..], Vec::as_slice);
        news.deliveries(hearing, now)
    };
    deliveries::insert(db, &news.into_iter().flat_map(addressed).collect::<Vec<_>>()).await
}
