//! `POST /v1/refunds/{refundId}/cancel` (docs/reference/refunds.md).

use crate::http::{
    auth::Authenticated,
    body::read_no_members,
    json_response::no_store,
    openapi::{
        errors::NO_MEMBERS, examples::Examples, messages::ResponseSpec, open_to::OpenTo,
        operation::OperationSpec, parameters::refund_id, refund_examples,
    },
    payment_response::refund_view,
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
use tua_api::resources::RefundView;
use tua_contract::{ErrorCode::*, FailureCode, State as PaymentState};
use tua_domain::{Caller, KeyScope, TransactionId};
use tua_use_cases::{Payouts, TransactionResource};
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Refund];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, cancel_refund),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/refunds/{refundId}/cancel",
        id: "cancelRefund",
        tag: "Refunds",
        summary: "Cancel a refund that was not sent",
        description: "Ends a refund that is not handed over to its operator, such as one that \
            waits for an approval. It may be repeated: a cancelled refund stays cancelled.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[refund_id],
        body: None,
        responses: &[ResponseSpec::json::<RefundView<'static>>(
            "200",
            "The refund is FAILED with `cancelled`. No money moved.",
            response_examples,
        )],
        errors: &[&[TransactionNotFound, NotFound, NotCancellable], NO_MEMBERS],
    },
};

/// Cancels a refund that is not handed over to its operator.
async fn cancel_refund(
    State(payouts): State<Payouts>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.v2_key(SCOPES)?);
    read_no_members(request, timeout).await?;
    let refund =
        payouts.cancel(&caller, TransactionResource::Refund, &TransactionId::new(id)).await?;
    Ok(no_store(&refund_view(&refund)?))
}

fn response_examples() -> Examples {
    vec![("cancelled", refund_examples::refund(PaymentState::Failed(FailureCode::Cancelled)))]
}
