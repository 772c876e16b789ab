//! `GET /v1/webhook-endpoints` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        content::BodySchema,
        endpoint_examples,
        errors::{CREDENTIAL, RESTRICTED, SCOPED, SERVICE},
        examples::{self, Examples},
        operation::{OpenTo, OperationSpec, ResponseBodySpec, ResponseSpec},
        parameters::request_id,
    },
    problem::ApiError,
    route::Route,
};
use axum::{extract::State, response::Response, routing::on};
use serde::Serialize;
use tua_api::resources::WebhookEndpointView;
use tua_domain::KeyScope;
use tua_use_cases::KeyEndpoints;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs this scope: an address may contain a secret of the merchant.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_webhook_endpoints),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/webhook-endpoints",
        id: "listWebhookEndpoints",
        tag: "Endpoints",
        summary: "List webhook endpoints, oldest first",
        description: "Lists all endpoints of the key's account and mode that were not removed.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "The endpoints, without their secrets.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: BodySchema::of::<WebhookEndpointListing<'static>>(),
                examples: response_examples,
            }),
            links: &[],
        }],
        errors: &[CREDENTIAL, RESTRICTED, SCOPED, SERVICE],
    },
};

/// All webhook endpoints of an account and mode.
#[derive(Serialize, ToSchema)]
struct WebhookEndpointListing<'a> {
    /// The endpoints, oldest first.
    data: Vec<WebhookEndpointView<'a>>,
}

/// Lists the endpoints of the account and mode of the key.
async fn list_webhook_endpoints(
    State(endpoints): State<KeyEndpoints>,
    caller: Authenticated,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let found = endpoints.list(&holder.scope).await?;
    let now = endpoints.now();
    let data = found.iter().map(|endpoint| WebhookEndpointView::new(endpoint, now)).collect();
    Ok(no_store(&WebhookEndpointListing { data }))
}

fn response_examples() -> Examples {
    let endpoint = endpoint_examples::endpoint();
    let data = vec![endpoint_examples::view(&endpoint)];
    vec![("all", examples::json(&WebhookEndpointListing { data }))]
}
