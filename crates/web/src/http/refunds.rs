//! `GET /v1/refunds` and `GET /v1/refunds/{refundId}` (docs/reference/refunds.md).

use super::{
    access,
    auth::Authenticated,
    poll::{LongPoll, wait},
    problem::ApiError,
    refund::view,
    segment::Segment,
    transactions::{TransactionPage, apply_page_parameter, parameters, parse_each, read_page},
};
use axum::{
    Extension, Json,
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::sync::Arc;
use tua_api::resources::RefundView;
use tua_contract::ErrorCode;
use tua_domain::{
    Caller, TransactionId,
    listing::{Filter, RefundFilter},
};
use tua_net::{Client, limits::AddressShares};
use tua_use_cases::{Resource, Transactions};
use utoipa::ToSchema;

/// One page of refunds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundListing<'a> {
    /// The refunds of this page, newest first.
    pub(super) data: Vec<RefundView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    pub(super) next_cursor: Option<String>,
}

/// Responds with a refund, at once or when it next changes.
pub(super) async fn read_refund(
    State(transactions): State<Arc<Transactions>>,
    State(polls): State<Arc<AddressShares>>,
    Extension(client): Extension<Client>,
    caller: Authenticated,
    Segment(id): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.v2_key(access::READ_REFUND)?);
    let poll = LongPoll { transactions, polls, client };
    let polled = wait(poll, &caller, Resource::Refund, &TransactionId::new(id), headers).await?;
    Ok(polled.respond(&view(&polled.transaction)?))
}

/// Lists refunds, newest first, page by page.
pub(super) async fn list_refunds(
    State(transactions): State<Arc<Transactions>>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(access::LIST_REFUNDS)?;
    let mut filter = Filter { refunds: RefundFilter::All, ..Filter::default() };
    let page = parse_each(parameters(query)?, |page, name, value| match name {
        "transactionId" if value.contains(char::is_control) => {
            Err((ErrorCode::InvalidText, "This must not contain control characters."))
        }
        "transactionId" => {
            filter.refunds = RefundFilter::Of(TransactionId::new(value));
            Ok(())
        }
        _ => apply_page_parameter(page, name, value),
    })?;
    let TransactionPage { transactions: found, next_cursor } =
        read_page(&transactions, &key, filter, page).await?;
    let data = found.iter().map(view).collect::<Result<_, _>>()?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(RefundListing { data, next_cursor }))
        .into_response())
}
