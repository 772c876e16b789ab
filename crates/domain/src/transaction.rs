//! A transaction, and the events it is derived from.

mod observation;

use super::{
    TransactionOrder,
    finding::Mismatch,
    payout_route::PayoutRoute,
    pinned_operator::{OperatorFingerprint, PinnedOperator},
    refund_values::{RefundSums, TransactionType},
    transfer::OperatorDetails,
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::{
    Amount, State, Status,
    lifecycle::{Applied, Observation, apply},
};

pub use super::{event::Event, sending::Sending};

/// How many wrong codes end a transaction (docs/reference/lifecycle.md).
pub const MAX_CODE_ATTEMPTS: u8 = 5;

/// From the moment when a code was counted, how long its verdict may take: the call to the
/// operator, and storing its response. After that, only the operator's status shows whether the
/// code was accepted. Longer than the `OPERATOR_TIMEOUT` of `tua-use-cases`.
pub const CODE_TIMEOUT: SignedDuration = SignedDuration::from_secs(60);

/// A final response of the operator that contradicts the final state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The status that the operator reported.
    pub observed: Status,
    /// When the operator reported it first.
    pub at: Timestamp,
    /// The status that a review found to be right; `None` until one has decided.
    pub decision: Option<Status>,
}

/// The payer disputes the charge at the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dispute {
    /// When the operator reported it first.
    pub at: Timestamp,
    /// Successful where a review found that the merchant keeps the money, failed where it went
    /// back; `None` until one has decided.
    pub decision: Option<Status>,
}

/// A transaction as its events leave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transaction {
    /// What it was begun with. Copies of a transaction share it: it is the largest part, and hardly
    /// ever changes.
    pub order: Arc<TransactionOrder>,
    /// Pending with its next step, successful, or failed with its reason.
    pub state: State,
    /// Codes counted so far.
    pub code_attempts: u8,
    /// The first contradiction, if any.
    pub conflict: Option<Conflict>,
    /// The dispute, if any.
    pub dispute: Option<Dispute>,
    /// When the operator undid a payout that had succeeded.
    pub reversed_at: Option<Timestamp>,
    /// The operator that serves it, for good; `None` in the sandbox, and while it waits for an
    /// approval.
    pub operator: Option<PinnedOperator>,
    /// What the operator reported about it.
    pub details: OperatorDetails,
    /// The first success for something else than was asked, if any.
    pub mismatch: Option<Mismatch>,
    /// The sum that was moved, where a review found another one than the operator was asked for.
    pub settled_amount: Option<Amount>,
    /// When its order was marked as handed over. `None`: it has certainly not been sent.
    pub handed_over_at: Option<Timestamp>,
    /// When a person approved it.
    pub approved_at: Option<Timestamp>,
    /// Whether the key that asked for it was revoked when a person approved it last. Then the
    /// revocation does not stop it.
    pub is_approved_after_revocation: bool,
    /// The refunds of this charge.
    pub refunds: RefundSums,
    /// How many events it has; its ETag.
    pub version: u32,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When its last event happened.
    pub updated_at: Timestamp,
}

