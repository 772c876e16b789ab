//! `POST /v1/webhooks/{endpointId}/remove` (docs/reference/webhooks.md).

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
use tua_domain::{EndpointId, KeyScope, webhook::Endpoint};
use tua_use_cases::KeyEndpoints;
use utoipa::openapi::HttpMethod;

/// A key needs this scope.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, remove_webhook_endpoint),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/webhooks/{endpointId}/remove",
        id: "removeWebhookEndpoint",
        tag: "Endpoints",
        summary: "Remove a webhook endpoint",
        description: "It receives no more events, and its pending deliveries fail. Its \
            secrets are deleted. This cannot be undone.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[endpoint_id],
        body: None,
        responses: &[ResponseSpec::json::<WebhookEndpointView<'static>>(
            "200",
            "The endpoint, which is REMOVED.",
            response_examples,
        )],
        errors: &[&[NotFound], NO_MEMBERS],
    },
};

/// Removes an endpoint.
async fn remove_webhook_endpoint(
    State(endpoints): State<KeyEndpoints>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    read_no_members(request, timeout).await?;
    let removed = endpoints.remove(&holder, &EndpointId::new(id)).await?;
    let endpoint = removed.ok_or_else(endpoint_not_found)?;
    Ok(no_store(&WebhookEndpointView::new(&endpoint, endpoints.now())))
}

fn response_examples() -> Examples {
    let removed_at = Some(examples::created_at());
    let endpoint = Endpoint { removed_at, ..endpoint_examples::endpoint() };
    vec![("removed", examples::json(&endpoint_examples::view(&endpoint)))]
}
