//! Events as responses show them.

use tua_api::resources::{EventBody, EventView};
use tua_use_cases::RecordedEvent;

/// The event with its id, and what its webhook has.
pub(super) fn event_view(event: &RecordedEvent) -> EventView<'_> {
    let RecordedEvent { delivery, subject } = event;
    let id = &delivery.webhook_id;
    match subject {
        Some(subject) => EventView::new(id, EventBody::of(delivery, subject)),
        None => EventView::without_data(id, delivery),
    }
}
