//! The body of a webhook: what an event looked like when it happened, as a secret key sees it.
//!
//! It is not stored: a transaction at a version follows from its events, which never change.

use crate::{
    api::resources::{SessionView, TransactionView, iso},
    domain::{
        Checkout, CheckoutSummary, Transaction,
        listing::{Filter, Page},
        ports::{Store, StoreError},
        webhook::{Delivery, delivery::Subject},
    },
};
use jiff::Timestamp;
use serde::Serialize;

/// docs/reference/webhooks.md.
#[derive(Serialize)]
struct Body<T> {
    r#type: &'static str,
    #[serde(serialize_with = "iso")]
    timestamp: Timestamp,
    data: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PingView<'a> {
    endpoint_id: &'a str,
}

/// The JSON text of a delivery.
///
/// # Errors
/// The store's own, and where what it tells of has vanished.
pub async fn body(store: &dyn Store, delivery: &Delivery) -> Result<String, StoreError> {
    match &delivery.subject {
        Subject::Endpoint(id) => written(delivery, PingView { endpoint_id: id.as_str() }),
        Subject::Transaction(id, version) => {
            let events = store.events(id).await?;
            let until = usize::try_from(*version).map_err(StoreError::failed)?;
            let then = Transaction::replay(events.into_iter().take(until)).ok_or_else(vanished)?;
            written(delivery, TransactionView::for_merchant(&then))
        }
        Subject::Checkout(id) => {
            let checkout = store.checkout(id).await?.ok_or_else(vanished)?;
            let standing = standing_at(store, &checkout, delivery.occurred_at).await?;
            written(delivery, SessionView::new(&checkout, &standing))
        }
    }
}

/// What a session's charges amounted to at a moment.
async fn standing_at(store: &dyn Store, checkout: &Checkout, at: Timestamp) -> Result<CheckoutSummary, StoreError> {
    let filter = Filter { checkout: Some(checkout.id.clone()), ..Filter::default() };
    let newest_first = store.transactions(&checkout.scope, filter, Page { limit: u32::MAX, after: None }).await?;
    let mut charges = Vec::new();
    for charge in newest_first.into_iter().rev() {
        let events = store.events(&charge.begun.id).await?;
        charges.extend(Transaction::replay(events.into_iter().take_while(|(then, _)| *then <= at)));
    }
    Ok(CheckoutSummary::of(charges))
}

fn written(delivery: &Delivery, data: impl Serialize) -> Result<String, StoreError> {
    let body = Body { r#type: delivery.event_type.as_str(), timestamp: delivery.occurred_at, data };
    serde_json::to_string(&body).map_err(StoreError::failed)
}

fn vanished() -> StoreError {
    StoreError::failed("what a webhook tells of has vanished")
}
