//! The outbox of webhooks: every event that a shop must be told is in it.

use crate::world::World;
use jiff::SignedDuration;
use std::collections::BTreeMap;
use tua_domain::{
    Event, Transaction, TransactionId,
    ports::{Clock, Outbox, StoreError, Transactions},
    webhook::{EventType, delivery::Subject},
};

/// How many deliveries are read at once.
const BATCH: u32 = 250;

/// How often each event of a transaction is to be delivered.
pub type Events = BTreeMap<(String, &'static str), usize>;

/// The deliveries that wait. Nothing is sent before the end, so they are those of all events.
///
/// # Errors
/// Those of the store.
pub async fn waiting(world: &World, outbox: &dyn Outbox) -> Result<Events, StoreError> {
    // The wall clock may have been set back since a delivery became due.
    let now = world.clock.now() + SignedDuration::from_hours(1);
    let mut events = Events::new();
    for endpoint in outbox.endpoints_due(now).await? {
        loop {
            let until = now + SignedDuration::from_mins(1);
            let leased = outbox.lease_deliveries(&endpoint.id, now, until, BATCH).await?;
            if leased.is_empty() {
                break;
            }
            for delivery in leased {
                if let Subject::Transaction(id, _) = &delivery.subject {
                    let event = (id.as_str().to_owned(), delivery.event_type.as_str());
                    *events.entry(event).or_default() += 1;
                }
            }
        }
    }
    Ok(events)
}

/// Checks that each event of a transaction is in the outbox.
pub async fn check(
    world: &World,
    transactions: &dyn Transactions,
    id: &TransactionId,
    waiting: &Events,
) {
    let events = match transactions.events(id).await {
        Ok(events) => events,
        Err(error) => return world.violated(format!("events cannot be read: {error}")),
    };
    let mut expected = Events::new();
    for (event, after) in replayed(events) {
        if let Some(event_type) = EventType::of(&after, &event) {
            *expected.entry((id.as_str().to_owned(), event_type.as_str())).or_default() += 1;
        }
    }
    for (event, count) in expected {
        let found = waiting.get(&event).copied().unwrap_or(0);
        if found != count {
            world.violated(format!("{found} of {count} events {} are in the outbox", event.1));
        }
    }
}

/// Each event with the transaction after it.
fn replayed(events: Vec<(jiff::Timestamp, Event)>) -> Vec<(Event, Transaction)> {
    let Some(mut transaction) = Transaction::replay(events.iter().take(1).cloned()) else {
        return Vec::new();
    };
    let after = |(at, event): (jiff::Timestamp, Event)| {
        transaction.apply_event(&event, at);
        (event, transaction.clone())
    };
    events.into_iter().map(after).collect()
}
