//! An event as `GET /v1/events` returns it, and the body that its webhook has.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A page of events.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventPage {
    /// The events, oldest first where they are followed.
    pub(super) data: Vec<Event>,
    /// The cursor of the next page of a list. Null on the last page.
    pub(super) next_cursor: Option<String>,
}

/// One event. `data` keeps its text, so that the forwarded body is that of the webhook.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Event {
    /// `msg_…`, the `webhook-id`.
    pub(super) event_id: String,
    /// The type, such as `charge.successful`.
    pub(super) r#type: String,
    /// The time of the event, in ISO 8601.
    pub(super) timestamp: String,
    /// `null` if the service cannot read what the event is about.
    data: Box<RawValue>,
}

/// What an event is about: the members of its data that matter here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Subject {
    refund_id: Option<String>,
    /// Of a refund, the identifier of the charge.
    transaction_id: Option<String>,
    checkout_id: Option<String>,
    /// The status at the event.
    pub(super) status: String,
}

impl Subject {
    /// Whether it is the payment, refund or checkout session with this id.
    pub(super) fn is(&self, id: &str) -> bool {
        let ids = [&self.refund_id, &self.transaction_id, &self.checkout_id];
        ids.into_iter().flatten().any(|one| one == id)
    }
}

#[derive(Serialize)]
struct Body<'a> {
    r#type: &'a str,
    timestamp: &'a str,
    data: &'a RawValue,
}

impl Event {
    /// Whether the service could read what the event is about.
    pub(super) fn has_data(&self) -> bool {
        self.data.get() != "null"
    }

    /// What the event is about; `None` if it has no data, as [`Self::has_data`], or is a ping.
    pub(super) fn subject(&self) -> Option<Subject> {
        serde_json::from_str(self.data.get()).ok()
    }

    /// The body of the event's webhook.
    ///
    /// # Errors
    /// One line: it cannot be written as JSON.
    pub(super) fn body(&self) -> Result<String, String> {
        let body = Body { r#type: &self.r#type, timestamp: &self.timestamp, data: &self.data };
        serde_json::to_string(&body).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_that_of_the_webhook() {
        let body =
            r#"{"type":"ping","timestamp":"2026-11-21T10:00:00.000Z","data":{"b":10.50,"a":1}}"#;
        let listed = body.replacen('{', r#"{"eventId":"msg_1","#, 1);
        let event: Event = serde_json::from_str(&listed).unwrap();
        assert_eq!(event.body().unwrap(), body);
        assert!(event.has_data());
    }

    #[test]
    fn an_event_without_data_is_recognised() {
        let text = r#"{"eventId":"msg_1","type":"ping","timestamp":"t","data": null}"#;
        let event: Event = serde_json::from_str(text).unwrap();
        assert!(!event.has_data() && event.subject().is_none());
    }

    #[test]
    fn the_subject_is_the_payment_or_session_that_the_event_is_about() {
        let data = r#"{"refundId":"txn_2","transactionId":"txn_1","status":"PENDING"}"#;
        let text = format!(
            r#"{{"eventId":"msg_1","type":"refund.delayed","timestamp":"t","data":{data}}}"#
        );
        let subject = serde_json::from_str::<Event>(&text).unwrap().subject().unwrap();
        assert!(subject.is("txn_2") && !subject.is("txn_3"));
        assert_eq!(subject.status, "PENDING");
    }
}
