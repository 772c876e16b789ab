//! `GET /v1/refunds/{refundId}` (docs/reference/refunds.md).

use crate::http::{
    auth::Authenticated,
    openapi::{
        headers::{ETAG, PREFERENCE_APPLIED},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{if_none_match, prefer, refund_id},
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
use tua_net::{Client, limits::AddressConcurrency};
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
        parameters: &[refund_id, prefer, if_none_match],
        body: None,
        responses: &[
            ResponseSpec::json::<RefundView<'static>>(
                "200",
                "The refund.",
                refund_examples::refunds,
            )
            .with_headers(&[ETAG, PREFERENCE_APPLIED]),
            ResponseSpec::empty("304", "The refund still has the ETag that was sent.")
                .with_headers(&[ETAG, PREFERENCE_APPLIED]),
        ],
        errors: &[&[TransactionNotFound, NotFound]],
    },
};

/// Responds with a refund, at once or when it next changes.
async fn read_refund(
    State(transactions): State<Arc<Transactions>>,
    State(polls): State<Arc<AddressConcurrency>>,
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
