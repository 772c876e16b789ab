//! Makes past events deliveries of a record, so that their order is that of their identifiers.

use super::history::PastEvent;
use crate::{
    DeliveryId, EndpointId,
    id::time_of_id,
    webhook::{
        Delivery, EventType,
        delivery::{DeliveryStatus, Subject},
        notice::webhook_id,
    },
};
use jiff::Timestamp;
use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};
use uuid::{ContextV7, Uuid};

/// Deliveries of past events to a record, oldest first. They are never due, as all deliveries of a
/// record.
///
/// `sent` are the deliveries of the endpoints and of the record of this account and mode. An event
/// that an endpoint was sent keeps its `webhook-id` and its time. An event that the record has
/// already is left out.
#[must_use]
pub fn deliveries(record: &EndpointId, past: Vec<PastEvent>, sent: &[Delivery]) -> Vec<Delivery> {
    let recorded: HashSet<EventKey<'_>> =
        sent.iter().filter(|one| one.endpoint == *record).map(EventKey::of_delivery).collect();
    let copies: HashMap<EventKey<'_>, &Delivery> =
        sent.iter().map(|one| (EventKey::of_delivery(one), one)).collect();
    let missing = past.iter().filter(|event| !recorded.contains(&EventKey::of_event(event)));
    let mut events: Vec<(&PastEvent, Option<&Delivery>)> =
        missing.map(|event| (event, copies.get(&EventKey::of_event(event)).copied())).collect();
    events.sort_by_key(|(event, copy)| {
        let at = copy.map_or(event.at, |copy| copy.occurred_at);
        (at, copy.map(|copy| copy.webhook_id.as_str()))
    });
    let mut ids = IdSequence::new();
    events.into_iter().map(|(event, copy)| ids.delivery(record, event, copy)).collect()
}

/// What tells an event of an account and mode from every other one.
#[derive(PartialEq, Eq, Hash)]
struct EventKey<'a> {
    event_type: EventType,
    subject: &'a str,
    version: Option<u32>,
    at: Option<Timestamp>,
}

impl<'a> EventKey<'a> {
    fn of_delivery(delivery: &'a Delivery) -> Self {
        Self::new(delivery.event_type, &delivery.subject, delivery.occurred_at)
    }

    fn of_event(event: &'a PastEvent) -> Self {
        Self::new(event.notice.event_type(), event.notice.subject(), event.at)
    }

    fn new(event_type: EventType, subject: &'a Subject, at: Timestamp) -> Self {
        use EventType::{ChargeDelayed, CheckoutAttemptFailed, PayoutDelayed, RefundDelayed};
        let (subject, version) = id_and_version(subject);
        // A transaction is delayed once, and a session has every other event once. The time of a
        // session's end is not known exactly.
        let is_delay = matches!(event_type, ChargeDelayed | PayoutDelayed | RefundDelayed);
        Self {
            event_type,
            subject,
            version: version.filter(|_| !is_delay),
            at: (event_type == CheckoutAttemptFailed).then_some(at),
        }
    }
}

fn id_and_version(subject: &Subject) -> (&str, Option<u32>) {
    match subject {
        Subject::Transaction(id, version) => (id.as_str(), Some(*version)),
        Subject::Checkout(id) => (id.as_str(), None),
        Subject::Endpoint(id) => (id.as_str(), None),
    }
}

/// Makes identifiers that increase, with the times of events.
struct IdSequence {
    context: ContextV7,
    /// No time is later, so that every event which is recorded from now on comes after these.
    latest: Duration,
}

impl IdSequence {
    fn new() -> Self {
        let now = DeliveryId::time_of_next().saturating_sub(Duration::from_millis(1));
        Self { context: ContextV7::new(), latest: now }
    }

    fn delivery(
        &mut self,
        record: &EndpointId,
        event: &PastEvent,
        copy: Option<&Delivery>,
    ) -> Delivery {
        let ids = copy.and_then(|copy| self.after_webhook_id(&copy.webhook_id));
        let (webhook_id, id) = ids.unwrap_or_else(|| self.new_ids(event));
        Delivery {
            id,
            endpoint: record.clone(),
            webhook_id,
            event_type: event.notice.event_type(),
            subject: copy.map_or(event.notice.subject(), |copy| &copy.subject).clone(),
            occurred_at: copy.map_or(event.at, |copy| copy.occurred_at),
            status: DeliveryStatus::Pending,
            attempts: 0,
            due_at: None,
            last: None,
        }
    }

    /// A `webhook-id` that endpoints were sent, and an identifier with which it is found. `None` if
    /// the text is no such id.
    fn after_webhook_id(&mut self, webhook_id: &str) -> Option<(String, DeliveryId)> {
        let range = DeliveryId::range_of_event(webhook_id)?;
        let minted = time_of_id(webhook_id)?;
        let next = DeliveryId::of_uuid(self.next(minted));
        let id = if range.contains(&next) {
            next
        } else {
            // The clocks of nodes differed by more than the range. Then it is found, and its place
            // is that of its own time.
            DeliveryId::of_uuid(uuid_at(&ContextV7::new(), minted))
        };
        Some((webhook_id.to_owned(), id))
    }

    /// Identifiers with the time of an event. The store finds the events of a transaction from the
    /// time of its identifier on, which was minted shortly after the time of its creation.
    fn new_ids(&mut self, event: &PastEvent) -> (String, DeliveryId) {
        let (subject, _) = id_and_version(event.notice.subject());
        let since_epoch = u64::try_from(event.at.as_millisecond()).unwrap_or_default();
        let at = Duration::from_millis(since_epoch).min(self.latest);
        let at = at.max(time_of_id(subject).unwrap_or_default());
        (webhook_id(self.next(at)), DeliveryId::of_uuid(self.next(at)))
    }

    fn next(&mut self, at: Duration) -> Uuid {
        uuid_at(&self.context, at)
    }
}

/// An identifier of this time since 1970, or of the latest time of the context, if that is later.
fn uuid_at(context: &ContextV7, at: Duration) -> Uuid {
    Uuid::new_v7(uuid::Timestamp::from_unix(context, at.as_secs(), at.subsec_nanos()))
}
