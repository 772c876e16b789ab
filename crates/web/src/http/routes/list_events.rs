//! `GET /v1/events` (docs/reference/endpoints.md): a merchant's events, newest first; or those
//! after an event, as they happen.

use crate::http::{
    auth::Authenticated,
    event_query::{EventOrder, EventQuery},
    event_view::event_view,
    json_response::no_store,
    openapi::{
        content::reference,
        event_examples,
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{cursor, limit, query},
    },
    paging::{parameters, refuse_parameter, truncate_id_page},
    poll::MAX_WAIT_SECONDS,
    problem::ApiError,
    route::Route,
};
use axum::{
    Extension,
    extract::{Query, State, rejection::QueryRejection},
    response::Response,
    routing::on,
};
use jiff::SignedDuration;
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use tua_api::{resources::EventView, values};
use tua_contract::ErrorCode::*;
use tua_domain::{DeliveryId, KeyScope, SecretKey, webhook::EventType};
use tua_net::{Client, limits::AddressConcurrency};
use tua_use_cases::{Events, RecordedEvent};
use utoipa::{
    ToSchema,
    openapi::{HttpMethod, ObjectBuilder, Type, path::Parameter},
};

/// A key needs this scope: an event may be about anything.
const SCOPES: &[KeyScope] = &[KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_events),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/events",
        id: "listEvents",
        tag: "Reading",
        summary: "List or follow events",
        description: "Lists the events of the key's account and mode of the last 30 days, newest \
            first. With `after`, lists the events after that event, oldest first, and waits for \
            one for `wait` seconds. The first successful request to this route begins the record \
            of the account and mode, with the events of the newest 500 transactions and the newest \
            500 sessions from before.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: FILTERS,
        body: None,
        responses: &[ResponseSpec::json::<EventListing<'static>>(
            "200",
            "One page of events.",
            response_examples,
        )],
        errors: &[&[ValidationFailed, UnknownField, InvalidParameter, InvalidText]],
    },
};

/// The filters of the list, and its next page.
const FILTERS: &[fn() -> Parameter] = &[
    || {
        query(
            "type",
            "Only events of these types, separated by commas.",
            values::string_schema()
                .pattern(Some(types_pattern()))
                .examples([json!("charge.successful,charge.failed")]),
        )
    },
    || {
        query(
            "transactionId",
            "Only events of this charge, payout or refund.",
            values::string_schema().pattern(Some(values::LINE_PATTERN)),
        )
    },
    || query("from", "Only events at this time or later.", reference::<values::Time>()),
    || query("to", "Only events before this time.", reference::<values::Time>()),
    || {
        query(
            "after",
            "The id of an event: only events after it, oldest first. Empty for all events.",
            values::string_schema(),
        )
    },
    || {
        let seconds = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0))
            .maximum(Some(MAX_WAIT_SECONDS));
        query("wait", "With `after`: how many seconds to wait for an event.", seconds)
    },
    limit,
    cursor,
];

/// One or more types of events, separated by commas.
fn types_pattern() -> String {
    let types: Vec<String> =
        EventType::ALL.iter().map(|one| one.as_str().replace('.', "\\.")).collect();
    let one = format!("({})", types.join("|"));
    format!("^{one}(,{one})*$")
}

/// One page of events.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EventListing<'a> {
    /// The events of this page: newest first, or oldest first with `after`.
    data: Vec<EventView<'a>>,
    /// The cursor of the next page. Null on the last page, and with `after`: continue after the
    /// last event.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists events, newest first page by page, or follows them.
async fn list_events(
    State(events): State<Events>,
    State(polls): State<Arc<AddressConcurrency>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let EventQuery { filter, limit, order } = EventQuery::parse(parameters(query)?)?;
    match order {
        EventOrder::NewestFirst { before } => {
            // One event more than the page has shows whether there is a next page.
            let mut found = events.list(&holder, filter, before, limit + 1).await?;
            let next_cursor =
                truncate_id_page(&mut found, limit, |last| last.delivery.id.as_str())?;
            Ok(respond(&found, next_cursor))
        }
        EventOrder::OldestFirst { after, wait_seconds } => {
            let after = match after {
                Some(after) => Some(position(&events, &holder, &after).await?),
                None => None,
            };
            // An address that has its share of waiting polls gets the response at once.
            let share = wait_seconds.and_then(|_| polls.acquire(client.address));
            let until = wait_seconds
                .filter(|_| share.is_some())
                .map(|seconds| events.clock.now() + SignedDuration::from_secs(seconds.into()));
            let found = events.follow(&holder, filter, after, until, limit).await?;
            drop(share);
            Ok(respond(&found, None))
        }
    }
}

/// The position of the event with this id.
///
/// # Errors
/// 422 `invalid_parameter` if the record has no such event.
async fn position(
    events: &Events,
    holder: &SecretKey,
    after: &str,
) -> Result<DeliveryId, ApiError> {
    let detail = "after names no event of this account and mode in the last 30 days. Continue with \
                  an empty after: the list begins with the oldest event.";
    let found = events.position(holder, after).await?;
    found.map(|found| found.id).ok_or_else(|| refuse_parameter("after", detail))
}

fn respond(found: &[RecordedEvent], next_cursor: Option<String>) -> Response {
    no_store(&EventListing { data: found.iter().map(event_view).collect(), next_cursor })
}

fn response_examples() -> Examples {
    let paid = event_examples::paid();
    let listing = EventListing { data: vec![event_examples::view(&paid)], next_cursor: None };
    vec![("page", examples::json(&listing))]
}
