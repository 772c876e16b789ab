//! What happens in test mode, as responses show it.

use super::format::rfc3339;
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use tua_contract::ErrorCode;
use tua_domain::{
    KeyId,
    test_log::{LogEntry, LogEntryKind, LogPage, LoggedDelivery, LoggedRequest},
};
use utoipa::ToSchema;

/// What happened in test mode of an account since an earlier request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogPage)]
pub struct LogPageView<'a> {
    /// Responses of the API, oldest first.
    requests: Vec<LoggedRequestView<'a>>,
    /// Attempts to deliver webhooks, oldest first.
    deliveries: Vec<LoggedDeliveryView<'a>>,
    /// Send it as `after` to continue.
    last: u64,
    /// How many entries before these are gone.
    missed: u64,
}

/// A response of the API.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LoggedRequest)]
struct LoggedRequestView<'a> {
    /// The position among requests and deliveries.
    number: u64,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    time: Timestamp,
    #[schema(examples("req_019aa5f0c2007d3e8a1b4c5d6e7f8099"))]
    request_id: &'a str,
    #[schema(examples("POST"))]
    method: &'a str,
    /// The path, with the names of its parameters in place of their values.
    #[schema(examples("/v1/status/{transaction_id}"))]
    route: &'a str,
    #[schema(minimum = 200, maximum = 599)]
    status: u16,
    /// The code of the problem. Null where the request was not refused.
    #[schema(required, examples("invalid_amount"))]
    code: Option<&'static str>,
    /// The secret key. Null where the request had a checkout token.
    #[schema(required, examples("key_019aa5f0c2007d3e8a1b4c5d6e7f8097"))]
    key_id: Option<&'a str>,
    /// How many milliseconds the response took.
    duration_ms: u64,
    /// The charge, payout, refund or checkout session that the request created, or submitted a code
    /// for. Null for other requests.
    #[schema(required, examples("txn_019aa5f0c2007d3e8a1b4c5d6e7f809c"))]
    resource_id: Option<&'a str>,
}

/// An attempt to deliver a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LoggedDelivery)]
struct LoggedDeliveryView<'a> {
    /// The position among requests and deliveries.
    number: u64,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    time: Timestamp,
    #[schema(examples("whd_019aa5f0c2007d3e8a1b4c5d6e7f809a"))]
    delivery_id: &'a str,
    #[schema(examples("whe_019aa5f0c2007d3e8a1b4c5d6e7f8098"))]
    endpoint_id: &'a str,
    /// The `webhook-id`.
    #[schema(examples("msg_019aa5f0c2007d3e8a1b4c5d6e7f809b"))]
    event_id: &'a str,
    /// The type of the event.
    #[schema(examples("charge.successful"))]
    r#type: &'static str,
    /// The charge, payout, refund, checkout session or endpoint that the event is about.
    #[schema(examples("txn_019aa5f0c2007d3e8a1b4c5d6e7f809c"))]
    resource_id: &'a str,
    /// 1 for the first attempt.
    #[schema(minimum = 1)]
    attempt: u32,
    /// The HTTP status of the response. Null where there was none.
    #[schema(required, minimum = 100, maximum = 999)]
    http_status: Option<u16>,
    /// Why the attempt failed. Null where it succeeded.
    #[schema(required, examples("the endpoint answered 500"))]
    fault: Option<&'a str>,
    /// The beginning of the response's body, 512 bytes at most, on one line. Null where it was
    /// empty, or there was no response.
    #[schema(required, examples("the signature does not match"))]
    response: Option<&'a str>,
}

impl<'a> LogPageView<'a> {
    /// A page as a response shows it.
    #[must_use]
    pub fn new(page: &'a LogPage) -> Self {
        let mut requests = Vec::new();
        let mut deliveries = Vec::new();
        for entry in &page.entries {
            match &entry.kind {
                LogEntryKind::Request(request) => {
                    requests.push(LoggedRequestView::new(entry, request))
                }
                LogEntryKind::Delivery(delivery) => {
                    deliveries.push(LoggedDeliveryView::new(entry, delivery));
                }
            }
        }
        Self { requests, deliveries, last: page.last, missed: page.missed }
    }
}

impl<'a> LoggedRequestView<'a> {
    fn new(entry: &LogEntry, request: &'a LoggedRequest) -> Self {
        Self {
            number: entry.number,
            time: entry.at,
            request_id: &request.id,
            method: &request.method,
            route: &request.route,
            status: request.status,
            code: request.code.map(ErrorCode::as_str),
            key_id: request.key.as_ref().map(KeyId::as_str),
            duration_ms: u64::try_from(request.duration.as_millis()).unwrap_or(u64::MAX),
            resource_id: request.resource.as_deref(),
        }
    }
}

impl<'a> LoggedDeliveryView<'a> {
    fn new(entry: &LogEntry, delivery: &'a LoggedDelivery) -> Self {
        Self {
            number: entry.number,
            time: entry.at,
            delivery_id: delivery.id.as_str(),
            endpoint_id: delivery.endpoint.as_str(),
            event_id: &delivery.webhook_id,
            r#type: delivery.event_type.as_str(),
            resource_id: &delivery.resource,
            attempt: delivery.attempt,
            http_status: delivery.http_status,
            fault: delivery.fault.as_deref(),
            response: delivery.response.as_deref(),
        }
    }
}
