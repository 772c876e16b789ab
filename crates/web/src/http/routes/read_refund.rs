//! `GET /v1/refunds/{refundId}` (docs/reference/refunds.md).

use crate::http::{
    auth::Authenticated,
    openapi::{
        content::BodySchema,
        errors::{CREDENTIAL, RESTRICTED, SCOPED, SERVICE},
        headers::{ETAG, PREFERENCE_APPLIED},
        operation::{OpenTo, OperationSpec, ResponseBodySpec, ResponseSpec},
        parameters::{if_none_match, prefer, refund_id, request_id},
        refund_examples,
    },
    payment_response::refund_view,
    poll::{LongPoll, poll_transaction},
    problem::ApiError,
    route::Route,
    segment::Segment,
};
use axum::{Extension, extract::State, http::HeaderMap, response::Response, routing::on};
use std::sync::Arc;
use tua_api::resources::RefundView;
use tua_contract::ErrorCode::*;
use tua_domain::{Caller, KeyScope, TransactionId};
use tua_net::{Client, limits::AddressShares};
use tua_use_cases::{TransactionResource, Transactions};
use utoipa::openapi::HttpMethod;

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Refund, KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_refund),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/refunds/{refundId}",
        id: "readRefund",
        tag: "Refunds",
        summary: "Read a refund",
        description: "Returns a refund at once. With `Prefer: wait=N`, the response is sent when \
            the refund changes, or after N seconds. A final refund is returned at once.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[refund_id, prefer, if_none_match, request_id],
        body: None,
        responses: &[
            ResponseSpec {
                status: "200",
                description: "The refund.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: Some(ResponseBodySpec {
                    media_type: "application/json",
                    schema: BodySchema::of::<RefundView<'static>>(),
                    examples: refund_examples::refunds,
                }),
                links: &[],
            },
            ResponseSpec {
                status: "304",
                description: "The refund still has the ETag that was sent.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: None,
                links: &[],
            },
        ],
        errors: &[CREDENTIAL, RESTRICTED, SCOPED, &[TransactionNotFound, NotFound], SERVICE],
    },
};

/// Responds with a refund, at once or when it next changes.
async fn read_refund(
    State(transactions): State<Arc<Transactions>>,
    State(polls): State<Arc<AddressShares>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    Segment(id): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.v2_key(SCOPES)?);
    let poll = LongPoll { transactions, polls, client };
    let polled = poll_transaction(
        poll,
        &caller,
        TransactionResource::Refund,
        &TransactionId::new(id),
        headers,
    )
    .await?;
    Ok(polled.respond(&refund_view(&polled.transaction)?))
}
