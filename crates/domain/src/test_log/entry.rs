//! Entries of the log of test mode.

use crate::{DeliveryId, EndpointId, KeyId, webhook::EventType};
use jiff::Timestamp;
use std::time::Duration;
use tua_contract::ErrorCode;

/// One entry of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// One more than that of the entry before. The first number of a log is the time at which it
    /// began, in microseconds since 1970, so that two logs of an account share none.
    pub number: u64,
    /// The time of the response, or of the attempt.
    pub at: Timestamp,
    /// What the entry is about.
    pub kind: LogEntryKind,
}

/// What an entry is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogEntryKind {
    /// The API responded to a request.
    Request(LoggedRequest),
    /// A webhook was sent.
    Delivery(LoggedDelivery),
}

impl LogEntry {
    /// The transaction or checkout session that it is about.
    pub(super) fn resource(&self) -> Option<&str> {
        match &self.kind {
            LogEntryKind::Request(request) => request.resource.as_deref(),
            LogEntryKind::Delivery(delivery) => Some(&delivery.resource),
        }
    }
}

/// A response of the API.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedRequest {
    /// The `x-request-id` of the response.
    pub id: String,
    /// The HTTP method, such as `POST`.
    pub method: String,
    /// The route as it is declared, such as `/v1/status/{transaction_id}`. What a path contains may
    /// be secret.
    pub route: String,
    /// The HTTP status of the response.
    pub status: u16,
    /// The code of the problem, where the request was refused.
    pub code: Option<ErrorCode>,
    /// The secret key; `None` for a checkout token.
    pub key: Option<KeyId>,
    /// How long the response took.
    pub duration: Duration,
    /// The transaction or checkout session that the response is about; `None` where it is about
    /// none, about many, or only reads.
    pub resource: Option<String>,
}

/// An attempt to deliver a webhook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedDelivery {
    /// The delivery that was attempted.
    pub id: DeliveryId,
    /// The endpoint that it was sent to.
    pub endpoint: EndpointId,
    /// The `webhook-id` of the event.
    pub webhook_id: String,
    /// The type of the event.
    pub event_type: EventType,
    /// The transaction, checkout session or endpoint that the event is about.
    pub resource: String,
    /// 1 for the first attempt, then 2, 3, …
    pub attempt: u32,
    /// The HTTP status of the response, if there was one.
    pub http_status: Option<u16>,
    /// Why the attempt failed; `None` after a success.
    pub fault: Option<String>,
    /// The beginning of the response's body; `None` if it was empty, or there was no response.
    pub response: Option<String>,
}

/// A page of the log.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LogPage {
    /// The entries, oldest first.
    pub entries: Vec<LogEntry>,
    /// The number after which the client continues.
    pub last: u64,
    /// How many entries before these are gone, because more happened than is kept.
    pub missed: u64,
}
