//! Resumes a suspended account, after operators were asked about its payments (docs/operations.md,
//! "Backups").
//!
//! In a database that was restored from a backup, an order that was sent after the backup looks
//! unsent. Every operator that may have it is asked by its reference. If one has it, the payment is
//! pinned to that operator, and is never sent again.

use super::{operator_gateway::OperatorGateway, reading};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use std::sync::Arc;
use tua_contract::Status;
use tua_domain::{
    Account, AccountId, Mode, Scope, Transaction, TransactionId,
    audit::AuditContext,
    listing::{Cursor, Filter, PageRequest, RefundFilter},
    payout_route::PayoutRoute,
    ports::{
        self, AccountChange, PayoutApprovals, PinnedPayments, Report, Reports, StatusResponse,
        StoreError, Transactions,
    },
};

/// How many payments are read at once.
const PAGE_ROWS: u32 = 200;
/// How many payments operators are asked about at the same time.
const MAX_CONCURRENT_QUERIES: usize = 8;

/// What operators responded about the payments of an account that are not final.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatusQuerySummary {
    /// How many payments they were asked about.
    pub asked: usize,
    /// How many of these changed.
    pub changed: usize,
    /// Those that looked unsent, and that an operator has.
    pub found: Vec<TransactionId>,
    /// Those about which it is not known whether an operator has them: it did not respond, or is
    /// not among the operators of the settings.
    pub unanswered: Vec<TransactionId>,
}

/// What operators responded about one payment.
struct QueriedPayment {
    id: TransactionId,
    is_changed: bool,
    is_found: bool,
    is_unanswered: bool,
}

/// Resumes suspended accounts, after their operators were queried about payments in doubt.
#[derive(Clone, Debug)]
pub struct AccountResumption {
    /// Where accounts are stored.
    pub accounts: Arc<dyn ports::Accounts>,
    /// Where payouts that wait for an approval are stored.
    pub approvals: Arc<dyn PayoutApprovals>,
}

/// What becomes of an account if an operator did not respond about one of its payments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unanswered {
    /// The account stays suspended.
    Refuse,
    /// The account is resumed in spite of it.
    Accept,
}

/// An account that was resumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResumedAccount {
    /// The account as it now is.
    pub account: Account,
    /// How many of its payouts and refunds wait for an approval.
    pub payouts_to_approve: usize,
}

/// Why an account was not resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// It is not known whether an operator has payments of the account.
    #[error("an operator did not respond")]
    Unanswered,
    /// No account has this id.
    #[error("there is no account {0}")]
    Unknown(AccountId),
    /// The store failed. The variant of [`StoreError`] shows whether the account may have been
    /// resumed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AccountResumption {
    /// Resumes an account about whose payments operators were asked before
    /// ([`AccountQueries::query`]).
    ///
    /// # Errors
    /// [`ResumeError`].
    pub async fn resume(
        &self,
        id: &AccountId,
        asked: &StatusQuerySummary,
        unanswered: Unanswered,
        by: &AuditContext,
    ) -> Result<ResumedAccount, ResumeError> {
        if !asked.unanswered.is_empty() && unanswered == Unanswered::Refuse {
            return Err(ResumeError::Unanswered);
        }
        let resumed = self.accounts.change_account(id, AccountChange::Resume, by).await?;
        let account = resumed.ok_or_else(|| ResumeError::Unknown(id.clone()))?;
        let payouts_to_approve = self.approvals.unapproved(Some(id)).await?.len();
        Ok(ResumedAccount { account, payouts_to_approve })
    }
}

/// Asks operators about the payments of an account.
#[derive(Clone, Debug)]
pub struct AccountQueries {
    /// Calls the operators, and records what they respond.
    pub gateway: Arc<OperatorGateway>,
    /// Reads the charge of a refund that looks unsent.
    pub transactions: Arc<dyn Transactions>,
    /// Lists the payments of an account that are not final.
    pub reports: Arc<dyn Reports>,
    /// Pins payments that looked unsent to the operator that has them.
    pub pinned_payments: Arc<dyn PinnedPayments>,
}

