//! Review: people decide what no operator has decided within a day (docs/reference/lifecycle.md).

use super::{Transaction, poll_schedule::PollSchedule, string_enum};
use jiff::{SignedDuration, Timestamp};
use std::cmp::Ordering;
use tua_contract::{Amount, FailureCode, Status, lifecycle::Observation};

pub use super::{decision_text::DecisionNote, finding::Attention};

/// A transaction that waits for review.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlaggedTransaction {
    /// The transaction as it stands now.
    pub transaction: Transaction,
    /// Why people must look at the transaction.
    pub case: Case,
    /// Since when the transaction has waited for a review.
    pub at: Timestamp,
}

string_enum! {
    /// Why a transaction waits for review.
    pub enum Case {
        /// It is pending, and its operator has not reported an outcome within a day.
        Undecided = "undecided",
        /// It is pending, and its operator is no longer in the settings, so no status can be
        /// queried.
        Unserved = "unserved",
        /// It is a refund that was not sent, because the operator of the charge does not confirm
        /// that it has the money.
        Blocked = "blocked",
        /// It is pending, and its operator waits for a person of the merchant.
        NeedsAttention = "needs_attention",
        /// It is a refund that its operator refused, for a reason that does not prove whether the
        /// money has returned.
        RefundInDoubt = "refund_in_doubt",
        /// It is pending, and its operator reported a success for something else than was asked.
        Mismatch = "mismatch",
        /// It is final, and its operator reported the opposite.
        Conflict = "conflict",
        /// The payer disputes the charge.
        Dispute = "dispute",
    }
}

/// When and why a transaction was flagged for review.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// When it was flagged, for whatever reason.
    pub review_at: Option<Timestamp>,
    /// When the service found that the settings no longer have its operator.
    pub unserved_at: Option<Timestamp>,
    /// What its operator's report asks people to do.
    pub attention: Option<Attention>,
    /// By how much the sandbox clock was advanced since its hand-over. Zero, except in test mode.
    pub clock_advance: SignedDuration,
}

impl Flags {
    /// Why a transaction waits for review while it is pending, and since when; `None` if it does
    /// not.
    #[must_use]
    pub fn pending_case(self, transaction: &Transaction) -> Option<(Case, Timestamp)> {
        let at = self.review_at.filter(|_| !transaction.state.is_final())?;
        let case = match transaction.handed_over_at {
            _ if transaction.mismatch.is_some() => Case::Mismatch,
            // Only a refund is flagged although it was not sent.
            None => Case::Blocked,
            Some(_) if self.unserved_at.is_some() => Case::Unserved,
            Some(_) if self.attention == Some(Attention::CheckRefund) => Case::RefundInDoubt,
            // The schedule flags it later.
            Some(handed_over_at)
                if at < PollSchedule::review_at(handed_over_at - self.clock_advance) =>
            {
                Case::NeedsAttention
            }
            Some(_) => Case::Undecided,
        };
        Some((case, at))
    }
}

impl FlaggedTransaction {
    /// A transaction that was flagged, or whose conflict or dispute is undecided; else `None`.
    #[must_use]
    pub fn of(transaction: Transaction, flags: Flags) -> Option<Self> {
        let flagged = flags.pending_case(&transaction);
        let conflict = || transaction.open_conflict().map(|at| (Case::Conflict, at));
        let dispute = || transaction.open_dispute().map(|at| (Case::Dispute, at));
        let (case, at) = flagged.or_else(conflict).or_else(dispute)?;
        Some(Self { transaction, case, at })
    }

    /// The order in which people see them.
    #[must_use]
    pub fn oldest_first(a: &Self, b: &Self) -> Ordering {
        (a.at, &a.transaction.order.id).cmp(&(b.at, &b.transaction.order.id))
    }
}

/// The outcome that a review found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReviewVerdict {
    /// The money has moved.
    Successful,
    /// The operator reported a success for something else than was asked; this sum has moved.
    SuccessfulFor(Amount),
    /// The money has not moved, and will not.
    Failed(FailureCode),
    /// The operator reported a success for something else than was asked. This sum has moved, but
    /// the payment fails: a conflict.
    FailedDespite(FailureCode, Amount),
}

impl ReviewVerdict {
    /// The observation that an operator's final status would have been.
    #[must_use]
    pub const fn as_observation(self) -> Observation {
        match self {
            Self::Successful | Self::SuccessfulFor(_) => Observation::Succeeded,
            Self::Failed(code) | Self::FailedDespite(code, _) => Observation::Failed(code),
        }
    }

    /// The status that it finds.
    #[must_use]
    pub const fn status(self) -> Status {
        match self {
            Self::Successful | Self::SuccessfulFor(_) => Status::Successful,
            Self::Failed(_) | Self::FailedDespite(..) => Status::Failed,
        }
    }
}
