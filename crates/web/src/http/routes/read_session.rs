//! `GET /v1/checkout/{checkoutId}` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::checkout_id,
    },
    problem::ApiError,
    refusals::checkout_not_found,
    route::Route,
    segment::Segment,
};
use axum::{extract::State, response::Response, routing::on};
use std::sync::Arc;
use tua_api::resources::CheckoutView;
use tua_contract::ErrorCode::*;
use tua_domain::{CheckoutId, KeyScope, checkout::CheckoutStatus, sandbox_times::SandboxTimes};
use tua_use_cases::{Checkouts, MerchantsCheckout};
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect, KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_session),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/checkout/{checkoutId}",
        id: "readSession",
        tag: "Checkouts",
        summary: "Read a checkout session with a secret key",
        description: "Returns a session of the key's account and mode with its latest charge.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[checkout_id],
        body: None,
        responses: &[ResponseSpec::json::<CheckoutView<'static>>(
            "200",
            "The session with its latest charge.",
            response_examples,
        )],
        errors: &[&[NotFound]],
    },
};

/// A session as its merchant sees it.
async fn read_session(
    State(checkouts): State<Arc<Checkouts>>,
    State(sandbox_times): State<SandboxTimes>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let found = checkouts.find(&holder.scope, &CheckoutId::new(id)).await?;
    let MerchantsCheckout { checkout, summary, status } = found.ok_or_else(checkout_not_found)?;
    Ok(no_store(&CheckoutView::new(&sandbox_times.with_sandbox_expiry(checkout), &summary, status)))
}

/// Sessions that a merchant reads.
fn response_examples() -> Examples {
    vec![
        ("open", examples::session_body(CheckoutStatus::Open)),
        ("paid", examples::session_body(CheckoutStatus::Paid)),
    ]
}
