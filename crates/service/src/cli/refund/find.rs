//! Finds charges and refunds by their ids.

use crate::domain::{Transaction, TransactionId, ports::Store};

/// A transaction.
pub(super) async fn transaction(
    store: &dyn Store,
    id: &TransactionId,
) -> Result<Option<Transaction>, String> {
    store.transaction(id).await.map_err(|error| error.to_string())
}

/// A refund.
pub(in crate::cli) async fn find(
    store: &dyn Store,
    id: &TransactionId,
) -> Result<Transaction, String> {
    let found = transaction(store, id).await?.filter(|one| one.begun.refund.is_some());
    found.ok_or_else(|| format!("refund {id}: there is no such refund"))
}
