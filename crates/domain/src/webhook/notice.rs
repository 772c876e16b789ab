//! Which events merchants are sent when something happens.

use super::{Delivery, EventType, delivery::Subject, endpoint::Recipient};
use crate::{CheckoutId, EndpointId, Event, Transaction, checkout::ChargeWindow};
use jiff::Timestamp;
use uuid::Uuid;

/// One event that a merchant's endpoints are sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    event_type: EventType,
    subject: Subject,
}

impl Notice {
    /// The notices that follow from an event which `transaction` already includes. `session_event`
    /// is what the event means for the transaction's session, where it means anything.
    #[must_use]
    pub fn of_event(
        transaction: &Transaction,
        event: &Event,
        session_event: Option<EventType>,
    ) -> Vec<Self> {
        let own =
            EventType::of(transaction, event).map(|event_type| Self::of(transaction, event_type));
        let session = transaction.order.checkout.as_ref().zip(session_event);
        own.into_iter()
            .chain(session.map(|(id, event_type)| Self::of_checkout(id, event_type)))
            .collect()
    }

    /// The notice that a transaction has been pending for too long.
    #[must_use]
    pub fn of_delay(transaction: &Transaction) -> Self {
        Self::of(transaction, EventType::delayed(transaction.order.transaction_type()))
    }

    /// A notice about a session.
    #[must_use]
    pub fn of_checkout(id: &CheckoutId, event_type: EventType) -> Self {
        Self { event_type, subject: Subject::Checkout(id.clone()) }
    }

    fn of(transaction: &Transaction, event_type: EventType) -> Self {
        Self {
            event_type,
            subject: Subject::Transaction(transaction.order.id.clone(), transaction.version),
        }
    }

    /// The type of the event.
    #[must_use]
    pub const fn event_type(&self) -> EventType {
        self.event_type
    }

    /// What the event is about.
    #[must_use]
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    /// One delivery for each of these endpoints, due at once if the endpoint is enabled. They share
    /// one webhook id.
    #[must_use]
    pub fn deliveries(self, recipients: &[Recipient], now: Timestamp) -> Vec<Delivery> {
        if recipients.is_empty() {
            return Vec::new();
        }
        let webhook_id = new_webhook_id();
        let to = |recipient: &Recipient| {
            let id = recipient.id.clone();
            let new =
                Delivery::new(id, webhook_id.clone(), self.event_type, self.subject.clone(), now);
            Delivery { due_at: new.due_at.filter(|_| recipient.is_enabled), ..new }
        };
        recipients.iter().map(to).collect()
    }
}

/// The delivery of a `ping` to an endpoint.
#[must_use]
pub fn ping(endpoint: &EndpointId, now: Timestamp) -> Delivery {
    Delivery::new(
        endpoint.clone(),
        new_webhook_id(),
        EventType::Ping,
        Subject::Endpoint(endpoint.clone()),
        now,
    )
}

fn new_webhook_id() -> String {
    webhook_id(Uuid::now_v7())
}

/// The `webhook-id` with this UUID, whose version is 7.
#[must_use]
pub fn webhook_id(uuid: Uuid) -> String {
    format!("msg_{}", uuid.simple())
}

/// The session that this event may make paid.
#[must_use]
pub fn checkout_paid_by<'a>(transaction: &'a Transaction, event: &Event) -> Option<&'a CheckoutId> {
    transaction.order.checkout.as_ref().filter(|_| EventType::pays(event))
}

/// The session that this event may leave open and unpaid: its charge has failed.
#[must_use]
pub fn checkout_attempted_by<'a>(
    transaction: &'a Transaction,
    event: &Event,
) -> Option<&'a CheckoutId> {
    transaction.order.checkout.as_ref().filter(|_| EventType::fails(event))
}

/// `checkout.paid`, unless another of the session's charges is paid already, which can be after a
/// contradiction.
#[must_use]
pub fn first_payment(charges: &[Transaction], transaction: &Transaction) -> Option<EventType> {
    let is_first = others(charges, transaction).all(|charge| !charge.is_paid());
    is_first.then_some(EventType::CheckoutPaid)
}

/// `checkout.attempt_failed`, where the session of the failed charge is still open. Where it has
/// ended, `checkout.expired` or `checkout.closed` follows.
#[must_use]
pub fn failed_attempt(
    window: &ChargeWindow,
    charges: &[Transaction],
    transaction: &Transaction,
) -> Option<EventType> {
    let now = transaction.updated_at;
    let is_unpaid =
        others(charges, transaction).all(|charge| !charge.is_paid() && charge.state.is_final());
    let is_open = !window.is_over(now) && !window.is_closed(now);
    (is_unpaid && is_open).then_some(EventType::CheckoutAttemptFailed)
}

fn others<'a>(
    charges: &'a [Transaction],
    transaction: &Transaction,
) -> impl Iterator<Item = &'a Transaction> {
    charges.iter().filter(|charge| charge.order.id != transaction.order.id)
}
