//! `GET /v1/links` (docs/reference/links.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        content::BodySchema,
        errors::{CREDENTIAL, RESTRICTED, SCOPED, SERVICE},
        examples::{self, Examples},
        link_examples,
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
use tua_api::resources::LinkView;
use tua_contract::ErrorCode::*;
use tua_domain::{
    KeyScope, LinkId,
    link::{LinkPageRequest, LinkStatus, LinkWithTotals},
    public_url::PublicUrl,
};
use tua_use_cases::Links;
use utoipa::{
    ToSchema,
    openapi::{HttpMethod, path::Parameter},
};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect, KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_links),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/links",
        id: "listLinks",
        tag: "Links",
        summary: "List payment links, newest first",
        description: "Lists the links of the key's account and mode.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: LINK_PAGE,
        body: None,
        responses: &[ResponseSpec {
            status: "200",
            description: "One page of links.",
            headers: &[],
            content: Some(ResponseBodySpec {
                media_type: "application/json",
                schema: BodySchema::of::<LinkListing<'static>>(),
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

/// The pages of the list of payment links.
const LINK_PAGE: &[fn() -> Parameter] = &[limit, cursor, request_id];

/// One page of payment links.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LinkListing<'a> {
    /// The links of this page, newest first.
    data: Vec<LinkView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists links, newest first, page by page.
async fn list_links(
    State(links): State<Links>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let mut after = None;
    let page = parse_each(parameters(query)?, |page, name, value| match name {
        "cursor" => {
            after = Some(LinkId::new(read_id_cursor(value, LinkId::PREFIX)?));
            Ok(())
        }
        _ => apply_page_parameter(page, name, value),
    })?;
    // One link more than the page has shows whether there is a next page.
    let mut found =
        links.list(&holder.scope, LinkPageRequest { limit: page.limit + 1, after }).await?;
    let has_more = truncate_page(&mut found, page.limit)?;
    let last = found.last().filter(|_| has_more);
    let next_cursor = last.map(|last| write_id_cursor(last.link.id.as_str()));
    let now = links.now();
    let view = |LinkWithTotals { link, totals }| (link, totals);
    let found: Vec<_> = found.into_iter().map(view).collect();
    let data = found
        .iter()
        .map(|(link, totals)| LinkView::new(link, *totals, link.status(now), &public_url));
    let listing = LinkListing { data: data.collect(), next_cursor };
    Ok(no_store(&listing))
}

fn response_examples() -> Examples {
    let link = link_examples::link();
    let data = vec![LinkView::new(
        &link,
        link_examples::totals(),
        LinkStatus::Open,
        link_examples::PUBLIC_URL,
    )];
    vec![("page", examples::json(&LinkListing { data, next_cursor: None }))]
}
