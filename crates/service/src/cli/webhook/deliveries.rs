//! Lists deliveries, and shows those that are sent again.

use super::errors::no_endpoint;
use crate::cli::{context::Common, fault::Fault, output, use_cases::UseCases};
use serde::Serialize;
use serde_json::value::RawValue;
use tua_domain::{ports::DeliveryFilter, webhook::Delivery};
use tua_use_cases::DeliveriesError;
use tua_webhooks::payload;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeliveryRow<'a> {
    delivery_id: &'a str,
    endpoint_id: &'a str,
    webhook_id: &'a str,
    r#type: &'static str,
    status: &'static str,
    attempts: u32,
    occurred_at: String,
    next_attempt_at: Option<String>,
    last_attempt_at: Option<String>,
    http_status: Option<u16>,
    fault: Option<&'a str>,
    /// The beginning of the response's body.
    response: Option<&'a str>,
    /// What is sent, where it was asked for; null if it cannot be read any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<Option<Box<RawValue>>>,
}

pub(super) async fn list(
    use_cases: &UseCases,
    common: &Common,
    filter: DeliveryFilter,
    with_payload: bool,
) -> Result<(), Fault> {
    let deliveries = use_cases.deliveries.list(filter).await.map_err(|error| match error {
        DeliveriesError::UnknownEndpoint(id) => no_endpoint(&id),
        DeliveriesError::Store(error) => error.into(),
    })?;
    let mut rows: Vec<DeliveryRow<'_>> = deliveries.iter().map(DeliveryRow::new).collect();
    if with_payload {
        for (row, delivery) in rows.iter_mut().zip(&deliveries) {
            row.payload = Some(read_payload(use_cases, delivery).await?);
        }
    }
    let line = |row: &DeliveryRow<'_>| {
        let fault = row.fault.map_or_else(String::new, |fault| format!("  {fault}"));
        // What it writes with a success is of no interest here.
        let response = row.response.filter(|_| row.fault.is_some());
        let response = response.map_or_else(String::new, |text| format!(": {text}"));
        let payload = row.payload.as_ref().map_or_else(String::new, |payload| {
            format!("\n    {}", payload.as_ref().map_or("null", |payload| payload.get()))
        });
        let next =
            row.next_attempt_at.as_ref().map_or_else(String::new, |at| format!("  next {at}"));
        let id = row.delivery_id;
        let at = &row.occurred_at;
        let kind = row.r#type;
        let status = row.status;
        format!(
            "{id}  {at}  {kind}  {status}  attempts {}{fault}{response}{next}{payload}",
            row.attempts
        )
    };
    output::print_list(common, &rows, line, "There are no deliveries.")
}

/// The body of a delivery, as it is sent.
async fn read_payload(
    use_cases: &UseCases,
    delivery: &Delivery,
) -> Result<Option<Box<RawValue>>, Fault> {
    let subject = use_cases.deliveries.subject(delivery).await?;
    let Some(subject) = subject else { return Ok(None) };
    let body = payload::body(delivery, &subject)?;
    RawValue::from_string(body).map(Some).map_err(|error| error.to_string().into())
}

pub(super) fn queued(common: &Common, delivery: &Delivery) -> Result<(), Fault> {
    let text = format!("{} is sent by the running service within a second.", delivery.id);
    output::print(common, &DeliveryRow::new(delivery), &text)
}

impl<'a> DeliveryRow<'a> {
    pub(super) fn new(delivery: &'a Delivery) -> Self {
        let last = delivery.last.as_ref();
        Self {
            delivery_id: delivery.id.as_str(),
            endpoint_id: delivery.endpoint.as_str(),
            webhook_id: &delivery.webhook_id,
            r#type: delivery.event_type.as_str(),
            status: delivery.status.as_str(),
            attempts: delivery.attempts,
            occurred_at: output::time(delivery.occurred_at),
            next_attempt_at: delivery.due_at.map(output::time),
            last_attempt_at: last.map(|last| output::time(last.at)),
            http_status: last.and_then(|last| last.http_status),
            fault: last.and_then(|last| last.fault.as_deref()),
            response: last.and_then(|last| last.response.as_deref()),
            payload: None,
        }
    }
}
