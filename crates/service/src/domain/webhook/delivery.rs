//! One event for one endpoint: its attempts and when the next one is.

use super::EventType;
use crate::domain::{
    CheckoutId, DeliveryId, EndpointId, TransactionId, secret::random_bytes, string_enum::string_enum,
};
use jiff::{SignedDuration, Timestamp};

string_enum! {
    /// How a delivery stands.
    pub enum DeliveryStatus {
        /// It is still to be taken.
        Pending = "PENDING",
        /// The endpoint has taken it.
        Delivered = "DELIVERED",
        /// It was given up; `tua webhook replay` sends it again.
        Failed = "FAILED",
    }
}

/// What an event is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A transaction, as it stood at this version.
    Transaction(TransactionId, u32),
    /// A session, as it stood when the event happened.
    Checkout(CheckoutId),
    /// An endpoint that is tried.
    Endpoint(EndpointId),
}

/// One event for one endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Names it.
    pub id: DeliveryId,
    /// Where it goes.
    pub endpoint: EndpointId,
    /// `webhook-id`: the same on every attempt and for every endpoint, so that receivers tell repetitions.
    pub webhook_id: String,
    /// What it tells of.
    pub event_type: EventType,
    /// What that is about.
    pub subject: Subject,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// How it stands.
    pub status: DeliveryStatus,
    /// How often it was sent.
    pub attempts: u32,
    /// When it is sent next.
    pub due_at: Option<Timestamp>,
    /// What came of the last attempt.
    pub last: Option<LastAttempt>,
}

/// What came of an attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastAttempt {
    /// When it was made.
    pub at: Timestamp,
    /// What the endpoint answered.
    pub http_status: Option<u16>,
    /// Why it does not count, in a sentence.
    pub fault: Option<String>,
}

/// What came of one request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeliveryOutcome {
    /// The endpoint took it (2xx).
    Accepted(u16),
    /// It did not: what it answered, if anything, and why that does not count.
    Failed(Option<u16>, String),
    /// It says that it is gone for good (410).
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

    /// Takes in what came of an attempt, and plans the next one where there is one.
    pub fn take(&mut self, outcome: &DeliveryOutcome, now: Timestamp) {
        self.attempts += 1;
        let (http_status, fault) = match outcome {
            DeliveryOutcome::Accepted(status) => (Some(*status), None),
            DeliveryOutcome::Failed(status, why) => (*status, Some(why.clone())),
            DeliveryOutcome::Gone => (Some(410), Some("the endpoint is gone (410) and was disabled".to_owned())),
        };
        self.last = Some(LastAttempt { at: now, http_status, fault });
        self.due_at = match outcome {
            DeliveryOutcome::Failed(..) => gap(self.attempts).map(|gap| now + jittered(gap)),
            DeliveryOutcome::Accepted(_) | DeliveryOutcome::Gone => None,
        };
        self.status = match (outcome, self.due_at) {
            (DeliveryOutcome::Accepted(_), _) => DeliveryStatus::Delivered,
            (_, Some(_)) => DeliveryStatus::Pending,
            (_, None) => DeliveryStatus::Failed,
        };
    }

    /// Sends it again from the start of the ladder, delivered or not.
    pub fn replay(&mut self, now: Timestamp) {
        self.attempts = 0;
        self.status = DeliveryStatus::Pending;
        self.due_at = Some(now);
    }
}

/// How long after so many failed attempts the next one is (docs/reference/webhooks.md).
const fn gap(attempts: u32) -> Option<SignedDuration> {
    Some(match attempts {
        1 => SignedDuration::from_secs(5),
        2 => SignedDuration::from_mins(5),
        3 => SignedDuration::from_mins(30),
        4 => SignedDuration::from_hours(2),
        5 => SignedDuration::from_hours(5),
        6 => SignedDuration::from_hours(10),
        7 => SignedDuration::from_hours(14),
        8 => SignedDuration::from_hours(20),
        9 => SignedDuration::from_hours(24),
        _ => return None,
    })
}

/// A tenth more at the most, so that what failed together does not come back together.
fn jittered(gap: SignedDuration) -> SignedDuration {
    let [fraction] = random_bytes::<1>();
    gap + gap / 2560 * i32::from(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_is_tried_ten_times_over_the_contracts_ladder() {
        let mut delivery = Delivery::new(
            EndpointId::mint(),
            "msg_1".to_owned(),
            EventType::Ping,
            Subject::Endpoint(EndpointId::mint()),
            Timestamp::UNIX_EPOCH,
        );
        let mut gaps = Vec::new();
        while let Some(due) = delivery.due_at {
            delivery.take(&DeliveryOutcome::Failed(Some(500), "it answered 500".to_owned()), due);
            gaps.extend(delivery.due_at.map(|next| next.duration_since(due).as_secs()));
        }
        assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Failed, 10));
        let ladder = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
        assert_eq!(gaps.len(), ladder.len());
        for (gap, expected) in gaps.into_iter().zip(ladder) {
            assert!((expected..=expected + expected / 10 + 1).contains(&gap), "{gap} for {expected}");
        }
    }

    #[test]
    fn a_replay_begins_anew_whatever_came_of_it() {
        for outcome in [DeliveryOutcome::Accepted(204), DeliveryOutcome::Gone] {
            let now = Timestamp::UNIX_EPOCH;
            let endpoint = EndpointId::mint();
            let subject = Subject::Endpoint(endpoint.clone());
            let mut delivery = Delivery::new(endpoint, "msg_1".to_owned(), EventType::Ping, subject, now);
            delivery.take(&outcome, now);
            assert_eq!(delivery.due_at, None);
            delivery.replay(now);
            assert_eq!((delivery.status, delivery.attempts, delivery.due_at), (DeliveryStatus::Pending, 0, Some(now)));
        }
    }
}
