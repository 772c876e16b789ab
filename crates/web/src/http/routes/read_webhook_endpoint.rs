//! `GET /v1/webhooks/{endpointId}` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        endpoint_examples, messages::ResponseSpec, open_to::OpenTo, operation::OperationSpec,
        parameters::endpoint_id,
    },
    problem::ApiError,
    refusals::endpoint_not_found,
    route::Route,
    segment::Segment,
};
use axum::{extract::State, response::Response, routing::on};
use tua_api::resources::WebhookEndpointView;
use tua_contract::ErrorCode::*;
use tua_domain::{EndpointId, KeyScope};
use tua_use_cases::KeyEndpoints;
use utoipa::openapi::HttpMethod;

/// A key needs this scope: an address may contain a secret of the merchant.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_webhook_endpoint),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/webhooks/{endpointId}",
        id: "readWebhookEndpoint",
        tag: "Endpoints",
        summary: "Read a webhook endpoint",
        description: "Returns an endpoint of the key's account and mode that was not removed.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[endpoint_id],
        body: None,
        responses: &[ResponseSpec::json::<WebhookEndpointView<'static>>(
            "200",
            "The endpoint, without its secret.",
            endpoint_examples::each,
        )],
        errors: &[&[NotFound]],
    },
};

/// Responds with an endpoint.
async fn read_webhook_endpoint(
    State(endpoints): State<KeyEndpoints>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let found = endpoints.find(&holder.scope, &EndpointId::new(id)).await?;
    let endpoint = found.ok_or_else(endpoint_not_found)?;
    Ok(no_store(&WebhookEndpointView::new(&endpoint, endpoints.now())))
}
