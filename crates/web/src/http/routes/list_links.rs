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
    paging::{apply_page_parameter, parameters, parse_each},
    problem::ApiError,
    refusals::internal,
    route::Route,
};
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    response::Response,
    routing::on,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use tua_api::resources::LinkView;
use tua_contract::ErrorCode::{self, *};
use tua_domain::{
    KeyScope, LinkId,
    link::{LinkPage, LinkStatus, LinkWithFigures},
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
            let detail = "This is not a cursor that this service has returned.";
            after = Some(read_cursor(value).ok_or((ErrorCode::InvalidParameter, detail))?);
            Ok(())
        }
        _ => apply_page_parameter(page, name, value),
    })?;
    // One link more than the page has shows whether there is a next page.
    let mut found = links.list(&holder.scope, LinkPage { limit: page.limit + 1, after }).await?;
    let limit = usize::try_from(page.limit).map_err(|_| internal())?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next_cursor =
        found.last().filter(|_| has_more).map(|last| URL_SAFE_NO_PAD.encode(last.link.id.as_str()));
    let now = links.now();
    let view = |LinkWithFigures { link, figures }| (link, figures);
    let found: Vec<_> = found.into_iter().map(view).collect();
    let data = found
        .iter()
        .map(|(link, figures)| LinkView::new(link, *figures, link.status(now), &public_url));
    let listing = LinkListing { data: data.collect(), next_cursor };
    Ok(no_store(&listing))
}

/// The id of the last link of the page before. `None` where the text is not one of our cursors.
fn read_cursor(text: &str) -> Option<LinkId> {
    let id = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let uuid = id.strip_prefix("lnk_")?;
    uuid.chars().all(|character| character.is_ascii_hexdigit()).then_some(())?;
    Some(LinkId::new(id))
}

fn response_examples() -> Examples {
    let link = link_examples::link();
    let data = vec![LinkView::new(
        &link,
        link_examples::figures(),
        LinkStatus::Open,
        link_examples::PUBLIC_URL,
    )];
    vec![("page", examples::json(&LinkListing { data, next_cursor: None }))]
}
