//! `GET /v1/status/{transactionId}` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    openapi::{
        content::BodySchema,
        errors::{CREDENTIAL, RESTRICTED, SERVICE},
        examples::{self, Examples},
        headers::{ETAG, PREFERENCE_APPLIED},
        operation::{LinkSpec, OpenTo, OperationSpec, ResponseBodySpec, ResponseSpec},
        parameters::{if_none_match, prefer, request_id, transaction_id},
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
use tua_net::{Client, limits::AddressShares};
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
        parameters: &[transaction_id, prefer, if_none_match, request_id],
        body: None,
        responses: &[
            ResponseSpec {
                status: "200",
                description: "The transaction.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: Some(ResponseBodySpec {
                    media_type: "application/json",
                    schema: BodySchema::by_credential::<
                        TransactionView<'static>,
                        PayersTransactionView<'static>,
                    >(),
                    examples: response_examples,
                }),
                links: &[LinkSpec {
                    name: "pollOn",
                    to: "readStatus",
                    description: "Wait for the next change.",
                    parameters: &[
                        ("transactionId", "$response.body#/transactionId"),
                        ("If-None-Match", "$response.header.ETag"),
                    ],
                    body: None,
                }],
            },
            ResponseSpec {
                status: "304",
                description: "The transaction still has the ETag that was sent.",
                headers: &[ETAG, PREFERENCE_APPLIED],
                content: None,
                links: &[],
            },
        ],
        errors: &[CREDENTIAL, RESTRICTED, &[TransactionNotFound, NotFound], SERVICE],
    },
};

/// Responds with a transaction, at once or when it next changes.
async fn read_status(
    State(transactions): State<Arc<Transactions>>,
    State(polls): State<Arc<AddressShares>>,
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
