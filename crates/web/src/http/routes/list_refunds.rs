//! `GET /v1/refunds` (docs/reference/refunds.md).

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{cursor, limit, query},
        refund_examples,
    },
    paging::{TransactionPage, apply_page_parameter, parameters, parse_each, read_page},
    payment_response::refund_view,
    problem::ApiError,
    query_values::parse_line,
    route::Route,
};
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    response::Response,
    routing::on,
};
use serde::Serialize;
use std::sync::Arc;
use tua_api::{
    resources::RefundView,
    values::{LINE_PATTERN, string_schema},
};
use tua_contract::{ErrorCode::*, State as PaymentState};
use tua_domain::{
    KeyScope, TransactionId,
    listing::{Cursor, Filter, RefundFilter},
};
use tua_use_cases::Transactions;
use utoipa::{
    ToSchema,
    openapi::{HttpMethod, path::Parameter},
};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Refund, KeyScope::Read];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_refunds),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/refunds",
        id: "listRefunds",
        tag: "Refunds",
        summary: "List refunds, newest first",
        description: "Lists the refunds of the key's account and mode, or those of one charge.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: REFUND_FILTERS,
        body: None,
        responses: &[ResponseSpec::json::<RefundListing<'static>>(
            "200",
            "One page of refunds.",
            response_examples,
        )],
        errors: &[&[ValidationFailed, UnknownField, InvalidParameter, InvalidText]],
    },
};

/// The filters of the list of refunds, and its next page.
const REFUND_FILTERS: &[fn() -> Parameter] = &[
    || {
        query(
            "transactionId",
            "Only the refunds of this charge.",
            string_schema().pattern(Some(LINE_PATTERN)),
        )
    },
    limit,
    cursor,
];

/// One page of refunds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RefundListing<'a> {
    /// The refunds of this page, newest first.
    data: Vec<RefundView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists refunds, newest first, page by page.
async fn list_refunds(
    State(transactions): State<Arc<Transactions>>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(SCOPES)?;
    let mut filter = Filter { refunds: RefundFilter::All, ..Filter::default() };
    let page = parse_each(parameters(query)?, |page, name, value| match name {
        "transactionId" => {
            filter.refunds = RefundFilter::Of(TransactionId::new(parse_line(value)?));
            Ok(())
        }
        _ => apply_page_parameter(page, name, value),
    })?;
    let TransactionPage { transactions: found, next_cursor } =
        read_page(&transactions, &key, filter, page).await?;
    let data = found.iter().map(refund_view).collect::<Result<_, _>>()?;
    Ok(no_store(&RefundListing { data, next_cursor }))
}

fn response_examples() -> Examples {
    let (returned, of) = refund_examples::example(PaymentState::Successful);
    let next_cursor = Some(Cursor::after(&returned).write());
    vec![(
        "page",
        examples::json(&RefundListing { data: vec![RefundView::new(&returned, &of)], next_cursor }),
    )]
}
