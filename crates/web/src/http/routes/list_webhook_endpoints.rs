//! `GET /v1/webhooks` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        endpoint_examples,
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{cursor, limit},
    },
    paging::{IdPage, parameters, parse_id_page, truncate_id_page},
    problem::ApiError,
    route::Route,
};
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    response::Response,
    routing::on,
};
use serde::Serialize;
use tua_api::resources::WebhookEndpointView;
use tua_contract::ErrorCode::*;
use tua_domain::{EndpointId, KeyScope};
use tua_use_cases::KeyEndpoints;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs this scope: an address may contain a secret of the merchant.
const SCOPES: &[KeyScope] = &[KeyScope::Webhooks];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_webhook_endpoints),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/webhooks",
        id: "listWebhookEndpoints",
        tag: "Endpoints",
        summary: "List webhook endpoints, newest first",
        description: "Lists the endpoints of the key's account and mode that were not removed.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[limit, cursor],
        body: None,
        responses: &[ResponseSpec::json::<WebhookEndpointListing<'static>>(
            "200",
            "One page of endpoints, without their secrets.",
            response_examples,
        )],
        errors: &[&[ValidationFailed, UnknownField, InvalidParameter]],
    },
};

/// One page of webhook endpoints.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WebhookEndpointListing<'a> {
    /// The endpoints of this page, newest first.
    data: Vec<WebhookEndpointView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists the endpoints of the account and mode of the key, page by page.
async fn list_webhook_endpoints(
    State(endpoints): State<KeyEndpoints>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let IdPage { limit, after } = parse_id_page(parameters(query)?, EndpointId::PREFIX)?;
    // One endpoint more than the page has shows whether there is a next page.
    let limit_and_next = limit.saturating_add(1).try_into().unwrap_or(usize::MAX);
    let after = after.map(EndpointId::new);
    let mut found = endpoints.page(&holder.scope, after, limit_and_next).await?;
    let next_cursor = truncate_id_page(&mut found, limit, |last| last.id.as_str())?;
    let now = endpoints.now();
    let data = found.iter().map(|endpoint| WebhookEndpointView::new(endpoint, now)).collect();
    Ok(no_store(&WebhookEndpointListing { data, next_cursor }))
}

fn response_examples() -> Examples {
    let endpoint = endpoint_examples::endpoint();
    let data = vec![endpoint_examples::view(&endpoint)];
    vec![("page", examples::json(&WebhookEndpointListing { data, next_cursor: None }))]
}
