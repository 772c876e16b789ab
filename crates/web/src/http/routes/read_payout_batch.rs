//! `GET /v1/payouts/batches/{batchId}` (docs/reference/payouts.md#batches).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        batch_examples, examples::Examples, messages::ResponseSpec, open_to::OpenTo,
        operation::OperationSpec, parameters::batch_id,
    },
    payment_response::initiation,
    problem::ApiError,
    refusals::batch_not_found,
    route::Route,
    segment::Segment,
};
use axum::{extract::State, response::Response, routing::on};
use tua_api::resources::PayoutBatchView;
use tua_contract::{ErrorCode::*, FailureCode, State as PaymentState};
use tua_domain::{BatchId, KeyScope};
use tua_use_cases::Batches;
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Payout, KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_batch),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/payouts/batches/{batchId}",
        id: "readPayoutBatch",
        tag: "Payments",
        summary: "Read a batch of payouts",
        description: "Returns the batch with its payouts as they are now.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[batch_id],
        body: None,
        responses: &[ResponseSpec::json::<PayoutBatchView<'static>>(
            "200",
            "The batch.",
            response_examples,
        )],
        errors: &[&[NotFound]],
    },
};

/// Responds with a batch and its payouts as they are now.
async fn read_batch(
    State(batches): State<Batches>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(SCOPES)?;
    let batch = batches.find(&key, &BatchId::new(id)).await?.ok_or_else(batch_not_found)?;
    Ok(no_store(&PayoutBatchView::new(&batch, initiation)))
}

fn response_examples() -> Examples {
    vec![(
        "completed",
        batch_examples::batch([
            PaymentState::Successful,
            PaymentState::Failed(FailureCode::RecipientNotFound),
        ]),
    )]
}
