//! Events as responses show them.

use tua_api::resources::{EventBody, EventData, EventView};
use tua_use_cases::{DeliverySubject, RecordedEvent};

/// The event with its id, and what its webhook has.
pub(super) fn event_view(event: &RecordedEvent) -> EventView<'_> {
    let RecordedEvent { delivery, subject } = event;
    let at = delivery.occurred_at;
    let data = match subject {
        DeliverySubject::Endpoint(id) => EventData::Endpoint { endpoint_id: id.as_str() },
        DeliverySubject::Transaction(then) => EventData::of_transaction(then),
        DeliverySubject::Checkout(checkout, summary) => {
            EventData::of_checkout(checkout, summary, at)
        }
    };
    EventView::new(&delivery.webhook_id, EventBody::new(delivery.event_type, at, data))
}