impl AccountQueries {
    /// Asks about every payment of an account that is not final, of both modes, and records what
    /// operators respond. A payment that is found at an operator is audited.
    ///
    /// # Errors
    /// Those of the store. What was recorded before stays.
    pub async fn query(
        &self,
        account: &AccountId,
        by: &AuditContext,
    ) -> Result<StatusQuerySummary, StoreError> {
        let mut sum = StatusQuerySummary::default();
        for mode in Mode::ALL {
            let scope = Scope { account: account.clone(), mode: *mode };
            for refunds in [RefundFilter::None, RefundFilter::All] {
                let filter = Filter { status: Some(Status::Pending), refunds, ..Filter::default() };
                self.query_list(&scope, &filter, by, &mut sum).await?;
            }
        }
        Ok(sum)
    }

    async fn query_list(
        &self,
        scope: &Scope,
        filter: &Filter,
        by: &AuditContext,
        sum: &mut StatusQuerySummary,
    ) -> Result<(), StoreError> {
        let mut page = PageRequest { limit: PAGE_ROWS, after: None };
        loop {
            let pending = self.reports.transactions(scope, filter.clone(), page.clone()).await?;
            page.after = pending.last().map(Cursor::after);
            let asked = stream::iter(pending)
                .map(|payment| self.query_payment(payment, by))
                .buffer_unordered(MAX_CONCURRENT_QUERIES);
            asked.try_collect::<Vec<_>>().await?.into_iter().for_each(|asked| sum.add(asked));
            if page.after.is_none() {
                return Ok(());
            }
        }
    }

    async fn query_payment(
        &self,
        payment: Transaction,
        by: &AuditContext,
    ) -> Result<QueriedPayment, StoreError> {
        let id = payment.order.id.clone();
        let asked = QueriedPayment { id, is_changed: false, is_found: false, is_unanswered: false };
        if payment.handed_over_at.is_some() {
            return match self.gateway.query_status(&payment).await {
                StatusResponse::Known(report) => Ok(QueriedPayment {
                    is_changed: self.record_report(&payment, report).await?,
                    ..asked
                }),
                // The service decides whether it is sent again.
                StatusResponse::NeverReceived => Ok(asked),
                StatusResponse::Unanswered => Ok(QueriedPayment { is_unanswered: true, ..asked }),
            };
        }
        let routes = self.possible_routes(&payment, by.at).await?;
        let mut is_unanswered = routes.is_empty();
        for approved in routes {
            let mut sent = payment.clone();
            if let Some(route) = &approved {
                sent.apply_approval(route, by.at);
            }
            match self.gateway.query_status(&sent).await {
                StatusResponse::Known(report) => {
                    let found = self.pinned_payments.record_found(&payment, approved, by).await?;
                    self.gateway.announce(&found, payment.state);
                    self.record_report(&found, report).await?;
                    return Ok(QueriedPayment { is_changed: true, is_found: true, ..asked });
                }
                StatusResponse::NeverReceived => {}
                StatusResponse::Unanswered => is_unanswered = true,
            }
        }
        Ok(QueriedPayment { is_unanswered, ..asked })
    }

    /// The routes by which the order of a payment that looks unsent may have been sent. `None`
    /// stands for the operator that was already chosen for it.
    async fn possible_routes(
        &self,
        unsent: &Transaction,
        now: Timestamp,
    ) -> Result<Vec<Option<PayoutRoute>>, StoreError> {
        if unsent.is_routed() {
            return Ok(vec![None]);
        }
        let charge = match &unsent.order.refund {
            Some(of) => Some(reading::existing(self.transactions.as_ref(), &of.charge).await?),
            None => None,
        };
        let routes =
            PayoutRoute::possible(&self.gateway.operators, &unsent.order, charge.as_ref(), now);
        Ok(routes.into_iter().map(Some).collect())
    }

    /// Records a status. Returns whether the payment has changed.
    async fn record_report(&self, asked: &Transaction, report: Report) -> Result<bool, StoreError> {
        let is_code_in_flight = asked.is_last_code_in_flight(self.gateway.clock.now());
        self.gateway.record_status(asked, report, is_code_in_flight).await;
        Ok(self.gateway.reload(&asked.order.id).await?.version != asked.version)
    }
}

impl StatusQuerySummary {
    fn add(&mut self, asked: QueriedPayment) {
        self.asked += 1;
        self.changed += usize::from(asked.is_changed);
        if asked.is_found {
            self.found.push(asked.id);
        } else if asked.is_unanswered {
            self.unanswered.push(asked.id);
        }
    }
}
