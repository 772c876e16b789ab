//! The body of a webhook: its subject at the time of the event, as the API shows it to a secret
//! key.
//!
//! Bodies are not stored: a transaction at a version is replayed from its events, which never
//! change.

use jiff::Timestamp;
use serde::Serialize;
use tua_api::resources::{RefundView, SessionView, TransactionView, iso};
use tua_domain::{
    Checkout, CheckoutSummary, Transaction,
    listing::{Filter, Page},
    ports::{Store, StoreError},
    webhook::{Delivery, delivery::Subject},
};

/// The envelope of every event (docs/reference/webhooks.md).
#[derive(Serialize)]
struct EventEnvelope<T> {
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

/// The body of a delivery, as JSON text.
///
/// # Errors
/// Those of the store, and an error if the subject no longer exists.
pub async fn body(store: &dyn Store, delivery: &Delivery) -> Result<String, StoreError> {
    match &delivery.subject {
        Subject::Endpoint(id) => to_json(delivery, PingView { endpoint_id: id.as_str() }),
        Subject::Transaction(id, version) => {
            let events = store.events(id).await?;
            let until = usize::try_from(*version).map_err(StoreError::failed)?;
            let then = Transaction::replay(events.into_iter().take(until)).ok_or_else(not_found)?;
            match &then.order.refund {
                Some(of) => to_json(delivery, RefundView::new(&then, of)),
                None => to_json(delivery, TransactionView::for_merchant(&then)),
            }
        }
        Subject::Checkout(id) => {
            let checkout = store.checkout(id).await?.ok_or_else(not_found)?;
            let summary = summary_at(store, &checkout, delivery.occurred_at).await?;
            let status = checkout.status(&summary, delivery.occurred_at);
            to_json(delivery, SessionView::new(&checkout, &summary, status))
        }
    }
}

/// The summary of a session's charges at a time.
async fn summary_at(
    store: &dyn Store,
    checkout: &Checkout,
    at: Timestamp,
) -> Result<CheckoutSummary, StoreError> {
    let filter = Filter { checkout: Some(checkout.id.clone()), ..Filter::default() };
    let newest_first =
        store.transactions(&checkout.scope, filter, Page { limit: u32::MAX, after: None }).await?;
    let mut charges = Vec::new();
    for charge in newest_first.into_iter().rev() {
        let events = store.events(&charge.order.id).await?;
        charges.extend(Transaction::replay(events.into_iter().take_while(|(then, _)| *then <= at)));
    }
    Ok(CheckoutSummary::of(charges))
}

fn to_json(delivery: &Delivery, data: impl Serialize) -> Result<String, StoreError> {
    let body = EventEnvelope {
        r#type: delivery.event_type.as_str(),
        timestamp: delivery.occurred_at,
        data,
    };
    serde_json::to_string(&body).map_err(StoreError::failed)
}

fn not_found() -> StoreError {
    StoreError::failed("the subject of a webhook no longer exists")
}
