//! `POST /v1/checkout/{checkoutId}/close` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    body::read_no_members,
    json_response::no_store,
    openapi::{
        errors::BODY,
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::checkout_id,
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
use std::sync::Arc;
use tua_api::resources::CheckoutView;
use tua_contract::ErrorCode::*;
use tua_domain::{CheckoutId, KeyScope, checkout::CheckoutStatus, sandbox_times::SandboxTimes};
use tua_use_cases::{Checkouts, MerchantsCheckout};
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, close_checkout),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/checkout/{checkoutId}/close",
        id: "closeCheckout",
        tag: "Checkouts",
        summary: "Close a checkout session",
        description: "Closes an open session: it takes no further charge, and its token expires at \
            once. The request may be repeated. A session that has expired stays as it is. The body \
            is empty or `{}`.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[checkout_id],
        body: None,
        responses: &[ResponseSpec::json::<CheckoutView<'static>>(
            "200",
            "The session, which takes no further charge.",
            response_examples,
        )],
        errors: &[BODY, &[NotFound, ChargeInProgress, CheckoutAlreadyPaid]],
    },
};

/// Closes a session, so that it takes no further charge.
async fn close_checkout(
    State(checkouts): State<Arc<Checkouts>>,
    State(sandbox_times): State<SandboxTimes>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    read_no_members(request, timeout).await?;
    let MerchantsCheckout { checkout, summary, status } =
        checkouts.close(&holder, &CheckoutId::new(id)).await?;
    Ok(no_store(&CheckoutView::new(&sandbox_times.with_sandbox_expiry(checkout), &summary, status)))
}

/// A session that a merchant has closed.
fn response_examples() -> Examples {
    vec![("closed", examples::session_body(CheckoutStatus::Closed))]
}
