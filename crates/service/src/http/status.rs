//! `GET /v1/status/{transactionId}` (docs/reference/endpoints.md).

use super::{
    access,
    auth::{Authenticated, visible_transaction},
    poll::{IfNoneMatch, PREFERENCE_APPLIED, etag, wait_seconds},
    problem::ApiError,
    refusals::transaction_not_found,
    segment::Segment,
};
use crate::{
    api::resources::TransactionView,
    domain::{TransactionId, use_cases::Transactions},
    limits::AddressShares,
    net::Client,
};
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::SignedDuration;
use std::sync::Arc;

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
    // A preference need not be honoured (RFC 7240 section 2): where the address has its share of waiting polls, the
    // response comes at once, without Preference-Applied.
    let (share, wait) = match wait_seconds(&headers) {
        Some(seconds) => polls.acquire(client.address).map(|share| (share, seconds)).unzip(),
        None => (None, None),
    };
    let known = IfNoneMatch::from_headers(&headers);
    drop(headers);
    let transaction = match wait {
        Some(seconds) => {
            let until = transactions.clock.now() + SignedDuration::from_secs(seconds.into());
            let is_known = known.as_ref().map(|known| move |version: u32| known.matches(&etag(version)));
            let found = transactions.wait_for_change(&caller, &TransactionId::new(id), until, is_known).await?;
            found.ok_or_else(transaction_not_found)?
        }
        None => visible_transaction(&transactions, &caller, &id).await?,
    };
    drop(share);

    let tag = etag(transaction.version);
    let mut response = if known.is_some_and(|known| known.matches(&tag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Json(TransactionView::new(&transaction, &caller)).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(header::ETAG, tag);
    }
    if let Some(applied) = wait.and_then(|seconds| HeaderValue::from_str(&format!("wait={seconds}")).ok()) {
        answer.insert(PREFERENCE_APPLIED, applied);
    }
    Ok(response)
}
