//! The newest transactions of one account and mode, or of several.

use super::{
    account_read_error::{AccountReadError, require_account},
    reports::{Reports, list_page},
    scopes::chosen_scopes,
};
use std::cmp::Reverse;
use tua_domain::{
    AccountId, Mode, Transaction,
    ports::StoreError,
    reporting::{Position, ReportFilter, ReportPageRequest},
};

/// Which transactions are listed.
#[derive(Clone, Debug, Default)]
pub struct TransactionSelection {
    /// Only of this account; `None`: of all.
    pub account: Option<AccountId>,
    /// Only of this mode; `None`: of both.
    pub mode: Option<Mode>,
    /// What each of them must match.
    pub filter: ReportFilter,
}

impl Reports {
    /// The newest transactions of a selection, newest first, at most so many. The newest of each
    /// account and mode are read from its index, so no more than twice the limit are held at once.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn newest_selected(
        &self,
        selection: TransactionSelection,
        limit: u32,
    ) -> Result<Vec<Transaction>, AccountReadError> {
        let TransactionSelection { account, mode, filter } = selection;
        require_account(self.accounts.as_ref(), account.as_ref()).await?;
        let limit_rows = usize::try_from(limit).map_err(StoreError::failed)?;
        let page = ReportPageRequest { limit, position: Position::First };
        let mut newest = Vec::new();
        for scope in chosen_scopes(self.accounts.as_ref(), account, mode).await? {
            let listed = list_page(self.reports.as_ref(), &scope, &filter, &page).await?;
            newest.extend(listed.transactions);
            newest.sort_by_cached_key(|one| Reverse((one.created_at, one.order.id.clone())));
            newest.truncate(limit_rows);
        }
        Ok(newest)
    }
}
