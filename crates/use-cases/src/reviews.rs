//! Transactions whose outcome people decide (docs/reference/lifecycle.md).

use super::account_read_error::{AccountReadError, require_account};
use std::sync::Arc;
use tua_domain::{
    AccountId, Scope, Transaction, TransactionId,
    audit::AuditContext,
    change_notifier::ChangeNotifier,
    ports::{self, Accounts, ReviewError, StoreError},
    review::{DecisionNote, FlaggedTransaction, ReviewVerdict},
};

/// Lists flagged transactions, and applies the decisions of people about them.
#[derive(Clone, Debug)]
pub struct Reviews {
    /// Has the flagged transactions.
    pub reviews: Arc<dyn ports::Reviews>,
    /// Has the accounts whose transactions are listed.
    pub accounts: Arc<dyn Accounts>,
    /// Announces what a decision changed.
    pub changes: Arc<ChangeNotifier>,
}

impl Reviews {
    /// The flagged transactions of an account and mode, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_scope(&self, scope: &Scope) -> Result<Vec<FlaggedTransaction>, StoreError> {
        let mut flagged = self.reviews.flagged(Some(&scope.account)).await?;
        flagged.retain(|one| one.transaction.order.scope == *scope);
        Ok(flagged)
    }

    /// The flagged transactions of one account or all, oldest first.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn list(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<FlaggedTransaction>, AccountReadError> {
        require_account(self.accounts.as_ref(), account).await?;
        Ok(self.reviews.flagged(account).await?)
    }

    /// Applies a person's decision to a flagged transaction, which is audited.
    ///
    /// # Errors
    /// [`ReviewError`].
    pub async fn decide(
        &self,
        id: &TransactionId,
        verdict: ReviewVerdict,
        note: DecisionNote,
        by: &AuditContext,
    ) -> Result<Transaction, ReviewError> {
        let decided = self.reviews.review(id, verdict, note, by).await?;
        self.changes.notify(&decided.order.id);
        Ok(decided)
    }
}
