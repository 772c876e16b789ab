//! An event as `GET /v1/events` returns it, and the body that its webhook has.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A page of events.
#[derive(Deserialize)]
pub(super) struct EventPage {
    /// The events, oldest first where they are followed.
    pub(super) data: Vec<Event>,
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
        assert!(!serde_json::from_str::<Event>(text).unwrap().has_data());
    }
}
