//! Reads transactions for those who may see them.

use jiff::Timestamp;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tua_domain::{
    Caller, SecretKey, Transaction, TransactionId,
    change_notifier::ChangeNotifier,
    listing::{Filter, PageRequest},
    ports::{self, Clock, Reports, StoreError},
};

/// Which transactions a route serves. It responds to the ids of others as if they did not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransactionResource {
    /// Charges and payouts, as `/status` and `/transactions` show them.
    Payment,
    /// Refunds, which have routes of their own.
    Refund,
}

/// Finds, lists and waits for transactions that a caller may see.
#[derive(Debug)]
pub struct Transactions {
    /// Where single transactions are read.
    pub transactions: Arc<dyn ports::Transactions>,
    /// Lists the transactions of an account and mode.
    pub reports: Arc<dyn Reports>,
    /// Ends a wait for a change at its deadline.
    pub clock: Arc<dyn Clock>,
    /// Ends a wait as soon as the transaction changes, on any node.
    pub changes: Arc<ChangeNotifier>,
    /// Ends every wait when the service stops.
    pub stopping: CancellationToken,
}

impl Transactions {
    /// A transaction; `None` where there is none that this caller may see.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        caller: &Caller,
        resource: TransactionResource,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, StoreError> {
        find_visible(self.transactions.as_ref(), caller, resource, id).await
    }

    /// Waits until a transaction has changed or is final, at most until `until`, and returns it.
    /// `None` where there is none that this caller may see. `is_version_known` returns whether the
    /// caller has this version already; without it, any version but the first one read is a change.
    ///
    /// Nothing of the transaction is kept while it waits, since thousands wait.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn wait_for_change(
        &self,
        caller: &Caller,
        resource: TransactionResource,
        id: &TransactionId,
        until: Timestamp,
        is_version_known: Option<impl Fn(u32) -> bool + Send>,
    ) -> Result<Option<Transaction>, StoreError> {
        let Some(id) =
            self.find(caller, resource, id).await?.map(|transaction| transaction.order.id.clone())
        else {
            return Ok(None);
        };
        let mut first_version = None;
        let mut is_wait_over = false;
        loop {
            // The wait begins before the read, so no change falls between the two.
            let change = self.changes.subscribe(&id);
            let Some(transaction) = self.find(caller, resource, &id).await? else {
                return Ok(None);
            };
            let version = transaction.version;
            let is_new = is_version_known.as_ref().is_some_and(|is_known| !is_known(version));
            if transaction.state.is_final()
                || is_new
                || is_wait_over
                || first_version.is_some_and(|first| first != version)
            {
                return Ok(Some(transaction));
            }
            first_version = Some(version);
            drop(transaction);
            tokio::select! {
                () = change.changed() => {}
                () = self.clock.sleep_until(until) => is_wait_over = true,
                () = self.stopping.cancelled() => is_wait_over = true,
            }
        }
    }

    /// A page of the transactions that a key may read, newest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        key: &SecretKey,
        filter: Filter,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, StoreError> {
        match filter.readable_with(key.scopes) {
            Some(filter) => self.reports.transactions(&key.scope, filter, page).await,
            None => Ok(Vec::new()),
        }
    }
}

/// Finds a transaction of this resource that the caller may see; `None` for every other one.
pub(super) async fn find_visible(
    transactions: &dyn ports::Transactions,
    caller: &Caller,
    resource: TransactionResource,
    id: &TransactionId,
) -> Result<Option<Transaction>, StoreError> {
    // Longer than any id of ours, so it is not looked up.
    const MAX_ID_BYTES: usize = 64;
    let found = match id.as_str().len() {
        ..=MAX_ID_BYTES => transactions.transaction(id).await?,
        _ => None,
    };
    let is_refund = resource == TransactionResource::Refund;
    Ok(found.filter(|transaction| {
        transaction.order.refund.is_some() == is_refund && caller.may_see(transaction)
    }))
}
