//! The events that a transaction is derived from.

use super::{
    TransactionOrder,
    decision_text::{DecisionNote, PersonName},
    finding::Mismatch,
    payout_route::PayoutRoute,
    pinned_operator::PinnedOperator,
    refund_values::RefundSums,
    transfer::OperatorDetails,
};
use std::sync::Arc;
use tua_contract::{Amount, State, Status};

/// What has happened to a transaction, appended and never changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// It was accepted and is on disk.
    Begun {
        /// What it was begun with.
        new: Arc<TransactionOrder>,
        /// Whether its order is marked as handed over with it
        /// ([`super::sending::Sending::AtOnce`]).
        is_handed_over: bool,
        /// The operator, where one was chosen with it; none for the sandbox.
        operator: Option<PinnedOperator>,
    },
    /// Its order is marked as handed over: from now on the operator may have it.
    HandedOver,
    /// The mark is cleared, because no byte of the order was written.
    HandOverWithdrawn,
    /// It is now here, and the operator reported this about it.
    Moved(State, OperatorDetails),
    /// The operator reported a success for something else than was asked. People must look at it.
    Mismatched(Mismatch, OperatorDetails),
    /// A review settled a mismatch: this sum was moved.
    SumSettled(Amount),
    /// A code was counted, before the operator was asked about it.
    CodeAttempted,
    /// The operator contradicted the final state, which stands. If it reported a success for
    /// something else than was asked, with what. Its ids and fee are evidence.
    Contradicted(Status, Option<Mismatch>, OperatorDetails),
    /// The operator reported that the payer disputes the charge. The state stands.
    Disputed,
    /// A review decided a conflict or dispute of a final transaction: whether the merchant has the
    /// money (charge), or the recipient (payout). The state stands.
    CaseDecided(Status),
    /// People reviewed the transaction. The next event contains their decision.
    Reviewed {
        /// The person in the dashboard; `None` for one on the command line.
        by: Option<PersonName>,
        /// What the person has found, and where.
        note: DecisionNote,
    },
    /// A person approved the payout. The next event contains the new state.
    Approved {
        /// Who approved.
        by: PersonName,
        /// Who sends it, and how.
        route: PayoutRoute,
        /// Whether the key that asked for it was revoked by then. The person answers for it.
        is_key_revoked: bool,
    },
    /// An operator has its order, although it looked unsent: the database was restored from a
    /// backup that is older than the order. `approved` has what the lost approval chose, where one
    /// was needed.
    FoundAtOperator {
        /// Who sent it, and how.
        approved: Option<PayoutRoute>,
    },
    /// A person refused to approve the payout. The next event ends it.
    ApprovalRefused {
        /// Who refused.
        by: PersonName,
        /// Why the person refused, in 1 to 500 characters on one line.
        note: DecisionNote,
    },
    /// The operator sent a payout back after it had succeeded, which stands. Its ids and fee are
    /// evidence.
    Reversed(OperatorDetails),
    /// A refund of this charge began or ended. These are the sums of all its refunds now.
    RefundsChanged(RefundSums),
}

impl Event {
    /// [`Self::Moved`] without anything else from the operator.
    #[must_use]
    pub const fn moved(state: State) -> Self {
        Self::Moved(state, OperatorDetails::NONE)
    }
}
