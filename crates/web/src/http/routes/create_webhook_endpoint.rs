//! `POST /v1/webhooks` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    openapi::{
        endpoint_examples,
        errors::{BODY, IDEMPOTENCY},
        examples::Examples,
        headers::IDEMPOTENCY_REPLAYED,
        messages::{LinkSpec, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::idempotency_key,
    },
    problem::ApiError,
    route::Route,
    state::{BodyTimeout, EndpointAddresses},
};
use axum::{
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
    routing::on,
};
use serde::Deserialize;
use serde_json::json;
use tua_api::{
    resources::{WebhookEndpointView, WebhookEndpointWithSecretView},
    values::EndpointUrl,
};
use tua_contract::ErrorCode::{self, *};
use tua_domain::{KeyScope, Mode};
use tua_http_json::{JsonObject, Refusal};
use tua_use_cases::{AddedEndpoint, KeyEndpoints};
use tua_webhooks::endpoint_url::parse_url;
use url::Url;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs this scope.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_webhook_endpoint),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/webhooks",
        id: "createWebhookEndpoint",
        tag: "Endpoints",
        summary: "Add a webhook endpoint",
        description: "Adds an address to which the events of the key's account and mode are sent. \
            The secret that signs them is in this one response.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[idempotency_key],
        body: Some(RequestBodySpec::of::<WebhookEndpointRequest>("The address.", request_examples)),
        responses: &[ResponseSpec::json::<WebhookEndpointWithSecretView<'static>>(
            "201",
            "Added. Store the secret: it is not shown again. The response to a \
                repeated request has no secret.",
            endpoint_examples::added,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[LinkSpec {
            name: "follow",
            to: "readWebhookEndpoint",
            description: "Read the endpoint.",
            parameters: &[("endpointId", "$response.body#/endpointId")],
            body: None,
        }])],
        errors: &[IDEMPOTENCY, BODY, &[InvalidUrl, TooManyEndpoints]],
    },
};

/// A new webhook endpoint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WebhookEndpointRequest {
    url: EndpointUrl,
}

/// Adds an endpoint to the account and mode of the key.
async fn create_webhook_endpoint(
    State(endpoints): State<KeyEndpoints>,
    State(addresses): State<EndpointAddresses>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let key = idempotent::key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let url = read_url(body.object()?, holder.scope.mode, addresses)?;
    let added = endpoints.add(holder, &url, key).await?;
    let AddedEndpoint { endpoint, secret } = &added.value;
    let view = WebhookEndpointWithSecretView {
        endpoint: WebhookEndpointView::new(endpoint, endpoint.created_at),
        secret: secret.as_deref(),
    };
    idempotent::response(StatusCode::CREATED, &view, added.is_replay)
}

/// Reads an address that this mode allows.
///
/// # Errors
/// The faults of the body; `invalid_url` if the mode does not allow the address.
fn read_url(
    object: JsonObject<'_>,
    mode: Mode,
    EndpointAddresses { allow_private }: EndpointAddresses,
) -> Result<Url, ApiError> {
    let parse = |EndpointUrl(text): &EndpointUrl| {
        parse_url(text, mode, allow_private).map_err(|fault| {
            Refusal::new(ErrorCode::InvalidUrl, format!("The address is refused: {fault}."))
        })
    };
    let object = object.require("url", |url| parse(url).map(drop));
    let WebhookEndpointRequest { url } = object.read()?;
    parse(&url).map_err(|refusal| ApiError::new(ErrorCode::InvalidUrl, refusal.detail))
}

fn request_examples() -> Examples {
    vec![("added", json!({ "url": "https://shop.example/webhooks" }))]
}
