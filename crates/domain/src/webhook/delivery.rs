//! One event for one endpoint: its attempts and when the next one is.

use super::EventType;
use crate::{
    Checkout, CheckoutId, CheckoutSummary, DeliveryId, EndpointId, Transaction, TransactionId,
    retry_schedule::next_attempt, string_enum,
};
use jiff::{SignedDuration, Timestamp};

/// How long a worker holds the lease of a delivery. Until then `due_at` is the end of the lease.
pub const DELIVERY_LEASE: SignedDuration = SignedDuration::from_secs(25);

/// A delivery that has failed once is due again after 5 seconds, with its jitter within this time.
/// A lease that was taken after that ends later.
pub const FIRST_RETRY_WITHIN: SignedDuration = SignedDuration::from_secs(6);

string_enum! {
    /// The status of a delivery.
    pub enum DeliveryStatus {
        /// An attempt is due.
        Pending = "PENDING",
        /// It was recorded while its endpoint was disabled, and is sent only when a person or a
        /// program asks for it. Stored as `PENDING` without the time of an attempt.
        Held = "HELD",
        /// The endpoint accepted it.
        Delivered = "DELIVERED",
        /// All attempts failed. `tua webhook replay` sends it again.
        Failed = "FAILED",
    }
}

impl DeliveryStatus {
    /// The status of a delivery that is stored with this one, and with this time of an attempt.
    #[must_use]
    pub fn of_stored(self, due_at: Option<Timestamp>) -> Self {
        match self {
            Self::Pending | Self::Held if due_at.is_none() => Self::Held,
            Self::Held => Self::Pending,
            Self::Pending | Self::Delivered | Self::Failed => self,
        }
    }
}

/// What an event is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A transaction at this version.
    Transaction(TransactionId, u32),
    /// A checkout session at the time of the event.
    Checkout(CheckoutId),
    /// An endpoint that receives a `ping`.
    Endpoint(EndpointId),
}

impl Subject {
    /// The identifier of the transaction, session or endpoint.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Transaction(id, _) => id.as_str(),
            Self::Checkout(id) => id.as_str(),
            Self::Endpoint(id) => id.as_str(),
        }
    }
}

/// What a [`Subject`] identifies, as it was at the time of the event.
#[derive(Clone, Debug)]
pub enum SubjectSnapshot {
    /// The endpoint itself, of a ping.
    Endpoint(EndpointId),
    /// A charge, payout or refund.
    Transaction(Box<Transaction>),
    /// A checkout session, with the summary of its charges.
    Checkout(Box<Checkout>, Box<CheckoutSummary>),
}

/// One event for one endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// `whd_…`, the identifier of this one delivery; receivers get `webhook_id` instead.
    pub id: DeliveryId,
    /// The endpoint that receives it.
    pub endpoint: EndpointId,
    /// `webhook-id`: the same on every attempt and for every endpoint, so that receivers recognise
    /// duplicates.
    pub webhook_id: String,
    /// The type of the event.
    pub event_type: EventType,
    /// The subject of the event.
    pub subject: Subject,
    /// The time of the event.
    pub occurred_at: Timestamp,
    /// Whether it is pending, was delivered, or has failed for good.
    pub status: DeliveryStatus,
    /// The number of attempts.
    pub attempts: u32,
    /// The time of the next attempt. `None` if none comes by itself.
    pub due_at: Option<Timestamp>,
    /// The result of the last attempt.
    pub last: Option<LastAttempt>,
}

/// The result of an attempt, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastAttempt {
    /// The time of the attempt.
    pub at: Timestamp,
    /// The HTTP status of the response.
    pub http_status: Option<u16>,
    /// The reason of a failure.
    pub fault: Option<String>,
    /// The beginning of the response's body; `None` if it was empty, or there was no response.
    pub response: Option<String>,
}

/// One attempt: its outcome, and what the endpoint wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeliveryAttempt {
    /// Whether the endpoint accepted the event.
    pub outcome: DeliveryOutcome,
    /// As [`LastAttempt::response`].
    pub response: Option<String>,
}

