//! `GET /v1/transactions` (docs/reference/endpoints.md): a merchant's transactions, newest first.

use crate::http::{
    auth::Authenticated,
    json_response::no_store,
    openapi::{
        content::reference,
        examples::{self, Examples},
        messages::ResponseSpec,
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::{cursor, limit, query},
    },
    paging::{TransactionPage, apply_page_parameter, parameters, parse_each, read_page},
    problem::ApiError,
    query_values::{ParameterFault, invalid, parse_line, parse_time},
    route::Route,
};
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    response::Response,
    routing::on,
};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use tua_api::{resources::TransactionView, values};
use tua_contract::{
    ErrorCode::{self, *},
    Network, Phone, State as PaymentState, Status,
};
use tua_domain::{
    BatchId, CheckoutId, KeyScope, Kind,
    listing::{Cursor, Filter, PageRequest},
};
use tua_use_cases::Transactions;
use utoipa::{
    ToSchema,
    openapi::{HttpMethod, path::Parameter},
};

/// Every key lists something; what it may not read is left out.
const SCOPES: &[KeyScope] = KeyScope::ALL;

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, list_transactions),
    operation: OperationSpec {
        method: HttpMethod::Get,
        path: "/v1/transactions",
        id: "listTransactions",
        tag: "Reading",
        summary: "List transactions, newest first",
        description: "Lists the charges and payouts of the key's account and mode. A cursor stays \
            valid while new transactions arrive.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: FILTERS,
        body: None,
        responses: &[ResponseSpec::json::<Listing<'static>>(
            "200",
            "One page of transactions.",
            response_examples,
        )],
        errors: &[&[
            ValidationFailed,
            UnknownField,
            InvalidParameter,
            InvalidText,
            InvalidPhoneNumber,
            UnsupportedNetwork,
        ]],
    },
};

/// The filters of a list, and its next page (docs/reference/endpoints.md).
const FILTERS: &[fn() -> Parameter] = &[
    || query("status", "Only transactions with this status.", reference::<values::Status>()),
    || query("type", "Only charges or only payouts.", reference::<values::TransactionType>()),
    || query("network", "Only transactions on this network.", reference::<values::Network>()),
    || {
        query(
            "phoneNumber",
            "Only transactions with this number.",
            values::string_schema().pattern(Some("^0[0-9]{9}$")).examples([json!("0241234567")]),
        )
    },
    || {
        query(
            "reference",
            "Only transactions with exactly this reference.",
            values::string_schema().pattern(Some(values::LINE_PATTERN)),
        )
    },
    || {
        query(
            "checkoutId",
            "Only the charges of this session.",
            values::string_schema().pattern(Some(values::LINE_PATTERN)),
        )
    },
    || {
        query(
            "batchId",
            "Only the payouts of this batch.",
            values::string_schema().pattern(Some(values::LINE_PATTERN)),
        )
    },
    || {
        query(
            "operatorTransactionId",
            "Only the transaction with this id at its operator.",
            values::string_schema().pattern(Some(values::LINE_PATTERN)),
        )
    },
    || {
        query(
            "createdAfter",
            "Only transactions created after this time.",
            reference::<values::Time>(),
        )
    },
    || {
        query(
            "createdBefore",
            "Only transactions created before this time.",
            reference::<values::Time>(),
        )
    },
    limit,
    cursor,
];

/// One page of transactions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Listing<'a> {
    /// The transactions of this page, newest first.
    data: Vec<TransactionView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists the transactions that match, page by page. A cursor stays valid while transactions are
/// written.
async fn list_transactions(
    State(transactions): State<Arc<Transactions>>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(SCOPES)?;
    let (filter, page) = parse(parameters(query)?)?;
    let TransactionPage { transactions: found, next_cursor } =
        read_page(&transactions, &key, filter, page).await?;
    let data = found.iter().map(TransactionView::new).collect();
    Ok(no_store(&Listing { data, next_cursor }))
}

/// Reads the filter and the page of a list of transactions.
pub(crate) fn parse(parameters: Vec<(String, String)>) -> Result<(Filter, PageRequest), ApiError> {
    let mut filter = Filter::default();
    let page = parse_each(parameters, |page, name, value| {
        apply_parameter(&mut filter, page, name, value)
    })?;
    Ok((filter, page))
}

/// Reads one parameter of the list into the filter or the page.
fn apply_parameter(
    filter: &mut Filter,
    page: &mut PageRequest,
    name: &str,
    value: &str,
) -> Result<(), ParameterFault> {
    match name {
        "status" => {
            filter.status = Some(
                Status::parse(value)
                    .ok_or(invalid("This must be PENDING, SUCCESSFUL or FAILED."))?,
            );
        }
        "type" => {
            filter.kind = Some(Kind::parse(value).ok_or(invalid("This must be CHARGE or PAYOUT."))?)
        }
        "network" => {
            let network = Network::parse(value);
            filter.network = Some(network.ok_or((
                ErrorCode::UnsupportedNetwork,
                "This must be MTN, TELECEL or AIRTELTIGO.",
            ))?);
        }
        "phoneNumber" => {
            let phone = Phone::parse(value);
            filter.phone = Some(phone.map_err(|_| {
                (
                    ErrorCode::InvalidPhoneNumber,
                    "This must be a mobile number in Ghana, such as 0241234567.",
                )
            })?);
        }
        "reference" => filter.reference = Some(parse_line(value)?.to_owned()),
        "checkoutId" => filter.checkout = Some(CheckoutId::new(parse_line(value)?)),
        "batchId" => filter.batch = Some(BatchId::new(parse_line(value)?)),
        "operatorTransactionId" => {
            filter.operator_transaction_id = Some(parse_line(value)?.to_owned());
        }
        "createdAfter" => filter.created_after = Some(parse_time(value)?),
        "createdBefore" => filter.created_before = Some(parse_time(value)?),
        _ => return apply_page_parameter(page, name, value),
    }
    Ok(())
}

fn response_examples() -> Examples {
    let paid = examples::transaction(Kind::Charge, Network::Mtn, PaymentState::Successful);
    let next_cursor = Some(Cursor::after(&paid).write());
    vec![(
        "page",
        examples::json(&Listing { data: vec![TransactionView::new(&paid)], next_cursor }),
    )]
}
