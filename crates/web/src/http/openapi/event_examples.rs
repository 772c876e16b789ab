//! Examples of events for the OpenAPI document.

use super::examples::{self, Examples};
use tua_api::resources::{EventBody, EventData, EventView};
use tua_contract::{Network, State};
use tua_domain::{Kind, Transaction, webhook::EventType};

/// The subject of the example: a charge that is paid.
pub(crate) fn paid() -> Transaction {
    examples::transaction(Kind::Charge, Network::Mtn, State::Successful)
}

/// The event that this charge was paid.
pub(crate) fn view(paid: &Transaction) -> EventView<'_> {
    let data = EventData::of_transaction(paid);
    let body = EventBody::new(EventType::ChargeSuccessful, paid.updated_at, data);
    EventView::new("msg_019aa5f0c2007d3e8a1b4c5d6e7f8097", body)
}

/// The example of a response with one event.
pub(crate) fn event() -> Examples {
    vec![("successful", examples::json(&view(&paid())))]
}
