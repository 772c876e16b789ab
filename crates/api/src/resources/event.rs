//! Events as webhooks and the list of events show them.

use super::{
    format::rfc3339, refund::RefundView, session::CheckoutView, transaction::TransactionView,
};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use tua_domain::{
    Checkout, CheckoutSummary, Transaction,
    webhook::{Delivery, EventType, SubjectSnapshot},
};
use utoipa::ToSchema;

/// The body of a webhook.
#[derive(Debug, Serialize)]
pub struct EventBody<'a> {
    r#type: &'static str,
    #[serde(serialize_with = "rfc3339")]
    timestamp: Timestamp,
    data: EventData<'a>,
}

/// What an event is about, as it was at the time of the event.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum EventData<'a> {
    /// A charge or payout.
    Transaction(Box<TransactionView<'a>>),
    /// A refund.
    Refund(Box<RefundView<'a>>),
    /// A checkout session.
    Checkout(Box<CheckoutView<'a>>),
    /// The endpoint itself, of a ping.
    #[serde(rename_all = "camelCase")]
    Endpoint {
        /// `whe_…`, the endpoint that is tested.
        endpoint_id: &'a str,
    },
}

impl<'a> EventData<'a> {
    /// A charge, payout or refund.
    #[must_use]
    pub fn of_transaction(transaction: &'a Transaction) -> Self {
        match &transaction.order.refund {
            Some(refund) => Self::Refund(Box::new(RefundView::new(transaction, refund))),
            None => Self::Transaction(Box::new(TransactionView::new(transaction))),
        }
    }

    /// A session as it was at this time, with the summary of its charges.
    fn of_checkout(checkout: &'a Checkout, summary: &'a CheckoutSummary, at: Timestamp) -> Self {
        let status = checkout.status(summary, at);
        Self::Checkout(Box::new(CheckoutView::new(checkout, summary, status)))
    }
}

impl<'a> EventBody<'a> {
    /// The body of a delivery about this subject.
    #[must_use]
    pub fn of(delivery: &Delivery, subject: &'a SubjectSnapshot) -> Self {
        let at = delivery.occurred_at;
        let data = match subject {
            SubjectSnapshot::Endpoint(id) => EventData::Endpoint { endpoint_id: id.as_str() },
            SubjectSnapshot::Transaction(transaction) => EventData::of_transaction(transaction),
            SubjectSnapshot::Checkout(checkout, summary) => {
                EventData::of_checkout(checkout, summary, at)
            }
        };
        Self::new(delivery.event_type, at, data)
    }

    /// The body of an event of this type at this time.
    #[must_use]
    pub const fn new(event_type: EventType, timestamp: Timestamp, data: EventData<'a>) -> Self {
        Self { r#type: event_type.as_str(), timestamp, data }
    }
}

/// An event in the list of events: its id, and the members that its webhook has.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Event)]
pub struct EventView<'a> {
    /// The `webhook-id` of the event's webhooks.
    #[schema(examples("msg_019aa5f0c2007d3e8a1b4c5d6e7f8097"))]
    event_id: &'a str,
    /// The type of the event, such as `charge.successful`.
    #[schema(examples("charge.successful"))]
    r#type: &'static str,
    /// The time of the event.
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    timestamp: Timestamp,
    /// The transaction, refund or session at the time of the event, as its webhook has it. Null if
    /// the service cannot read it.
    #[schema(required, value_type = Option<Object>)]
    data: Option<EventData<'a>>,
}

impl<'a> EventView<'a> {
    /// The event with this id (`webhook-id`) and this body.
    #[must_use]
    pub fn new(event_id: &'a str, body: EventBody<'a>) -> Self {
        Self { event_id, r#type: body.r#type, timestamp: body.timestamp, data: Some(body.data) }
    }

    /// An event with this id whose data cannot be read.
    #[must_use]
    pub const fn without_data(event_id: &'a str, delivery: &Delivery) -> Self {
        let timestamp = delivery.occurred_at;
        Self { event_id, r#type: delivery.event_type.as_str(), timestamp, data: None }
    }
}
