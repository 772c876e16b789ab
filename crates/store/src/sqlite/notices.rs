//! Inserts webhook deliveries for notices, in the transaction of the change that they report.

use super::webhooks::{insert_delivery, recipients};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    Checkout, Scope,
    webhook::{EventType, notice::Notice},
};

/// Inserts deliveries for a new checkout session.
pub(super) fn insert_opened(db: &Connection, checkout: &Checkout) -> Result<()> {
    let news = Notice::of_checkout(&checkout.id, EventType::CheckoutOpened);
    insert_deliveries(db, &checkout.scope, news, checkout.created_at)
}

pub(super) fn insert_deliveries(
    db: &Connection,
    scope: &Scope,
    news: Notice,
    now: Timestamp,
) -> Result<()> {
    let deliveries = news.deliveries(&recipients(db, scope)?, now);
    deliveries.iter().try_for_each(|delivery| insert_delivery(db, delivery))
}
