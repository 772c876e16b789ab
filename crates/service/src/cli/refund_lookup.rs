//! The refund that an argument of the command line names.

use tua_domain::{Transaction, TransactionId};
use tua_use_cases::RefundLists;

/// Finds a refund by its id.
///
/// # Errors
/// One line: no refund has this id, or the store failed.
pub(super) async fn find_refund(
    lists: &RefundLists,
    id: &TransactionId,
) -> Result<Transaction, String> {
    let found = lists.find(id).await.map_err(|error| error.to_string())?;
    found.ok_or_else(|| format!("refund {id}: there is no such refund"))
}
