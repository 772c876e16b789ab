//! `POST /v1/webhooks/{endpointId}/disable` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    body::read_no_members,
    json_response::no_store,
    openapi::{
        endpoint_examples,
        errors::NO_MEMBERS,
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::endpoint_id,
    },
    problem::ApiError,
    refusals::endpoint_not_found,
    route::Route,
    segment::Segment,
    state::BodyTimeout,
};
use axum::{
    extract::{Request, State},
    response::Response,
    routing::on,
};
use tua_api::resources::WebhookEndpointView;
use tua_contract::ErrorCode::*;
use tua_domain::{EndpointId, KeyScope};
use tua_use_cases::KeyEndpoints;
use utoipa::openapi::HttpMethod;

/// A key needs this scope.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, disable_webhook_endpoint),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/webhooks/{endpointId}/disable",
        id: "disableWebhookEndpoint",
        tag: "Endpoints",
        summary: "Disable a webhook endpoint",
        description: "Its events are recorded for 30 days, and not sent. It may be repeated.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[endpoint_id],
        body: None,
        responses: &[ResponseSpec::json::<WebhookEndpointView<'static>>(
            "200",
            "The endpoint.",
            response_examples,
        )],
        errors: &[&[NotFound], NO_MEMBERS],
    },
};

/// Disables an endpoint: its events are recorded, and not sent.
async fn disable_webhook_endpoint(
    State(endpoints): State<KeyEndpoints>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    read_no_members(request, timeout).await?;
    let changed = endpoints.disable(&holder, &EndpointId::new(id)).await?;
    let endpoint = changed.ok_or_else(endpoint_not_found)?;
    Ok(no_store(&WebhookEndpointView::new(&endpoint, endpoints.now())))
}

fn response_examples() -> Examples {
    let endpoint = endpoint_examples::disabled();
    vec![("disabled", examples::json(&endpoint_examples::view(&endpoint)))]
}
