//! The pages of lists: the parameters `limit` and `cursor`, and how a query is read.

use super::{problem::ApiError, refusals::internal};
use axum::extract::{Query, rejection::QueryRejection};
use tua_contract::ErrorCode;
use tua_domain::{
    SecretKey, Transaction,
    listing::{Cursor, Filter, Page},
};
use tua_http_json::{Fault, fault::pointer_to};
use tua_use_cases::Transactions;

/// The largest `limit`, and the default.
pub(super) const MAX_LIMIT: u32 = 100;
pub(super) const DEFAULT_LIMIT: u32 = 25;

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
