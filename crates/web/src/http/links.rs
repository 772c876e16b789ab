//! `GET /v1/links` and `GET /v1/links/{linkId}` (docs/reference/links.md).

use super::{
    access,
    auth::Authenticated,
    link::respond,
    problem::ApiError,
    refusals::{internal, link_not_found},
    segment::Segment,
    transactions::{apply_page_parameter, parameters, parse_each},
};
use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
    http::header,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use tua_api::resources::LinkView;
use tua_contract::ErrorCode;
use tua_domain::{
    LinkId,
    link::{LinkPage, LinkWithFigures},
    public_url::PublicUrl,
};
use tua_use_cases::Links;
use utoipa::ToSchema;

/// One page of payment links.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LinkListing<'a> {
    /// The links of this page, newest first.
    pub(super) data: Vec<LinkView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    pub(super) next_cursor: Option<String>,
}

/// Responds with a link.
pub(super) async fn read_link(
    State(links): State<Links>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::READ_LINK)?;
    let found = links.find(&holder.scope, &LinkId::new(id)).await?.ok_or_else(link_not_found)?;
    Ok(respond(&found, links.now(), &public_url))
}

/// Lists links, newest first, page by page.
pub(super) async fn list_links(
    State(links): State<Links>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::LIST_LINKS)?;
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
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(listing)).into_response())
}

/// The id of the last link of the page before. `None` where the text is not one of our cursors.
fn read_cursor(text: &str) -> Option<LinkId> {
    let id = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let uuid = id.strip_prefix("lnk_")?;
    uuid.chars().all(|character| character.is_ascii_hexdigit()).then_some(())?;
    Some(LinkId::new(id))
}