/// An attempt without a response's body.
impl From<DeliveryOutcome> for DeliveryAttempt {
    fn from(outcome: DeliveryOutcome) -> Self {
        Self { outcome, response: None }
    }
}

/// The outcome of one attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeliveryOutcome {
    /// The endpoint responded with this 2xx status.
    Accepted(u16),
    /// The attempt failed: the HTTP status of the response, if there was one, and the reason.
    Failed(Option<u16>, String),
    /// The endpoint responded with 410 (Gone).
    Gone,
}

impl Delivery {
    /// An event for an endpoint, due at once.
    #[must_use]
    pub fn new(
        endpoint: EndpointId,
        webhook_id: String,
        event_type: EventType,
        subject: Subject,
        now: Timestamp,
    ) -> Self {
        Self {
            id: DeliveryId::mint(),
            endpoint,
            webhook_id,
            event_type,
            subject,
            occurred_at: now,
            status: DeliveryStatus::Pending,
            attempts: 0,
            due_at: Some(now),
            last: None,
        }
    }

    /// Records the outcome of an attempt, and schedules the next attempt if the retry schedule has
    /// one.
    pub fn record_attempt(&mut self, attempt: &DeliveryAttempt, now: Timestamp) {
        self.attempts += 1;
        let outcome = &attempt.outcome;
        let (http_status, fault) = match outcome {
            DeliveryOutcome::Accepted(status) => (Some(*status), None),
            DeliveryOutcome::Failed(status, why) => (*status, Some(why.clone())),
            DeliveryOutcome::Gone => {
                (Some(410), Some("the endpoint is gone (410) and was disabled".to_owned()))
            }
        };
        self.last =
            Some(LastAttempt { at: now, http_status, fault, response: attempt.response.clone() });
        self.due_at = match outcome {
            DeliveryOutcome::Failed(..) => next_attempt(self.attempts, now),
            DeliveryOutcome::Accepted(_) | DeliveryOutcome::Gone => None,
        };
        self.status = match (outcome, self.due_at) {
            (DeliveryOutcome::Accepted(_), _) => DeliveryStatus::Delivered,
            (_, Some(_)) => DeliveryStatus::Pending,
            (_, None) => DeliveryStatus::Failed,
        };
    }

    /// Makes it due now and restarts its retry schedule, whatever its status.
    pub fn replay(&mut self, now: Timestamp) {
        self.attempts = 0;
        self.status = DeliveryStatus::Pending;
        self.due_at = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_is_attempted_ten_times_on_the_documented_schedule() {
        let mut delivery = Delivery::new(
            EndpointId::mint(),
            "msg_1".to_owned(),
            EventType::Ping,
            Subject::Endpoint(EndpointId::mint()),
            Timestamp::UNIX_EPOCH,
        );
        let mut gaps = Vec::new();
        while let Some(due) = delivery.due_at {
            let failed = DeliveryOutcome::Failed(Some(500), "it answered 500".to_owned());
            delivery.record_attempt(&failed.into(), due);
            gaps.extend(delivery.due_at.map(|next| next.duration_since(due).as_secs()));
        }
        assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Failed, 10));
        let schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
        assert_eq!(gaps.len(), schedule.len());
        for (gap, expected) in gaps.into_iter().zip(schedule) {
            assert!(
                (expected..=expected + expected / 10 + 1).contains(&gap),
                "{gap} for {expected}"
            );
        }
    }

    #[test]
    fn a_replay_restarts_the_schedule_after_every_outcome() {
        for outcome in [DeliveryOutcome::Accepted(204), DeliveryOutcome::Gone] {
            let now = Timestamp::UNIX_EPOCH;
            let endpoint = EndpointId::mint();
            let subject = Subject::Endpoint(endpoint.clone());
            let mut delivery =
                Delivery::new(endpoint, "msg_1".to_owned(), EventType::Ping, subject, now);
            delivery.record_attempt(&outcome.into(), now);
            assert_eq!(delivery.due_at, None);
            delivery.replay(now);
            assert_eq!(
                (delivery.status, delivery.attempts, delivery.due_at),
                (DeliveryStatus::Pending, 0, Some(now))
            );
        }
    }
}
