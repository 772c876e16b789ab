//! Lists deliveries, and shows those that are sent again.

use super::errors::{no_endpoint, to_line};
use crate::cli::{context::Common, output, use_cases::UseCases};
use serde::Serialize;
use tua_domain::{ports::DeliveryFilter, webhook::Delivery};
use tua_use_cases::DeliveriesError;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryRow<'a> {
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
}

pub(super) async fn list(
    use_cases: &UseCases,
    common: &Common,
    filter: DeliveryFilter,
) -> Result<(), String> {
    let deliveries = use_cases.deliveries.list(filter).await.map_err(|error| match error {
        DeliveriesError::UnknownEndpoint(id) => no_endpoint(&id),
        DeliveriesError::Store(error) => to_line(error),
    })?;
    let rows: Vec<DeliveryRow<'_>> = deliveries.iter().map(DeliveryRow::new).collect();
    let line = |row: &DeliveryRow<'_>| {
        let fault = row.fault.map_or_else(String::new, |fault| format!("  {fault}"));
        let next =
            row.next_attempt_at.as_ref().map_or_else(String::new, |at| format!("  next {at}"));
        let id = row.delivery_id;
        let at = &row.occurred_at;
        let kind = row.r#type;
        let status = row.status;
        format!("{id}  {at}  {kind}  {status}  attempts {}{fault}{next}", row.attempts)
    };
    output::print_list(common, &rows, line, "There are no deliveries.")
}

pub(super) fn queued(common: &Common, delivery: &Delivery) -> Result<(), String> {
    let text = format!("{} is sent by the running service within a second.", delivery.id);
    output::print(common, &DeliveryRow::new(delivery), &text)
}

impl<'a> DeliveryRow<'a> {
    fn new(delivery: &'a Delivery) -> Self {
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
        }
    }
}
