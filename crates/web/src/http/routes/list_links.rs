//! `GET /v1/links` (docs/reference/links.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        examples::{self, Examples},
        link_examples,
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
        responses: &[ResponseSpec::json::<LinkListing<'static>>(
            "200",
            "One page of links.",
            response_examples,
        )],
        errors: &[&[ValidationFailed, UnknownField, InvalidParameter]],
    },
};

/// The pages of the list of payment links.
const LINK_PAGE: &[fn() -> Parameter] = &[limit, cursor];

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
    let IdPage { limit, after } = parse_id_page(parameters(query)?, LinkId::PREFIX)?;
    // One link more than the page has shows whether there is a next page.
    let page = LinkPageRequest { limit: limit + 1, after: after.map(LinkId::new) };
    let mut found = links.list(&holder.scope, page).await?;
    let next_cursor = truncate_id_page(&mut found, limit, |last| last.link.id.as_str())?;
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