impl Transaction {
    /// A transaction after its first event.
    #[must_use]
    pub fn begin(
        order: impl Into<Arc<TransactionOrder>>,
        is_handed_over: bool,
        operator: Option<PinnedOperator>,
        now: Timestamp,
    ) -> Self {
        let order = order.into();
        let state = if order.needs_approval { State::UNAPPROVED } else { State::NEW };
        Self {
            order,
            state,
            code_attempts: 0,
            conflict: None,
            dispute: None,
            reversed_at: None,
            operator,
            details: OperatorDetails::NONE,
            mismatch: None,
            settled_amount: None,
            handed_over_at: if is_handed_over { Some(now) } else { None },
            approved_at: None,
            is_approved_after_revocation: false,
            refunds: RefundSums::default(),
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// Applies an event. The row in the database is the result of these events and nothing else.
    pub fn apply_event(&mut self, event: &Event, at: Timestamp) {
        match event {
            // The first event, which `begin` has applied.
            Event::Begun { .. } => return,
            Event::HandedOver => self.handed_over_at = Some(at),
            Event::HandOverWithdrawn => self.handed_over_at = None,
            Event::Moved(state, details) => {
                self.state = *state;
                self.details.merge(details);
            }
            Event::Mismatched(mismatch, details) => {
                if let Applied::Flagged(state) = apply(self.state, Observation::Mismatched) {
                    self.state = state;
                }
                self.mismatch = Some(*mismatch);
                self.details.merge(details);
            }
            Event::SumSettled(sum) => self.settled_amount = Some(*sum),
            Event::CodeAttempted => self.code_attempts += 1,
            Event::Contradicted(observed, mismatch, details) => {
                match observed {
                    // The money moved under these ids, and for this fee.
                    Status::Successful => drop(self.details.merge(details)),
                    Status::Failed | Status::Pending => self.details.complete(details),
                }
                // What an earlier report named is out of date.
                self.mismatch = *mismatch;
                self.conflict =
                    self.conflict.or(Some(Conflict { observed: *observed, at, decision: None }));
            }
            Event::Disputed => self.dispute = self.dispute.or(Some(Dispute { at, decision: None })),
            Event::CaseDecided(status) => {
                if let Some(conflict) = &mut self.conflict {
                    conflict.decision = conflict.decision.or(Some(*status));
                }
                if let Some(dispute) = &mut self.dispute {
                    dispute.decision = dispute.decision.or(Some(*status));
                }
            }
            // Kept for those who ask later; it moves nothing by itself.
            Event::Reviewed { .. } | Event::ApprovalRefused { .. } => {}
            Event::Approved { route, is_key_revoked, .. } => {
                self.apply_approval(route, at);
                self.is_approved_after_revocation = *is_key_revoked;
            }
            Event::FoundAtOperator { approved } => {
                if let Some(route) = approved {
                    self.apply_approval(route, at);
                }
                self.handed_over_at = Some(at);
            }
            Event::Reversed(details) => {
                self.reversed_at = self.reversed_at.or(Some(at));
                self.details.complete(details);
            }
            // Its refunds have times of their own. The payer's receipt shows when the charge itself
            // last changed.
            Event::RefundsChanged(sums) => {
                self.refunds = *sums;
                self.version += 1;
                return;
            }
        }
        self.version += 1;
        self.updated_at = at;
    }

    /// Whether its operator was chosen: when it began, or when it was approved. Then it never
    /// changes.
    #[must_use]
    pub fn is_routed(&self) -> bool {
        !self.order.needs_approval || self.approved_at.is_some()
    }

    /// Records an approval, and what it chose if nothing was chosen before: between the choice and
    /// the approval, another one may have been made and suspended.
    pub fn apply_approval(&mut self, route: &PayoutRoute, at: Timestamp) {
        if !self.is_routed() {
            self.operator.clone_from(&route.operator);
            let order = Arc::make_mut(&mut self.order);
            order.price.fee_pesewas = route.fee_pesewas;
            if let Some((refund, method)) = order.refund.as_mut().zip(route.refund_method) {
                refund.method = method;
            }
            if let Some(network) = route.moved_to {
                order.transfer.network = network;
            }
        }
        self.approved_at = Some(at);
    }

    /// A transaction from all its events, oldest first; nothing where the first is not
    /// [`Event::Begun`].
    pub fn replay(events: impl IntoIterator<Item = (Timestamp, Event)>) -> Option<Self> {
        let mut events = events.into_iter();
        let (at, Event::Begun { new, is_handed_over, operator }) = events.next()? else {
            return None;
        };
        let mut transaction = Self::begin(new, is_handed_over, operator, at);
        for (at, event) in events {
            transaction.apply_event(&event, at);
        }
        Some(transaction)
    }

    /// Whether it is served for good by the operator entry with this fingerprint. Only such an
    /// entry's callbacks count.
    #[must_use]
    pub fn is_pinned_to(&self, operator: &OperatorFingerprint) -> bool {
        self.operator.as_ref().is_some_and(|pin| pin.fingerprint == *operator)
    }

    /// How many more codes may be tried; nothing where none is expected.
    #[must_use]
    pub fn code_attempts_left(&self) -> Option<u8> {
        self.state.expects_code().then(|| MAX_CODE_ATTEMPTS.saturating_sub(self.code_attempts))
    }

    /// When it was handed over; when it was begun, where it was not.
    #[must_use]
    pub fn pending_since(&self) -> Timestamp {
        match self.handed_over_at {
            Some(at) => at,
            None => self.created_at,
        }
    }

    /// Whether the response to the request that began it shows this state. That of a payout shows
    /// PENDING, whatever the operator has responded meanwhile. The next read shows the outcome.
    #[must_use]
    pub fn is_in_first_response(&self) -> bool {
        !(self.state.is_final() && matches!(self.order.transaction_type(), TransactionType::Payout))
    }

    /// Whether its order has certainly not been sent, so that it can be cancelled, or sent.
    #[must_use]
    pub const fn is_unsent(&self) -> bool {
        !self.state.is_final() && self.handed_over_at.is_none()
    }

    /// Whether its order may be handed over: it is not sent, and waits for nobody's approval.
    #[must_use]
    pub const fn may_be_sent(&self) -> bool {
        self.is_unsent() && !self.state.is_unapproved()
    }

    /// Whether as many codes were tried as may be.
    #[must_use]
    pub const fn has_no_code_left(&self) -> bool {
        self.code_attempts >= MAX_CODE_ATTEMPTS
    }

    /// Whether the call with the last code may still be in flight, so that its verdict is unknown.
    ///
    /// Until its verdict is stored, or its time is over, nothing but a final status changes the
    /// transaction. So its last change is the moment when the code was counted, and this survives a
    /// crash without a column of its own.
    #[must_use]
    pub fn is_last_code_in_flight(&self, now: Timestamp) -> bool {
        self.has_no_code_left() && self.state.expects_code() && now < self.updated_at + CODE_TIMEOUT
    }

    /// Since when people must decide about a conflict, if they must.
    #[must_use]
    pub fn open_conflict(&self) -> Option<Timestamp> {
        self.conflict.filter(|conflict| conflict.decision.is_none()).map(|conflict| conflict.at)
    }

    /// Since when people must decide about a dispute, if they must.
    #[must_use]
    pub fn open_dispute(&self) -> Option<Timestamp> {
        self.dispute.filter(|dispute| dispute.decision.is_none()).map(|dispute| dispute.at)
    }

    /// Whether the payer gets a receipt: a charge was paid, or a refund's money came back, and
    /// neither the operator nor a review contradicts it.
    #[must_use]
    pub fn has_receipt(&self) -> bool {
        self.order.transaction_type() != TransactionType::Payout
            && self.state.status() == Status::Successful
            && self.open_conflict().is_none()
            && self.open_dispute().is_none()
            && self.decision() != Some(Status::Failed)
    }

    /// What a review decided about its conflict or dispute, if anything.
    #[must_use]
    pub fn decision(&self) -> Option<Status> {
        let conflict = self.conflict.and_then(|conflict| conflict.decision);
        let dispute = self.dispute.and_then(|dispute| dispute.decision);
        // Of two decisions the one against the merchant counts: the money went back at least once.
        if [conflict, dispute].contains(&Some(Status::Failed)) {
            Some(Status::Failed)
        } else {
            conflict.or(dispute)
        }
    }

    /// Whether the payer's money has moved, by any report of the operator.
    #[must_use]
    pub fn is_paid(&self) -> bool {
        let observed = self.conflict.map(|conflict| conflict.observed);
        self.state == State::Successful || observed == Some(Status::Successful)
    }

    /// Whether the payer's money has arrived: by any report of the operator, unless a review of the
    /// conflict found that it did not.
    #[must_use]
    pub fn has_brought_money(&self) -> bool {
        let decision = self.conflict.and_then(|conflict| conflict.decision);
        self.is_paid() && decision != Some(Status::Failed)
    }
}

#[cfg(test)]
pub(super) mod tests;
