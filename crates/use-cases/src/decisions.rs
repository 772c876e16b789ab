//! Applies the decisions of people and merchants about payouts, refunds and batches that are not
//! sent yet. An approval chooses their operators (docs/reference/payouts.md#approval).

use super::reading;
use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    BatchId, Transaction, TransactionId,
    approval::{DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    payout_route::{PayoutRoute, PayoutRoutes},
    ports::{DecidedBatch, DecidedPayout, PayoutApprovals, PayoutBatches, Transactions},
    routing::{Operators, RouteError},
};

/// Approves, refuses and cancels what is not sent yet.
#[derive(Clone, Debug)]
pub struct Decisions {
    /// Stores decisions about single payouts and refunds.
    pub payout_approvals: Arc<dyn PayoutApprovals>,
    /// Reads batches, and stores decisions about them.
    pub payout_batches: Arc<dyn PayoutBatches>,
    /// Reads the payout or refund that is approved, and the charge of a refund.
    pub transactions: Arc<dyn Transactions>,
    /// Who may send them.
    pub operators: Operators,
}

impl Decisions {
    /// Decides about a payout or refund. The decision is audited if `by` is given.
    ///
    /// # Errors
    /// [`DecideError`]. Then nothing changed.
    pub async fn about_payout(
        &self,
        id: &TransactionId,
        decision: PayoutDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<DecidedPayout, DecideError> {
        let mut routes = PayoutRoutes::new();
        if let PayoutDecision::Approve { .. } = decision {
            let payout = self.transactions.transaction(id).await?.ok_or(DecideError::NotFound)?;
            if payout.state.is_unapproved() {
                routes.insert(id.clone(), self.route(&payout, DecideError::from, now).await?);
            }
        }
        self.payout_approvals.decide_payout(id, RoutedDecision { decision, routes }, by, now).await
    }

    /// Decides about a batch. The decision is audited if `by` is given.
    ///
    /// # Errors
    /// [`DecideError`]. Then nothing changed.
    pub async fn about_batch(
        &self,
        id: &BatchId,
        decision: PayoutDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<DecidedBatch, DecideError> {
        let mut routes = PayoutRoutes::new();
        if let PayoutDecision::Approve { .. } = decision {
            let batch = self.payout_batches.payout_batch(id).await?.ok_or(DecideError::NotFound)?;
            for (index, line) in
                batch.lines.iter().enumerate().filter(|(_, line)| line.state.is_unapproved())
            {
                let unroutable = |error| DecideError::LineUnroutable { line: index + 1, error };
                let route = self.route(line, unroutable, now).await?;
                routes.insert(line.order.id.clone(), route);
            }
        }
        self.payout_batches.decide_batch(id, RoutedDecision { decision, routes }, by, now).await
    }

    /// Chooses who sends a payout or refund that waits.
    async fn route(
        &self,
        waiting: &Transaction,
        unroutable: impl FnOnce(RouteError) -> DecideError,
        now: Timestamp,
    ) -> Result<PayoutRoute, DecideError> {
        let charge = match &waiting.order.refund {
            Some(of) => Some(reading::existing(self.transactions.as_ref(), &of.charge).await?),
            None => None,
        };
        PayoutRoute::of_waiting(&self.operators, waiting, charge.as_ref(), now).map_err(unroutable)
    }
}
