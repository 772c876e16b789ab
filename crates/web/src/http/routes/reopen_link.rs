//! `POST /v1/links/{linkId}/reopen` (docs/reference/links.md).

use crate::http::{
    auth::Authenticated,
    body::read_no_members,
    json_response::no_store,
    openapi::{
        errors::NO_MEMBERS, link_examples, messages::ResponseSpec, open_to::OpenTo,
        operation::OperationSpec, parameters::link_id,
    },
    problem::ApiError,
    route::Route,
    segment::Segment,
    state::BodyTimeout,
};
use axum::{
    extract::{Request, State},
    response::Response,
    routing::on,
};
use tua_api::resources::LinkView;
use tua_contract::ErrorCode::*;
use tua_domain::{
    KeyScope, LinkId,
    link::{LinkChange, LinkWithTotals},
    public_url::PublicUrl,
};
use tua_use_cases::Links;
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, reopen_link),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/links/{linkId}/reopen",
        id: "reopenLink",
        tag: "Links",
        summary: "Open a closed payment link again",
        description: "The link takes payments again. Sessions that were closed with it stay \
            closed. It may be repeated.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[link_id],
        body: None,
        responses: &[ResponseSpec::json::<LinkView<'static>>(
            "200",
            "The link is OPEN.",
            link_examples::open_link,
        )],
        errors: &[&[NotFound, LinkNotReopenable], NO_MEMBERS],
    },
};

/// Opens a closed link again.
async fn reopen_link(
    State(links): State<Links>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    read_no_members(request, timeout).await?;
    let changed = links.change(&holder, &LinkId::new(id), LinkChange::Reopen).await?;
    let LinkWithTotals { link, totals } = changed;
    Ok(no_store(&LinkView::new(&link, totals, link.status(links.now()), &public_url)))
}
