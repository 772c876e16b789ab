//! Decisions about payouts that are not sent yet: cancellations, and the end of those that nobody
//! approved.

use super::{
    decisions::Decisions,
    operator_gateway::OperatorGateway,
    transactions::{TransactionResource, find_visible},
};
use std::sync::Arc;
use tracing::{Span, field::Empty, instrument};
use tua_domain::{
    Caller, Transaction, TransactionId,
    approval::{DecideError, PayoutDecision},
    audit::AuditContext,
    ports::{DecidedPayout, PayoutApprovals, StoreError, Transactions},
};

/// The maximum number of payouts that one write ends.
const EXPIRED_AT_ONCE: u32 = 100;

/// Cancels payouts and refunds, applies people's decisions, and ends those that nobody approved.
#[derive(Clone, Debug)]
pub struct Payouts {
    /// Has the clock, and announces what a decision changed.
    pub gateway: Arc<OperatorGateway>,
    /// Applies decisions about payouts that are not sent yet.
    pub decisions: Decisions,
    /// Reads the payout that a caller names.
    pub transactions: Arc<dyn Transactions>,
    /// Ends payouts that nobody approved.
    pub payout_approvals: Arc<dyn PayoutApprovals>,
}

impl Payouts {
    /// Cancels a payout or refund that is not handed over to its operator. One that was cancelled
    /// before is returned as it is.
    ///
    /// # Errors
    /// [`DecideError::NotFound`] where the caller may see no such payout,
    /// [`DecideError::NotCancellable`], and those of the store.
    #[instrument(name = "cancel_payout", skip_all, fields(tua.transaction.id = Empty))]
    pub async fn cancel(
        &self,
        caller: &Caller,
        resource: TransactionResource,
        id: &TransactionId,
    ) -> Result<Transaction, DecideError> {
        let id = find_visible(self.transactions.as_ref(), caller, resource, id)
            .await?
            .ok_or(DecideError::NotFound)?
            .order
            .id
            .clone();
        let now = self.gateway.clock.now();
        let decided = self.decisions.about_payout(&id, PayoutDecision::Cancel, None, now).await?;
        Ok(self.report(decided))
    }

    /// Applies a person's decision about a payout.
    ///
    /// # Errors
    /// [`DecideError`].
    #[instrument(name = "decide_payout", skip_all, fields(tua.transaction.id = Empty))]
    pub async fn decide(
        &self,
        id: &TransactionId,
        decision: PayoutDecision,
        by: &AuditContext,
    ) -> Result<Transaction, DecideError> {
        let decided = self.decisions.about_payout(id, decision, Some(by), by.at).await?;
        Ok(self.report(decided))
    }

    /// Ends payouts that have waited too long for an approval. Returns how many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn expire(&self) -> Result<usize, StoreError> {
        let now = self.gateway.steady_time.now();
        let expired = self.payout_approvals.expire_approvals(now, EXPIRED_AT_ONCE).await?;
        let count = expired.len();
        for decided in expired {
            self.report(decided);
        }
        Ok(count)
    }

    fn report(&self, DecidedPayout { transaction, before }: DecidedPayout) -> Transaction {
        Span::current().record("tua.transaction.id", transaction.order.id.as_str());
        if let Some(before) = before {
            self.gateway.announce(&transaction, before);
            self.gateway.changes.notify_outbox();
        }
        transaction
    }
}
