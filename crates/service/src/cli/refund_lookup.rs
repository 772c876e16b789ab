//! Finds charges and refunds by their ids.

use tua_domain::{Transaction, TransactionId, ports::Store};

/// The transaction with this id, of any type; `None` if there is none.
pub(super) async fn find_transaction(
    store: &dyn Store,
    id: &TransactionId,
) -> Result<Option<Transaction>, String> {
    store.transaction(id).await.map_err(|error| error.to_string())
}

/// The refund with this id. It is an error if there is none, or the id is not of a refund.
pub(super) async fn find_refund(
    store: &dyn Store,
    id: &TransactionId,
) -> Result<Transaction, String> {
    let found = find_transaction(store, id).await?.filter(|one| one.order.refund.is_some());
    found.ok_or_else(|| format!("refund {id}: there is no such refund"))
}
