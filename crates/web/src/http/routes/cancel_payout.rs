//! `POST /v1/payouts/{transactionId}/cancel` (docs/reference/endpoints.md#cancel-a-payout).

use crate::http::{
    auth::Authenticated,
    body::read_no_members,
    json_response::no_store,
    openapi::{
        errors::NO_MEMBERS,
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::transaction_id,
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
use tua_api::resources::{TransactionView, TransactionWithMessage};
use tua_contract::{ErrorCode::*, FailureCode, State as PaymentState};
use tua_domain::{Caller, KeyScope, Kind, TransactionId};
use tua_use_cases::{Payouts, TransactionResource};
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Payout];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, cancel_payout),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/payouts/{transactionId}/cancel",
        id: "cancelPayout",
        tag: "Payments",
        summary: "Cancel a payout that was not sent",
        description: "Ends a payout that is not handed over to its operator, such as one that \
            waits for an approval. It may be repeated: a cancelled payout stays cancelled.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[transaction_id],
        body: None,
        responses: &[ResponseSpec::json::<TransactionWithMessage<'static>>(
            "200",
            "The payout is FAILED with `cancelled`. No money moved.",
            response_examples,
        )],
        errors: &[&[TransactionNotFound, NotFound, NotCancellable], NO_MEMBERS],
    },
};

/// The message of the response.
const CANCELLED: &str = "Cancelled. The payout was not sent, and no money moved.";

/// Cancels a payout that is not handed over to its operator.
async fn cancel_payout(
    State(payouts): State<Payouts>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.v2_key(SCOPES)?);
    read_no_members(request, timeout).await?;
    let transaction =
        payouts.cancel(&caller, TransactionResource::Payment, &TransactionId::new(id)).await?;
    let view = TransactionWithMessage {
        message: CANCELLED,
        transaction: TransactionView::new(&transaction),
    };
    Ok(no_store(&view))
}

fn response_examples() -> Examples {
    let cancelled = examples::transaction(
        Kind::Payout,
        tua_contract::Network::Mtn,
        PaymentState::Failed(FailureCode::Cancelled),
    );
    vec![("cancelled", examples::body_with_message(CANCELLED, &cancelled))]
}
