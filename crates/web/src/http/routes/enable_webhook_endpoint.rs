//! `POST /v1/webhooks/{endpointId}/enable` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    body::read_optional,
    json_response::no_store,
    openapi::{
        endpoint_examples,
        errors::BODY,
        examples::{self, Examples},
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
    resources::{EnabledWebhookEndpointView, WebhookEndpointView},
    values::ResendRecorded,
};
use tua_contract::ErrorCode::*;
use tua_domain::{EndpointId, KeyScope, ports::ChangedEndpoint};
use tua_use_cases::KeyEndpoints;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs this scope.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, enable_webhook_endpoint),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/webhooks/{endpointId}/enable",
        id: "enableWebhookEndpoint",
        tag: "Endpoints",
        summary: "Enable a webhook endpoint",
        description: "New events are sent to it from now on. With `resend`, the events that were \
            recorded while it was disabled are sent too. It may be repeated.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[endpoint_id],
        body: Some(
            RequestBodySpec::of::<EnableRequest>(
                "What is sent. The body may be empty.",
                request_examples,
            )
            .optional(),
        ),
        responses: &[ResponseSpec::json::<EnabledWebhookEndpointView<'static>>(
            "200",
            "The endpoint.",
            response_examples,
        )],
        errors: &[BODY, &[NotFound]],
    },
};

/// How an endpoint is enabled.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = EnableWebhookEndpointRequest)]
struct EnableRequest {
    resend: Option<ResendRecorded>,
}

/// Enables an endpoint.
async fn enable_webhook_endpoint(
    State(endpoints): State<KeyEndpoints>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let body = read_optional(request, timeout).await?;
    let EnableRequest { resend } = body.object()?.read()?;
    let ResendRecorded(resend) = resend.unwrap_or_default();
    let changed = endpoints.enable(&holder, &EndpointId::new(id), resend).await?;
    let ChangedEndpoint { endpoint, recorded_deliveries } =
        changed.ok_or_else(endpoint_not_found)?;
    let endpoint = WebhookEndpointView::new(&endpoint, endpoints.now());
    Ok(no_store(&EnabledWebhookEndpointView { endpoint, recorded_events: recorded_deliveries }))
}

fn request_examples() -> Examples {
    vec![("resend", json!({ "resend": true })), ("plain", json!({}))]
}

fn response_examples() -> Examples {
    let endpoint = endpoint_examples::endpoint();
    let endpoint = endpoint_examples::view(&endpoint);
    let enabled = EnabledWebhookEndpointView { endpoint, recorded_events: 12 };
    vec![("enabled", examples::json(&enabled))]
}
