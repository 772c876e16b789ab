//! Finds a refund by its id.

use tua_domain::{Transaction, TransactionId};
use tua_use_cases::RefundLists;

/// The refund with this id. It is an error if there is none, or the id is not of a refund.
pub(super) async fn find_refund(
    lists: &RefundLists,
    id: &TransactionId,
) -> Result<Transaction, String> {
    let found = lists.find(id).await.map_err(|error| error.to_string())?;
    found.ok_or_else(|| format!("refund {id}: there is no such refund"))
}
