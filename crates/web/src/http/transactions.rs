//! `GET /v1/transactions` (docs/reference/endpoints.md): a merchant's transactions, newest first.

use super::{access, auth::Authenticated, problem::ApiError, refusals::internal};
use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
    http::header,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use std::sync::Arc;
use tua_api::resources::TransactionView;
use tua_contract::{ErrorCode, Network, Phone, Status};
use tua_domain::{
    BatchId, Caller, CheckoutId, Kind, SecretKey, Transaction,
    listing::{Cursor, Filter, Page},
};
use tua_http_json::{Fault, fault::pointer_to};
use tua_use_cases::Transactions;
use utoipa::ToSchema;

/// The largest `limit`, and the default.
pub(super) const MAX_LIMIT: u32 = 100;
pub(super) const DEFAULT_LIMIT: u32 = 25;

/// One page of transactions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listing<'a> {
    /// The transactions of this page, newest first.
    pub(super) data: Vec<TransactionView<'a>>,
    /// The cursor of the next page. Null on the last page.
    #[schema(required)]
    pub(super) next_cursor: Option<String>,
}

/// Lists the transactions that match, page by page. A cursor stays valid while transactions are
/// written.
pub(super) async fn list_transactions(
    State(transactions): State<Arc<Transactions>>,
    caller: Authenticated,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, ApiError> {
    let key = caller.v2_key(access::LIST_TRANSACTIONS)?;
    let (filter, page) = parse(parameters(query)?)?;
    let TransactionPage { transactions: found, next_cursor } =
        read_page(&transactions, &key, filter, page).await?;
    let caller = Caller::Key(key);
    let data = found.iter().map(|transaction| TransactionView::new(transaction, &caller)).collect();
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Listing { data, next_cursor })).into_response())
}

/// A page of transactions, newest first.
pub(super) struct TransactionPage {
    /// At most as many as the page's limit.
    pub(super) transactions: Vec<Transaction>,
    /// The cursor of the next page; `None` on the last one.
    pub(super) next_cursor: Option<String>,
}

/// Reads a page of the transactions that a key may read.
pub(super) async fn read_page(
    transactions: &Transactions,
    key: &SecretKey,
    filter: Filter,
    page: Page,
) -> Result<TransactionPage, ApiError> {
    // One transaction more than the page has shows whether there is a next page.
    let page_and_next = Page { limit: page.limit + 1, ..page };
    let mut found = transactions.list(key, filter, page_and_next).await?;
    let limit = usize::try_from(page.limit).map_err(|_| internal())?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| has_more).map(|last| Cursor::after(last).write());
    Ok(TransactionPage { transactions: found, next_cursor })
}

/// The parameters of a query string.
pub(super) fn parameters(
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Vec<(String, String)>, ApiError> {
    let invalid = |_| ApiError::new(ErrorCode::ValidationFailed, "The query string is not valid.");
    query.map(|Query(parameters)| parameters).map_err(invalid)
}

/// Reads the filter and the page of a list of transactions.
pub(super) fn parse(parameters: Vec<(String, String)>) -> Result<(Filter, Page), ApiError> {
    let mut filter = Filter::default();
    let page = parse_each(parameters, |page, name, value| {
        apply_parameter(&mut filter, page, name, value)
    })?;
    Ok((filter, page))
}

/// Reads the parameters of a query one after the other, and returns the page that they ask for.
pub(super) fn parse_each(
    parameters: Vec<(String, String)>,
    mut apply: impl FnMut(&mut Page, &str, &str) -> Result<(), (ErrorCode, &'static str)>,
) -> Result<Page, ApiError> {
    let mut page = Page { limit: DEFAULT_LIMIT, after: None };
    let mut faults = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for (name, value) in parameters {
        if seen.contains(&name) {
            faults.push(fault(
                &name,
                ErrorCode::InvalidParameter,
                "This query parameter appears twice.",
            ));
            continue;
        }
        if let Err((code, detail)) = apply(&mut page, &name, &value) {
            faults.push(fault(&name, code, detail));
        }
        seen.push(name);
    }
    if faults.is_empty() { Ok(page) } else { Err(ApiError::faults(faults)) }
}

fn fault(name: &str, code: ErrorCode, detail: &'static str) -> Fault {
    Fault { pointer: pointer_to("", name), code: code.as_str(), detail: detail.into() }
}

/// Reads one parameter of the list into the filter or the page.
fn apply_parameter(
    filter: &mut Filter,
    page: &mut Page,
    name: &str,
    value: &str,
) -> Result<(), (ErrorCode, &'static str)> {
    let invalid = |detail| (ErrorCode::InvalidParameter, detail);
    let time = || {
        value
            .parse::<Timestamp>()
            .map_err(|_| invalid("This must be an ISO 8601 time such as 2026-11-21T10:00:00Z."))
    };
    match name {
        "reference" | "checkoutId" | "batchId" | "operatorTransactionId"
            if value.contains(char::is_control) =>
        {
            return Err((ErrorCode::InvalidText, "This must not contain control characters."));
        }
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
        "reference" => filter.reference = Some(value.to_owned()),
        "checkoutId" => filter.checkout = Some(CheckoutId::new(value)),
        "batchId" => filter.batch = Some(BatchId::new(value)),
        "operatorTransactionId" => filter.operator_transaction_id = Some(value.to_owned()),
        "createdAfter" => filter.created_after = Some(time()?),
        "createdBefore" => filter.created_before = Some(time()?),
        _ => return apply_page_parameter(page, name, value),
    }
    Ok(())
}

/// Reads the parameters that every list has.
pub(super) fn apply_page_parameter(
    page: &mut Page,
    name: &str,
    value: &str,
) -> Result<(), (ErrorCode, &'static str)> {
    let invalid = |detail| (ErrorCode::InvalidParameter, detail);
    match name {
        "limit" => {
            let limit = value.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
            page.limit = limit.ok_or(invalid("This must be a number from 1 to 100."))?;
        }
        "cursor" => {
            page.after = Some(
                Cursor::read(value)
                    .ok_or(invalid("This is not a cursor that this service has returned."))?,
            )
        }
        _ => return Err((ErrorCode::UnknownField, "This query parameter does not exist.")),
    }
    Ok(())
}
