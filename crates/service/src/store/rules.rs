//! What every engine decides alike.

use crate::domain::{
    Checkout, CheckoutId, CheckoutSummary, EndpointId, Event, Transaction,
    checkout::MAX_ATTEMPTS,
    poll_schedule::PollSchedule,
    ports::{BeginError, ReviewError},
    review::Verdict,
    webhook::{Delivery, EventType, delivery::Subject},
};
use jiff::{SignedDuration, Timestamp};
use tua_contract::Status;
use uuid::Uuid;

/// From here on a pending transaction is reported as delayed (docs/reference/webhooks.md).
pub(super) const DELAYED_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// When a session whose last charge was pending at its expiry is looked at again.
pub(super) const EXPIRED_LATER: SignedDuration = SignedDuration::from_mins(1);

/// One charge at a time, five in all, and none once it is paid.
pub(super) fn may_charge(standing: &CheckoutSummary) -> Result<(), BeginError> {
    let pending = standing.latest.as_ref().is_some_and(|latest| latest.state.status() == Status::Pending);
    if standing.paid {
        Err(BeginError::AlreadyPaid)
    } else if pending {
        Err(BeginError::ChargeInProgress)
    } else if standing.attempts >= MAX_ATTEMPTS {
        Err(BeginError::AttemptsExhausted)
    } else {
        Ok(())
    }
}

/// Something that merchants hear of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct News {
    event_type: EventType,
    subject: Subject,
}

impl News {
    /// What an event tells that a transaction has taken in. `pays` says that it makes its session paid.
    pub(super) fn of_event(transaction: &Transaction, event: &Event, pays: bool) -> Vec<Self> {
        let own = EventType::of(transaction, event).map(|event_type| Self::of(transaction, event_type));
        let session = transaction.begun.checkout.as_ref().filter(|_| pays);
        own.into_iter().chain(session.map(|id| Self::of_checkout(id, EventType::CheckoutPaid))).collect()
    }

    /// That a transaction has been pending for too long.
    pub(super) fn of_delay(transaction: &Transaction) -> Self {
        Self::of(transaction, EventType::delayed(transaction.begun.kind))
    }

    pub(super) fn of_checkout(id: &CheckoutId, event_type: EventType) -> Self {
        Self { event_type, subject: Subject::Checkout(id.clone()) }
    }

    fn of(transaction: &Transaction, event_type: EventType) -> Self {
        Self { event_type, subject: Subject::Transaction(transaction.begun.id.clone(), transaction.version) }
    }

    /// A delivery for each endpoint that hears of it, all under one webhook id.
    pub(super) fn deliveries(self, endpoints: &[EndpointId], now: Timestamp) -> Vec<Delivery> {
        let webhook_id = webhook_id();
        let to = |endpoint: &EndpointId| {
            Delivery::new(endpoint.clone(), webhook_id.clone(), self.event_type, self.subject.clone(), now)
        };
        endpoints.iter().map(to).collect()
    }
}

/// A ping for an endpoint.
pub(super) fn ping(endpoint: &EndpointId, now: Timestamp) -> Delivery {
    Delivery::new(endpoint.clone(), webhook_id(), EventType::Ping, Subject::Endpoint(endpoint.clone()), now)
}

fn webhook_id() -> String {
    format!("msg_{}", Uuid::now_v7().simple())
}

/// The session that this event may make paid.
pub(super) fn may_pay<'a>(transaction: &'a Transaction, event: &Event) -> Option<&'a CheckoutId> {
    transaction.begun.checkout.as_ref().filter(|_| EventType::pays(event))
}

/// Whether nothing else had paid the session. After a contradiction something may have.
pub(super) fn is_first_payment(charges: &[Transaction], transaction: &Transaction) -> bool {
    charges.iter().filter(|charge| charge.begun.id != transaction.begun.id).all(|charge| !charge.is_paid())
}

/// What becomes of a session whose time is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expiry {
    /// It is paid; there is nothing to tell.
    Paid,
    /// It is decided any moment now; only then is it known whether the session ends unpaid.
    Later(Timestamp),
    /// It ends unpaid.
    Unpaid(News),
    /// It ends, and nobody ever tried to pay it.
    Unused(News),
}

pub(super) fn expiry(checkout: &Checkout, standing: &CheckoutSummary, now: Timestamp) -> Expiry {
    match standing.as_str() {
        "PAID" => Expiry::Paid,
        "PENDING" => Expiry::Later(now + EXPIRED_LATER),
        _ => {
            let news = News::of_checkout(&checkout.id, EventType::CheckoutExpired);
            if standing.attempts == 0 { Expiry::Unused(news) } else { Expiry::Unpaid(news) }
        }
    }
}

/// What a review makes of a transaction that is flagged or not.
pub(super) fn may_review(transaction: &Transaction, verdict: Verdict, is_flagged: bool) -> Result<Event, ReviewError> {
    let Some(moved @ Event::Moved(_)) = transaction.weigh(verdict.as_observation(), transaction.version) else {
        return Err(ReviewError::Decided(transaction.state.status()));
    };
    match is_flagged {
        true => Ok(moved),
        false => Err(ReviewError::NotFlagged(PollSchedule::review_at(transaction.created_at))),
    }
}

/// What a delivery is about, as its two columns hold it.
pub(super) fn subject_columns(delivery: &Delivery) -> (&str, Option<u32>) {
    match &delivery.subject {
        Subject::Transaction(id, version) => (id.as_str(), Some(*version)),
        Subject::Checkout(id) => (id.as_str(), None),
        Subject::Endpoint(id) => (id.as_str(), None),
    }
}

/// A transaction's failure, as its column holds it.
pub(super) fn failure_column(transaction: &Transaction) -> Option<&'static str> {
    match transaction.state {
        tua_contract::State::Failed(code) => Some(code.as_str()),
        tua_contract::State::Pending(_) | tua_contract::State::Successful => None,
    }
}
