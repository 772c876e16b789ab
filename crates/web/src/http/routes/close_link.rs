//! `POST /v1/links/{linkId}/close` (docs/reference/links.md).

use crate::http::{
    auth::Authenticated,
    body::read_no_members,
    json_response::no_store,
    openapi::{
        errors::NO_MEMBERS,
        examples::{self, Examples},
        link_examples,
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::link_id,
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
    link::{Link, LinkChange, LinkStatus, LinkWithTotals},
    public_url::PublicUrl,
};
use tua_use_cases::Links;
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, close_link),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/links/{linkId}/close",
        id: "closeLink",
        tag: "Links",
        summary: "Close a payment link",
        description: "The link takes no further payment, and its open sessions are closed. A \
            charge that is pending goes on. It may be repeated. A link that is USED or EXPIRED \
            stays as it is.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[link_id],
        body: None,
        responses: &[ResponseSpec::json::<LinkView<'static>>(
            "200",
            "The link.",
            response_examples,
        )],
        errors: &[&[NotFound], NO_MEMBERS],
    },
};

/// Closes a link: it takes no further payment.
async fn close_link(
    State(links): State<Links>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    read_no_members(request, timeout).await?;
    let changed = links.change(&holder, &LinkId::new(id), LinkChange::Close).await?;
    let LinkWithTotals { link, totals } = changed;
    Ok(no_store(&LinkView::new(&link, totals, link.status(links.now()), &public_url)))
}

fn response_examples() -> Examples {
    let closed = Link { closed_at: Some(examples::created_at()), ..link_examples::link() };
    vec![(
        "closed",
        examples::json(&LinkView::new(
            &closed,
            link_examples::totals(),
            LinkStatus::Closed,
            link_examples::PUBLIC_URL,
        )),
    )]
}
