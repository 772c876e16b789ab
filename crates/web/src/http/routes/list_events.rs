//! `GET /v1/events` (docs/reference/endpoints.md): a merchant's events, newest first; or those
//! after an event, as they happen.

use crate::http::{
    auth::Authenticated,
    event_query::{EventQuery, MAX_WAIT_SECONDS, write_cursor},
    event_view::event_view,
    json_response::no_store,
    openapi::{
        content::{BodySchema, reference},
        errors::{CREDENTIAL, RESTRICTED, SCOPED, SERVICE},
        event_examples,
        examples::{self, Examples},
        operation::{OpenTo, OperationSpec, ResponseBodySpec, ResponseSpec},
        parameters::{cursor, limit, query, request_id},
    },
    paging::parameters,
    problem::ApiError,
    refusals::internal,
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
use tua_contract::ErrorCode::{self, *};
use tua_domain::{DeliveryId, KeyScope, SecretKey, webhook::EventType};
use tua_net::{Client, limits::AddressShares};
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
            one for `wait` seconds. The first request of an account and mode begins the record: \
            it has no events from before.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: FILTERS,
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "One page of events.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: BodySchema::of::<EventListing<'static>>(),
                examples: response_examples,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            &[ValidationFailed, UnknownField, InvalidParameter, InvalidText],
            SERVICE,
        ],
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
            values::string_schema().pattern(Some(values::LINE)),
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
    request_id,
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
    State(polls): State<Arc<AddressShares>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let mut query = EventQuery::parse(parameters(query)?)?;
    if let Some(after) = query.after.take() {
        let after = position(&events, &holder, &after).await?;
        // An address that has its share of waiting polls gets the response at once.
        let share = query.wait_seconds.and_then(|_| polls.acquire(client.address));
        let until = query
            .wait_seconds
            .filter(|_| share.is_some())
            .map(|seconds| events.clock.now() + SignedDuration::from_secs(seconds.into()));
        let found = events.follow(&holder, query.filter, after, until, query.limit).await?;
        drop(share);
        return Ok(respond(&found, None));
    }
    // One event more than the page has shows whether there is a next page.
    let mut found = events.list(&holder, query.filter, query.before, query.limit + 1).await?;
    let limit = usize::try_from(query.limit).map_err(|_| internal())?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more);
    let next_cursor = last.map(|last| write_cursor(&last.delivery.id));
    Ok(respond(&found, next_cursor))
}

/// The position of the event after which a client continues; `None` for the beginning.
async fn position(
    events: &Events,
    holder: &SecretKey,
    after: &str,
) -> Result<Option<DeliveryId>, ApiError> {
    if after.is_empty() {
        return Ok(None);
    }
    let detail = "after is no event of this account and mode, or it is older than 30 days. Continue \
                  with an empty after: you miss no event that is kept.";
    let found = events.position(holder, after).await?;
    found
        .map(|found| Some(found.id))
        .ok_or_else(|| ApiError::new(ErrorCode::InvalidParameter, detail))
}

fn respond(found: &[RecordedEvent], next_cursor: Option<String>) -> Response {
    no_store(&EventListing { data: found.iter().map(event_view).collect(), next_cursor })
}

fn response_examples() -> Examples {
    let paid = event_examples::paid();
    let listing = EventListing { data: vec![event_examples::view(&paid)], next_cursor: None };
    vec![("page", examples::json(&listing))]
}
