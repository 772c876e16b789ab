//! `POST /v1/webhooks/{endpointId}/rotate` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    body::read_optional,
    json_response::no_store,
    openapi::{
        endpoint_examples,
        errors::BODY,
        examples::Examples,
        messages::{RequestBodySpec, ResponseSpec},
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
use serde::Deserialize;
use serde_json::json;
use tua_api::{
    resources::{WebhookEndpointView, WebhookEndpointWithSecretView},
    values::OverlapHours,
};
use tua_contract::ErrorCode::*;
use tua_domain::{EndpointId, KeyScope};
use tua_use_cases::{EndpointWithSecret, KeyEndpoints};
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs this scope.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, rotate_webhook_secret),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/webhooks/{endpointId}/rotate",
        id: "rotateWebhookSecret",
        tag: "Endpoints",
        summary: "Replace the secret of a webhook endpoint",
        description: "Makes a new secret, which is in this one response. The previous secret also \
            signs for `overlapHours`. A secret before that ends at once, so do not repeat the request \
            before your server has the new secret.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[endpoint_id],
        body: Some(
            RequestBodySpec::of::<RotateRequest>(
                "How long the previous secret also signs. The body may be empty.",
                request_examples,
            )
            .optional(),
        ),
        responses: &[ResponseSpec::json::<WebhookEndpointWithSecretView<'static>>(
            "200",
            "The endpoint with its new secret. Store it: it is not shown again.",
            endpoint_examples::rotated,
        )],
        errors: &[BODY, &[InvalidParameter, NotFound]],
    },
};

/// How the secret of an endpoint is replaced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RotateWebhookSecretRequest)]
struct RotateRequest {
    overlap_hours: Option<OverlapHours>,
}

/// Replaces the secret of an endpoint.
async fn rotate_webhook_secret(
    State(endpoints): State<KeyEndpoints>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let body = read_optional(request, timeout).await?;
    let RotateRequest { overlap_hours } = body.object()?.read()?;
    let overlap = overlap_hours.unwrap_or_default().into();
    let rotated = endpoints.rotate_secret(&holder, &EndpointId::new(id), overlap).await?;
    let EndpointWithSecret { endpoint, secret } = rotated.ok_or_else(endpoint_not_found)?;
    let endpoint = WebhookEndpointView::new(&endpoint, endpoints.now());
    Ok(no_store(&WebhookEndpointWithSecretView { endpoint, secret: Some(&secret) }))
}

fn request_examples() -> Examples {
    vec![("day", json!({ "overlapHours": 24 })), ("plain", json!({}))]
}
