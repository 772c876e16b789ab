//! The refund that an argument of the command line names.

use super::fault::Fault;
use tua_domain::{Transaction, TransactionId};
use tua_use_cases::RefundLists;

/// Finds a refund by its id.
///
/// # Errors
/// One line: no refund has this id, or the store failed.
pub(super) async fn find_refund(
    lists: &RefundLists,
    id: &TransactionId,
) -> Result<Transaction, Fault> {
    let found = lists.find(id).await?;
    found.ok_or_else(|| Fault::not_found(format!("refund {id}: there is no such refund")))
}
