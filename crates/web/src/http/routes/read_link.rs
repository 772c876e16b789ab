//! `GET /v1/links/{linkId}` (docs/reference/links.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        link_examples, messages::ResponseSpec, open_to::OpenTo, operation::OperationSpec,
        parameters::link_id,
    },
    problem::ApiError,
    refusals::link_not_found,
    route::Route,
    segment::Segment,
};
use axum::{extract::State, response::Response, routing::on};
use tua_api::resources::LinkView;
use tua_contract::ErrorCode::*;
use tua_domain::{KeyScope, LinkId, link::LinkWithTotals, public_url::PublicUrl};
use tua_use_cases::Links;
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect, KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_link),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/links/{linkId}",
        id: "readLink",
        tag: "Links",
        summary: "Read a payment link",
        description: "Returns a link, how often it was paid, and the sum of its payments.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[link_id],
        body: None,
        responses: &[ResponseSpec::json::<LinkView<'static>>(
            "200",
            "The link.",
            link_examples::open_link,
        )],
        errors: &[&[NotFound]],
    },
};

/// Responds with a link.
async fn read_link(
    State(links): State<Links>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let found = links.find(&holder.scope, &LinkId::new(id)).await?;
    let LinkWithTotals { link, totals } = found.ok_or_else(link_not_found)?;
    Ok(no_store(&LinkView::new(&link, totals, link.status(links.now()), &public_url)))
}
