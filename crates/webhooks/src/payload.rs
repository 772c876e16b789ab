//! The body of a webhook: its subject at the time of the event, as the API shows it to a secret
//! key.
//!
//! Bodies are not stored: the subject is read again for each attempt, as it was at that time.

use jiff::Timestamp;
use serde::Serialize;
use tua_api::resources::{CheckoutView, RefundView, TransactionView, rfc3339};
use tua_domain::{ports::StoreError, webhook::Delivery};
use tua_use_cases::DeliverySubject;

/// The envelope of every event (docs/reference/webhooks.md).
#[derive(Serialize)]
struct EventEnvelope<T> {
    r#type: &'static str,
    #[serde(serialize_with = "rfc3339")]
    timestamp: Timestamp,
    data: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PingView<'a> {
    endpoint_id: &'a str,
}

/// The body of a delivery about this subject, as JSON text.
///
/// # Errors
/// An error if it cannot be written as JSON.
pub fn body(delivery: &Delivery, subject: &DeliverySubject) -> Result<String, StoreError> {
    match subject {
        DeliverySubject::Endpoint(id) => to_json(delivery, PingView { endpoint_id: id.as_str() }),
        DeliverySubject::Transaction(then) => match &then.order.refund {
            Some(of) => to_json(delivery, RefundView::new(then, of)),
            None => to_json(delivery, TransactionView::new(then)),
        },
        DeliverySubject::Checkout(checkout, summary) => {
            let status = checkout.status(summary, delivery.occurred_at);
            to_json(delivery, CheckoutView::new(checkout, summary, status))
        }
    }
}

fn to_json(delivery: &Delivery, data: impl Serialize) -> Result<String, StoreError> {
    let body = EventEnvelope {
        r#type: delivery.event_type.as_str(),
        timestamp: delivery.occurred_at,
        data,
    };
    serde_json::to_string(&body).map_err(StoreError::failed)
}
