//! `POST /v1/payouts/batches/{batchId}/cancel` (docs/reference/payouts.md#batches).

use crate::http::{
    auth::Authenticated,
    body::read_no_members,
    json_response::no_store,
    openapi::{
        batch_examples, errors::NO_MEMBERS, examples::Examples, messages::ResponseSpec,
        open_to::OpenTo, operation::OperationSpec, parameters::batch_id,
    },
    payment_response::initiation,
    problem::ApiError,
    refusals::batch_not_found,
    route::Route,
    segment::Segment,
    state::BodyTimeout,
};
use axum::{
    extract::{Request, State},
    response::Response,
    routing::on,
};
use tua_api::resources::PayoutBatchView;
use tua_contract::{ErrorCode::*, FailureCode, State as PaymentState};
use tua_domain::{BatchId, KeyScope, approval::DecideError};
use tua_use_cases::Batches;
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Payout];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, cancel_batch),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/payouts/batches/{batchId}/cancel",
        id: "cancelPayoutBatch",
        tag: "Payments",
        summary: "Cancel the payouts of a batch that were not sent",
        description: "Ends the payouts of a batch that are not handed over to their operator. The \
            others go on. It may be repeated.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[batch_id],
        body: None,
        responses: &[ResponseSpec::json::<PayoutBatchView<'static>>(
            "200",
            "The batch. The payouts that were not sent are FAILED with `cancelled`.",
            response_examples,
        )],
        errors: &[&[NotFound], NO_MEMBERS],
    },
};

/// Cancels the payouts of a batch that are not handed over to their operator.
async fn cancel_batch(
    State(batches): State<Batches>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(SCOPES)?;
    read_no_members(request, timeout).await?;
    match batches.cancel(&key, &BatchId::new(id)).await {
        Err(DecideError::NotFound) => Err(batch_not_found()),
        cancelled => Ok(no_store(&PayoutBatchView::new(&cancelled?, initiation))),
    }
}

fn response_examples() -> Examples {
    vec![(
        "cancelled",
        batch_examples::batch([
            PaymentState::Successful,
            PaymentState::Failed(FailureCode::Cancelled),
        ]),
    )]
}
