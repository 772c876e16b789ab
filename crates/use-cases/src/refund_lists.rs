//! Lists and finds refunds (docs/reference/refunds.md).

use super::account_read_error::{AccountReadError, require_account};
use std::sync::Arc;
use tua_domain::{
    Kind, Scope, Transaction, TransactionId,
    listing::{Cursor, Filter, PageRequest, RefundFilter},
    ports::{Accounts, Reports, StoreError, Transactions},
};

/// Reads refunds for people.
#[derive(Clone, Debug)]
pub struct RefundLists {
    /// Lists the refunds of an account and mode, or of a charge.
    pub reports: Arc<dyn Reports>,
    /// Reads single refunds, and their charges.
    pub transactions: Arc<dyn Transactions>,
    /// Has the account whose refunds are listed.
    pub accounts: Arc<dyn Accounts>,
}

/// A page of refunds.
#[derive(Clone, Debug)]
pub struct RefundPage {
    /// The refunds, newest first.
    pub refunds: Vec<Transaction>,
    /// The position after the page, if there are older ones.
    pub next: Option<Cursor>,
}

impl RefundLists {
    /// A page of the refunds of an account and mode, at most `limit`.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn page(
        &self,
        scope: &Scope,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<RefundPage, StoreError> {
        let page = PageRequest { limit: limit + 1, after };
        let mut refunds = self.read(scope, RefundFilter::All, page).await?;
        let has_more = refunds.len() > limit as usize;
        refunds.truncate(limit as usize);
        let next = refunds.last().filter(|_| has_more).map(Cursor::after);
        Ok(RefundPage { refunds, next })
    }

    /// The newest refunds of an account and mode, at most `limit`.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn newest(
        &self,
        scope: &Scope,
        limit: u32,
    ) -> Result<Vec<Transaction>, AccountReadError> {
        require_account(self.accounts.as_ref(), Some(&scope.account)).await?;
        Ok(self.read(scope, RefundFilter::All, PageRequest { limit, after: None }).await?)
    }

    /// The newest refunds of a charge, at most `limit`; `None` if there is no transaction with its
    /// id.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn newest_of(
        &self,
        charge: &TransactionId,
        limit: u32,
    ) -> Result<Option<Vec<Transaction>>, StoreError> {
        let Some(found) = self.transactions.transaction(charge).await? else { return Ok(None) };
        let filter = RefundFilter::Of(charge.clone());
        let page = PageRequest { limit, after: None };
        Ok(Some(self.read(&found.order.scope, filter, page).await?))
    }

    /// The refund with this id; `None` if there is none, or the id is not of a refund.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError> {
        Ok(self.transactions.transaction(id).await?.filter(|one| one.order.refund.is_some()))
    }

    async fn read(
        &self,
        scope: &Scope,
        refunds: RefundFilter,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, StoreError> {
        self.reports.transactions(scope, Filter { refunds, ..Filter::default() }, page).await
    }
}

/// All refunds of a transaction, newest first. Only a charge has any.
///
/// # Errors
/// Those of the store.
pub(super) async fn refunds_of(
    reports: &dyn Reports,
    charge: &Transaction,
) -> Result<Vec<Transaction>, StoreError> {
    if charge.order.transfer.kind != Kind::Charge {
        return Ok(Vec::new());
    }
    let filter = Filter { refunds: RefundFilter::Of(charge.order.id.clone()), ..Filter::default() };
    let page = PageRequest { limit: u32::MAX, after: None };
    reports.transactions(&charge.order.scope, filter, page).await
}
