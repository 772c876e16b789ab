//! Reads transactions as they stand, and as they stood at an earlier version.

use tua_domain::{
    Scope, Transaction, TransactionId,
    ports::{StoreError, Transactions},
};

/// A transaction that must exist.
///
/// # Errors
/// Those of the store, and [`StoreError::Failed`] where it does not exist.
pub async fn existing(
    transactions: &dyn Transactions,
    id: &TransactionId,
) -> Result<Transaction, StoreError> {
    transactions
        .transaction(id)
        .await?
        .ok_or_else(|| StoreError::failed("a transaction is missing"))
}

/// The transaction with this id, if it belongs to the account and mode.
///
/// # Errors
/// Those of the store.
pub(crate) async fn find_in(
    transactions: &dyn Transactions,
    scope: &Scope,
    id: &TransactionId,
) -> Result<Option<Transaction>, StoreError> {
    // No id has one, and PostgreSQL could not compare it.
    if id.as_str().contains('\0') {
        return Ok(None);
    }
    Ok(transactions.transaction(id).await?.filter(|one| one.order.scope == *scope))
}

/// A transaction as it stood at a version: what its first events make it.
///
/// # Errors
/// Those of the store, and [`StoreError::Failed`] where it does not exist.
pub(crate) async fn at_version(
    transactions: &dyn Transactions,
    id: &TransactionId,
    version: u32,
) -> Result<Transaction, StoreError> {
    let events = transactions.events(id).await?;
    let until = usize::try_from(version).map_err(StoreError::failed)?;
    Transaction::replay(events.into_iter().take(until))
        .ok_or_else(|| StoreError::failed("a transaction is missing"))
}
