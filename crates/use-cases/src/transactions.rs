//! Reads transactions for those who may see them.

use jiff::Timestamp;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tua_domain::{
    Caller, SecretKey, Transaction, TransactionId,
    change_notifier::ChangeNotifier,
    listing::{Filter, PageRequest},
    ports::{Clock, Store, StoreError},
};

/// Which transactions a route is about. Others do not exist there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Charges and payouts, as `/status` and `/transactions` show them.
    Payment,
    /// Refunds, which have routes of their own.
    Refund,
}

/// Finds, lists and waits for transactions that a caller may see.
#[derive(Debug)]
pub struct Transactions {
    /// Where they are kept.
    pub store: Arc<dyn Store>,
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
        of: Resource,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, StoreError> {
        visible(self.store.as_ref(), caller, of, id).await
    }

    /// A transaction once it has changed, once it is final, or at `until` at the latest; `None`
    /// where there is none that this caller may see. `is_known` says whether the caller has seen a
    /// version already; without it, any version but the first one read is a change.
    ///
    /// Nothing of the transaction is kept while it waits, since thousands wait.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn wait_for_change(
        &self,
        caller: &Caller,
        of: Resource,
        id: &TransactionId,
        until: Timestamp,
        is_known: Option<impl Fn(u32) -> bool + Send>,
    ) -> Result<Option<Transaction>, StoreError> {
        let Some(id) =
            self.find(caller, of, id).await?.map(|transaction| transaction.order.id.clone())
        else {
            return Ok(None);
        };
        let mut first = None;
        let mut is_over = false;
        loop {
            // The wait begins before the read, so no change falls between the two.
            let change = self.changes.subscribe(&id);
            let Some(transaction) = self.find(caller, of, &id).await? else { return Ok(None) };
            let version = transaction.version;
            let is_new = is_known.as_ref().is_some_and(|is_known| !is_known(version));
            if transaction.state.is_final()
                || is_new
                || is_over
                || first.is_some_and(|first| first != version)
            {
                return Ok(Some(transaction));
            }
            first = Some(version);
            drop(transaction);
            tokio::select! {
                () = change.changed() => {}
                () = self.clock.sleep_until(until) => is_over = true,
                () = self.stopping.cancelled() => is_over = true,
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
            Some(filter) => self.store.transactions(&key.scope, filter, page).await,
            None => Ok(Vec::new()),
        }
    }
}

/// A transaction that this caller may see. All others are not found.
pub(super) async fn visible(
    store: &dyn Store,
    caller: &Caller,
    of: Resource,
    id: &TransactionId,
) -> Result<Option<Transaction>, StoreError> {
    // Longer than any id of ours, so it is not looked up.
    const MAX_ID_BYTES: usize = 64;
    let found = match id.as_str().len() {
        ..=MAX_ID_BYTES => store.transaction(id).await?,
        _ => None,
    };
    let is_of =
        |transaction: &Transaction| transaction.order.refund.is_some() == (of == Resource::Refund);
    Ok(found.filter(|transaction| is_of(transaction) && caller.may_see(transaction)))
}
