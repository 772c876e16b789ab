//! `GET /v1/status/{transactionId}` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    openapi::{
        examples::{self, Examples},
        headers::{ETAG, PREFERENCE_APPLIED},
        messages::{LinkSpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{if_none_match, prefer, transaction_id},
    },
    poll::{LongPoll, poll_transaction},
    problem::ApiError,
    route::Route,
    segment::Segment,
};
use axum::{Extension, extract::State, http::HeaderMap, response::Response, routing::on};
use std::sync::Arc;
use tua_api::resources::{PayersTransactionView, TransactionForCaller, TransactionView};
use tua_contract::{ErrorCode::*, Network, State as PaymentState, Step};
use tua_domain::{KeyScope, Kind, TransactionId};
use tua_net::{Client, limits::AddressConcurrency};
use tua_use_cases::{TransactionResource, Transactions};
use utoipa::openapi::HttpMethod;

/// Every key reads something; what it may not read is not found.
const SCOPES: &[KeyScope] = KeyScope::ALL;

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, read_status),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/status/{transactionId}",
        id: "readStatus",
        tag: "Reading",
        summary: "Read the status of a transaction",
        description: "Returns a charge or payout at once. With `Prefer: wait=N`, the response is \
            sent when the transaction changes, or after N seconds. A final transaction is returned \
            at once.",
        open_to: OpenTo::V2KeyOrToken(SCOPES),
        parameters: &[transaction_id, prefer, if_none_match],
        body: None,
        responses: &[
            ResponseSpec::json_by_credential::<
                TransactionView<'static>,
                PayersTransactionView<'static>,
            >("200", "The transaction.", response_examples)
            .with_headers(&[ETAG, PREFERENCE_APPLIED])
            .with_links(&[LinkSpec {
                name: "pollOn",
                to: "readStatus",
                description: "Wait for the next change.",
                parameters: &[
                    ("transactionId", "$response.body#/transactionId"),
                    ("If-None-Match", "$response.header.ETag"),
                ],
                body: None,
            }]),
            ResponseSpec::empty("304", "The transaction still has the ETag that was sent.")
                .with_headers(&[ETAG, PREFERENCE_APPLIED]),
        ],
        errors: &[&[TransactionNotFound, NotFound]],
    },
};

/// Responds with a transaction, at once or when it next changes.
async fn read_status(
    State(transactions): State<Arc<Transactions>>,
    State(polls): State<Arc<AddressConcurrency>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    Segment(id): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token(SCOPES)?;
    let poll = LongPoll { transactions, polls, client };
    let polled = poll_transaction(
        poll,
        &caller,
        TransactionResource::Payment,
        &TransactionId::new(id),
        headers,
    )
    .await?;
    Ok(polled.respond(&TransactionForCaller::new(&polled.transaction, &caller)))
}

fn response_examples() -> Examples {
    let paid = examples::transaction(Kind::Charge, Network::Mtn, PaymentState::Successful);
    let waiting = examples::transaction(
        Kind::Charge,
        Network::Mtn,
        PaymentState::Pending(Step::ApproveOnPhone),
    );
    vec![
        ("successful", examples::json(&TransactionView::new(&paid))),
        ("waiting", examples::json(&TransactionView::new(&waiting))),
    ]
}
