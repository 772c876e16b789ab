//! Exports of transactions and of what the ledger posted. Each is in the audit log before anything
//! of it is read.

use super::{
    account_read_error::{AccountReadError, require_account},
    reports::Export,
    scopes::chosen_scopes,
};
use jiff::civil::Date;
use std::{ops::RangeInclusive, sync::Arc};
use tua_domain::{
    AccountId, Mode, Scope,
    audit::{AuditChange, AuditContext},
    ledger::LedgerDay,
    ports::{Accounts, AuditLog, Clock, Ledger, Reports, StoreError},
    reporting::ReportFilter,
};

/// Begins exports of transactions, which are recorded in the audit log.
#[derive(Clone, Debug)]
pub struct Exports {
    /// Reads the transactions of an export in batches.
    pub reports: Arc<dyn Reports>,
    /// Sums up what was posted on each day.
    pub ledger: Arc<dyn Ledger>,
    /// Has the accounts that an export is of.
    pub accounts: Arc<dyn Accounts>,
    /// Takes the entry of each export.
    pub audit_log: Arc<dyn AuditLog>,
    /// Decides how long an export pauses between reads.
    pub clock: Arc<dyn Clock>,
}

/// An export that is in the audit log. Its contents are read through it.
#[derive(Clone, Debug)]
pub struct RecordedExport {
    exports: Exports,
}

impl Exports {
    /// Fails if an account is named and does not exist. Nothing can be exported of it.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn check_account(&self, account: Option<&AccountId>) -> Result<(), AccountReadError> {
        require_account(self.accounts.as_ref(), account).await
    }

    /// Appends the entry of an export to the audit log.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin(
        &self,
        change: AuditChange,
        by: &AuditContext,
    ) -> Result<RecordedExport, StoreError> {
        self.audit_log.append_audit(change, by).await?;
        Ok(RecordedExport { exports: self.clone() })
    }
}

impl RecordedExport {
    /// The transactions of a filter, newest first, which are read in batches.
    #[must_use]
    pub fn transactions(&self, scope: Scope, filter: ReportFilter) -> Export {
        let Exports { reports, clock, .. } = &self.exports;
        Export::new(reports.clone(), clock.clone(), scope, filter)
    }

    /// What the ledger posted on each of these days, in UTC, of an account and mode or of all.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn ledger_days(
        &self,
        days: RangeInclusive<Date>,
        account: Option<&AccountId>,
        mode: Option<Mode>,
    ) -> Result<Vec<LedgerDay>, StoreError> {
        self.exports.ledger.ledger_days(days, account, mode).await
    }

    /// The accounts and modes of an export, oldest account first, live mode before test mode;
    /// `None` stands for all.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn scopes(
        &self,
        account: Option<AccountId>,
        mode: Option<Mode>,
    ) -> Result<Vec<Scope>, StoreError> {
        chosen_scopes(self.exports.accounts.as_ref(), account, mode).await
    }
}
