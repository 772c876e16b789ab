//! The body of a webhook: its subject at the time of the event, as the API shows it to a secret
//! key.
//!
//! Bodies are not stored: the subject is read again for each attempt, as it was at that time.

use tua_api::resources::{EventBody, EventData};
use tua_domain::{ports::StoreError, webhook::Delivery};
use tua_use_cases::DeliverySubject;

/// The body of a delivery about this subject, as JSON text.
///
/// # Errors
/// An error if it cannot be written as JSON.
pub fn body(delivery: &Delivery, subject: &DeliverySubject) -> Result<String, StoreError> {
    let at = delivery.occurred_at;
    let data = match subject {
        DeliverySubject::Endpoint(id) => EventData::Endpoint { endpoint_id: id.as_str() },
        DeliverySubject::Transaction(then) => EventData::of_transaction(then),
        DeliverySubject::Checkout(checkout, summary) => {
            EventData::of_checkout(checkout, summary, at)
        }
    };
    serde_json::to_string(&EventBody::new(delivery.event_type, at, data))
        .map_err(StoreError::failed)
}
