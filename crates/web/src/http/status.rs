//! `GET /v1/status/{transactionId}` (docs/reference/endpoints.md).

use super::{
    access,
    auth::Authenticated,
    poll::{LongPoll, wait},
    problem::ApiError,
    segment::Segment,
};
use axum::{Extension, extract::State, http::HeaderMap, response::Response};
use std::sync::Arc;
use tua_api::resources::TransactionView;
use tua_domain::TransactionId;
use tua_net::{Client, limits::AddressShares};
use tua_use_cases::{Resource, Transactions};

/// Responds with a transaction, at once or when it next changes.
pub(super) async fn read_status(
    State(transactions): State<Arc<Transactions>>,
    State(polls): State<Arc<AddressShares>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    Segment(id): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let caller = caller.v2_key_or_token(access::READ_STATUS)?;
    let poll = LongPoll { transactions, polls, client };
    let polled = wait(poll, &caller, Resource::Payment, &TransactionId::new(id), headers).await?;
    Ok(polled.respond(&TransactionView::new(&polled.transaction, &caller)))
}
