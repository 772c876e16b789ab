//! Reads the figures of the reports that people get by e-mail.

use super::{
    super::reports::{attention_totals, seen_by},
    content::AccountReport,
};
use jiff::civil::Date;
use std::sync::Arc;
use tua_domain::{
    Mode, Scope,
    mail::ReportInterval,
    people::{Permission, User},
    ports::{Accounts, PayoutBatches, People, Reports, StoreError},
};

/// Reads the reports of the accounts of a person.
#[derive(Clone, Debug)]
pub struct AccountReports {
    /// Has the accounts of people, and their roles there.
    pub people: Arc<dyn People>,
    /// Has the names of accounts.
    pub accounts: Arc<dyn Accounts>,
    /// Sums up transactions.
    pub reports: Arc<dyn Reports>,
    /// Lists batches that wait for an approval.
    pub payout_batches: Arc<dyn PayoutBatches>,
}

impl AccountReports {
    /// The reports of the accounts that a person may read.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn read(
        &self,
        user: &User,
        interval: ReportInterval,
        last: Date,
    ) -> Result<Vec<AccountReport>, StoreError> {
        let mut reports = Vec::new();
        for membership in self.people.memberships(&user.id).await? {
            let Some(account) = self.accounts.account(&membership.account).await? else { continue };
            if membership.role.may(Permission::ReadPayments) {
                let scope = Scope { account: account.id.clone(), mode: Mode::Live };
                let seen = seen_by(membership.role);
                let mut totals = self.reports.day_totals(&scope, interval.days(last)).await?;
                totals.retain(|total| seen.has_type(total.transaction_type));
                let batches = self.payout_batches.as_ref();
                let waiting =
                    attention_totals(self.reports.as_ref(), batches, &scope, &seen).await?;
                reports.push(AccountReport { account, totals, waiting });
            }
        }
        Ok(reports)
    }
}
