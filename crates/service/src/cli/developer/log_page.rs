//! What `GET /v1/logs` returns, and how entries are printed.

use super::event::Event;
use crate::cli::{context::Common, fault::Fault, output};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A page of `GET /v1/logs`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    /// Responses of the API, oldest first.
    pub(super) requests: Vec<Request>,
    /// Attempts to deliver webhooks, oldest first.
    pub(super) deliveries: Vec<Delivery>,
    /// The number after which to continue.
    pub(super) last: u64,
    /// How many entries before these are gone.
    pub(super) missed: u64,
}

/// A response of the API.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    #[serde(skip_serializing)]
    pub(super) number: u64,
    pub(super) time: String,
    request_id: String,
    method: String,
    pub(super) route: String,
    pub(super) status: u16,
    code: Option<String>,
    key_id: Option<String>,
    duration_ms: u64,
    /// What the request created. An older service does not send it.
    #[serde(default)]
    pub(super) resource_id: Option<String>,
}

/// An attempt to deliver a webhook.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Delivery {
    #[serde(skip_serializing)]
    pub(super) number: u64,
    pub(super) time: String,
    delivery_id: String,
    endpoint_id: String,
    event_id: String,
    r#type: String,
    /// What the event is about; as that of a request.
    #[serde(default)]
    resource_id: Option<String>,
    attempt: u32,
    http_status: Option<u16>,
    pub(super) fault: Option<String>,
    /// The beginning of the response's body. An older service does not send it.
    #[serde(default)]
    response: Option<String>,
}

/// An entry for the output: the JSON of `--json`, and the line without it.
pub(super) struct Printed {
    json: Value,
    line: String,
}

impl Printed {
    pub(super) fn request(request: &Request) -> Self {
        Self { json: of_kind("request", request), line: request.line() }
    }

    pub(super) fn delivery(delivery: &Delivery) -> Self {
        Self { json: of_kind("delivery", delivery), line: delivery.line() }
    }

    pub(super) fn event(event: &Event) -> Self {
        let Event { event_id, r#type, timestamp, .. } = event;
        let json =
            json!({ "kind": "event", "time": timestamp, "eventId": event_id, "type": r#type });
        let line = format!("{timestamp}  event     {type}  {event_id}", r#type = r#type);
        Self { json, line }
    }

    /// Prints it on standard output.
    ///
    /// # Errors
    /// One line: it cannot be written.
    pub(super) fn print(&self, common: &Common) -> Result<(), Fault> {
        output::print(common, &self.json, &self.line)
    }
}

/// An entry with its kind, as `--json` prints it.
fn of_kind(kind: &str, entry: &impl Serialize) -> Value {
    let mut value = json!(entry);
    if let Some(members) = value.as_object_mut() {
        members.insert("kind".to_owned(), json!(kind));
    }
    value
}

impl Request {
    fn line(&self) -> String {
        let code = self.code.as_deref().map(|code| format!("  {code}")).unwrap_or_default();
        format!(
            "{}  request   {} {} {}  {} ms{code}  {}",
            self.time, self.status, self.method, self.route, self.duration_ms, self.request_id
        )
    }
}

impl Delivery {
    fn line(&self) -> String {
        let status = self.http_status.map_or_else(|| "–".to_owned(), |status| status.to_string());
        let fault = self.fault.as_deref().map(|fault| format!("  {fault}")).unwrap_or_default();
        // What it writes with a success is of no interest here.
        let response = self.response.as_deref().filter(|_| self.fault.is_some());
        let response = response.map(|text| format!(": {text}")).unwrap_or_default();
        format!(
            "{}  delivery  {status} {} to {}, attempt {}{fault}{response}  {}",
            self.time, self.r#type, self.endpoint_id, self.attempt, self.event_id
        )
    }
}
