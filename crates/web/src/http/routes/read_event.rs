//! `GET /v1/events/{eventId}` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    event_view::event_view,
    json_response::no_store,
    openapi::{
        event_examples, messages::ResponseSpec, open_to::OpenTo, operation::OperationSpec,
        parameters::event_id,
    },
    problem::ApiError,
    route::Route,
    segment::Segment,
};
use axum::{extract::State, response::Response, routing::on};
use tua_api::resources::EventView;
use tua_contract::ErrorCode::{self, *};
use tua_domain::KeyScope;
use tua_use_cases::Events;
use utoipa::openapi::HttpMethod;

/// A key needs this scope: an event may be about anything.
const SCOPES: &[KeyScope] = &[KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_event),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/events/{eventId}",
        id: "readEvent",
        tag: "Reading",
        summary: "Read an event",
        description: "Returns an event of the last 30 days, as its webhook has it.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[event_id],
        body: None,
        responses: &[ResponseSpec::json::<EventView<'static>>(
            "200",
            "The event.",
            event_examples::event,
        )],
        errors: &[&[NotFound]],
    },
};

/// Responds with an event of the key's account and mode.
async fn read_event(
    State(events): State<Events>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let found = events.find(&holder, &id).await?;
    let detail = "There is no event with this identifier, or it is older than 30 days.";
    let event = found.ok_or_else(|| ApiError::new(ErrorCode::NotFound, detail))?;
    Ok(no_store(&event_view(&event)))
}
