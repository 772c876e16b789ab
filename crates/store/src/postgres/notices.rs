//! Inserts webhook deliveries for notices, in the transaction of the change that they report.

use super::{deliveries, webhooks::lock_endpoints};
use jiff::Timestamp;
use std::collections::HashSet;
use tua_domain::{
    Checkout, Scope,
    webhook::{EventType, notice::Notice},
};
use tua_sql::postgres::{db::Db, error::Result};

/// Inserts deliveries for new checkout sessions.
pub(super) async fn insert_opened(db: &Db, checkouts: &[&Checkout]) -> Result<()> {
    let news = checkouts.iter().map(|checkout| {
        let opened = Notice::of_checkout(&checkout.id, EventType::CheckoutOpened);
        (&checkout.scope, opened, checkout.created_at)
    });
    insert_deliveries(db, news.collect()).await
}

/// Inserts a delivery for each endpoint that is subscribed.
pub(super) async fn insert_deliveries(
    db: &Db,
    news: Vec<(&Scope, Notice, Timestamp)>,
) -> Result<()> {
    if news.is_empty() {
        return Ok(());
    }
    let scopes: HashSet<&Scope> = news.iter().map(|(scope, ..)| *scope).collect();
    let endpoints = lock_endpoints(db, &scopes.into_iter().collect::<Vec<_>>()).await?;
    let addressed = |(scope, news, now): (&Scope, Notice, Timestamp)| {
        let recipients = endpoints.get(scope).map_or(&[][..], Vec::as_slice);
        news.deliveries(recipients, now)
    };
    deliveries::insert(db, &news.into_iter().flat_map(addressed).collect::<Vec<_>>()).await
}
