//! The pages of lists: the parameters `limit` and `cursor`, and how a query is read.

use super::{
    problem::ApiError,
    query_values::{ParameterFault, invalid},
    refusals::internal,
};
use axum::extract::{Query, rejection::QueryRejection};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use tua_contract::ErrorCode;
use tua_domain::{
    SecretKey, Transaction,
    listing::{Cursor, Filter, PageRequest},
};
use tua_http_json::{Fault, fault::pointer_to};
use tua_use_cases::Transactions;

/// The largest `limit`, and the default.
pub(super) const MAX_LIMIT: u32 = 100;
pub(super) const DEFAULT_LIMIT: u32 = 25;

/// The detail of a cursor that no list has written.
pub(super) const UNKNOWN_CURSOR: &str = "This is not a cursor that this service has returned.";

/// The fault of a parameter that the list does not have.
pub(super) const UNKNOWN_PARAMETER: ParameterFault =
    (ErrorCode::UnknownField, "This query parameter does not exist.");

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
    page: PageRequest,
) -> Result<TransactionPage, ApiError> {
    // One transaction more than the page has shows whether there is a next page.
    let page_and_next = PageRequest { limit: page.limit + 1, ..page };
    let mut found = transactions.list(key, filter, page_and_next).await?;
    let has_more = truncate_page(&mut found, page.limit)?;
    let next_cursor = found.last().filter(|_| has_more).map(|last| Cursor::after(last).write());
    Ok(TransactionPage { transactions: found, next_cursor })
}

/// Removes the row that was read beyond the page. Returns whether there is a next page.
///
/// # Errors
/// 500 if the limit is not a size on this machine.
fn truncate_page<T>(rows: &mut Vec<T>, limit: u32) -> Result<bool, ApiError> {
    let limit = usize::try_from(limit).map_err(|_| internal())?;
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    Ok(has_more)
}

/// A page of a list whose cursors are the identifiers of its rows.
pub(super) struct IdPage {
    pub(super) limit: u32,
    /// The last row of the page before; `None` for the first page.
    pub(super) after: Option<String>,
}

/// Reads the page that the parameters of a query ask for, of rows whose identifiers have this
/// prefix.
pub(super) fn parse_id_page(
    parameters: Vec<(String, String)>,
    prefix: &str,
) -> Result<IdPage, ApiError> {
    let mut after = None;
    let page = parse_each(parameters, |page, name, value| match name {
        "cursor" => {
            after = Some(read_id_cursor(value, prefix)?);
            Ok(())
        }
        _ => apply_page_parameter(page, name, value),
    })?;
    Ok(IdPage { limit: page.limit, after })
}

/// Removes the row that was read beyond the page. Returns the cursor of the next page; `None` on
/// the last one.
///
/// # Errors
/// 500 if the limit is not a size on this machine.
pub(super) fn truncate_id_page<T>(
    rows: &mut Vec<T>,
    limit: u32,
    id: impl FnOnce(&T) -> &str,
) -> Result<Option<String>, ApiError> {
    let has_more = truncate_page(rows, limit)?;
    Ok(rows.last().filter(|_| has_more).map(|last| write_id_cursor(id(last))))
}

/// The cursor of the page after the row with this identifier.
pub(super) fn write_id_cursor(id: &str) -> String {
    URL_SAFE_NO_PAD.encode(id)
}

/// The identifier with this prefix of the last row of the page before.
///
/// # Errors
/// `invalid_parameter` if the text is no cursor of [`write_id_cursor`] with such an identifier.
pub(super) fn read_id_cursor(text: &str, prefix: &str) -> Result<String, ParameterFault> {
    let read_id = || {
        let id = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let uuid = id.strip_prefix(prefix)?;
        uuid.chars().all(|character| character.is_ascii_hexdigit()).then_some(())?;
        Some(id)
    };
    read_id().ok_or(invalid(UNKNOWN_CURSOR))
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
    mut apply: impl FnMut(&mut PageRequest, &str, &str) -> Result<(), ParameterFault>,
) -> Result<PageRequest, ApiError> {
    let mut page = PageRequest { limit: DEFAULT_LIMIT, after: None };
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

/// The refusal of a parameter that is valid alone, but not with the others or with what is stored.
pub(super) fn refuse_parameter(name: &str, detail: &'static str) -> ApiError {
    ApiError::faults(vec![fault(name, ErrorCode::InvalidParameter, detail)])
}

fn fault(name: &str, code: ErrorCode, detail: &'static str) -> Fault {
    Fault { pointer: pointer_to("", name), code: code.as_str(), detail: detail.into() }
}

/// Reads the parameters that every list has.
pub(super) fn apply_page_parameter(
    page: &mut PageRequest,
    name: &str,
    value: &str,
) -> Result<(), ParameterFault> {
    match name {
        "limit" => {
            let limit = value.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
            page.limit = limit.ok_or(invalid("This must be a number from 1 to 100."))?;
        }
        "cursor" => {
            page.after = Some(Cursor::read(value).ok_or(invalid(UNKNOWN_CURSOR))?);
        }
        _ => return Err(UNKNOWN_PARAMETER),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_at_most_its_limit() {
        for (rows, left, has_more) in [(0, 0, false), (2, 2, false), (3, 2, true)] {
            let mut found = vec![(); rows];
            assert_eq!(truncate_page(&mut found, 2).ok(), Some(has_more), "{rows}");
            assert_eq!(found.len(), left, "{rows}");
        }
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let cursor = write_id_cursor("lnk_0a1f");
        assert_eq!(read_id_cursor(&cursor, "lnk_"), Ok("lnk_0a1f".to_owned()));
        assert!(read_id_cursor(&cursor, "whd_").is_err());
        for text in ["lnk_0a1f\0", "lnk_0a1g", "0a1f"] {
            assert!(read_id_cursor(&write_id_cursor(text), "lnk_").is_err(), "{text:?}");
        }
        assert!(read_id_cursor("lnk_0a1f", "lnk_").is_err());
    }
}
