//! `GET /v1/webhooks` (docs/reference/webhooks.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        content::BodySchema,
        endpoint_examples,
        errors::{CREDENTIAL, RESTRICTED, SCOPED, SERVICE},
        examples::{self, Examples},
        operation::{OpenTo, OperationSpec, ResponseBodySpec, ResponseSpec},
        parameters::{cursor, limit, request_id},
    },
    paging::{
        apply_page_parameter, parameters, parse_each, read_id_cursor, truncate_page,
        write_id_cursor,
    },
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
        parameters: &[limit, cursor, request_id],
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "One page of endpoints, without their secrets.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: BodySchema::of::<WebhookEndpointListing<'static>>(),
                examples: response_examples,
            }),
            links: &[],
        }],
        errors: &[
            CREDENTIAL,
            RESTRICTED,
            SCOPED,
            &[ValidationFailed, UnknownField, InvalidParameter],
            SERVICE,
        ],
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
    let mut after = None;
    let page = parse_each(parameters(query)?, |page, name, value| match name {
        "cursor" => {
            after = Some(EndpointId::new(read_id_cursor(value, EndpointId::PREFIX)?));
            Ok(())
        }
        _ => apply_page_parameter(page, name, value),
    })?;
    // One endpoint more than the page has shows whether there is a next page.
    let limit = page.limit.saturating_add(1).try_into().unwrap_or(usize::MAX);
    let mut found = endpoints.page(&holder.scope, after, limit).await?;
    let has_more = truncate_page(&mut found, page.limit)?;
    let last = found.last().filter(|_| has_more);
    let next_cursor = last.map(|last| write_id_cursor(last.id.as_str()));
    let now = endpoints.now();
    let data = found.iter().map(|endpoint| WebhookEndpointView::new(endpoint, now)).collect();
    Ok(no_store(&WebhookEndpointListing { data, next_cursor }))
}

fn response_examples() -> Examples {
    let endpoint = endpoint_examples::endpoint();
    let data = vec![endpoint_examples::view(&endpoint)];
    vec![("page", examples::json(&WebhookEndpointListing { data, next_cursor: None }))]
}
