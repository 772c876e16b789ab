//! The merchants' money at operators: whose it is, and how much is reserved.

use super::{networks::Networks, served_accounts::served_accounts};
use std::sync::Arc;
use tua_domain::{
    AccountId, Scope,
    ports::{self, PinnedPayments, Reports, ReservedFloats, StoreError},
    routing::{KnownFloat, OperatorEntry},
};

/// Reads the merchants' money at operators.
#[derive(Clone, Debug)]
pub struct OperatorFloats {
    /// Where the sums of payouts are stored that are approved and not sent.
    pub pinned: Arc<dyn PinnedPayments>,
    /// Where the accounts that use a mode are read.
    pub reports: Arc<dyn Reports>,
    /// Where accounts are stored.
    pub accounts: Arc<dyn ports::Accounts>,
    /// The operators with their last balances.
    pub networks: Networks,
}

/// An operator that serves an account, with the money at it.
#[derive(Clone, Debug)]
pub struct OperatorFloat {
    /// The operator, with its name and mode.
    pub operator: Arc<OperatorEntry>,
    /// The accounts whose money is at the operator.
    pub accounts: Vec<AccountId>,
    /// The float as last read, and the part that is reserved; `None` where it is not known.
    pub float: Option<KnownFloat>,
}

impl OperatorFloats {
    /// The operators that serve an account and mode, in the order of the settings, then
    /// those that people connected.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self, scope: &Scope) -> Result<Vec<OperatorFloat>, StoreError> {
        let reserved = self.reserved().await?;
        let entries = self.networks.operators.of_account(scope.mode, &scope.account);
        let mut floats = Vec::new();
        for operator in entries {
            floats.push(OperatorFloat {
                accounts: self.accounts_at(&operator).await?,
                float: operator.known_float(&reserved),
                operator,
            });
        }
        Ok(floats)
    }

    /// The accounts whose money is at an operator.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn accounts_at(&self, entry: &OperatorEntry) -> Result<Vec<AccountId>, StoreError> {
        let now = self.networks.clock.now();
        served_accounts(self.reports.as_ref(), self.accounts.as_ref(), entry, now).await
    }

    /// The float of an operator as last read, and the part that is reserved; `None` where it is not
    /// known.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn known(&self, entry: &OperatorEntry) -> Result<Option<KnownFloat>, StoreError> {
        Self::known_at(self.pinned.as_ref(), entry).await
    }

    /// As [`Self::known`], for a command that has only the operator.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn known_at(
        pinned: &dyn PinnedPayments,
        entry: &OperatorEntry,
    ) -> Result<Option<KnownFloat>, StoreError> {
        Ok(entry.known_float(&pinned.reserved_floats().await?))
    }

    /// What approved payouts that are not sent will take from the float at each operator.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn reserved(&self) -> Result<ReservedFloats, StoreError> {
        self.pinned.reserved_floats().await
    }
}
