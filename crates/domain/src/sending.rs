//! When the order of a new transaction is sent to its operator.

use super::pinned_operator::PinnedOperator;
use jiff::Timestamp;

/// When the order of a new transaction is sent to its operator (docs/reference/lifecycle.md,
/// Handing over).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sending {
    /// Right after the commit, which therefore marks the order as handed over.
    AtOnce {
        /// When the operator is asked about it for the first time.
        first_query_at: Timestamp,
        /// The operator that was chosen; none for the sandbox.
        operator: Option<PinnedOperator>,
    },
    /// Later, by [`crate::ports::HandOvers::hand_over`]. Until then the operator is not asked
    /// about it.
    Later {
        /// When the worker looks at it: to send it, or to end it where it may not be sent any more.
        send_at: Timestamp,
        /// The operator, where it was chosen with the transaction.
        operator: Option<PinnedOperator>,
    },
    /// Later, after a person has approved it. Until then no worker looks at it, but to end it.
    AfterApproval {
        /// When it ends without an approval.
        until: Timestamp,
    },
}

impl Sending {
    /// Whether the order is marked as handed over in the commit that begins the transaction.
    #[must_use]
    pub const fn is_at_once(&self) -> bool {
        matches!(self, Self::AtOnce { .. })
    }

    /// When the operator is asked for the first time; `None` where the order is sent later.
    #[must_use]
    pub const fn first_query_at(&self) -> Option<Timestamp> {
        match self {
            Self::AtOnce { first_query_at, .. } => Some(*first_query_at),
            Self::Later { .. } | Self::AfterApproval { .. } => None,
        }
    }

    /// When the worker looks at an order that is sent later.
    #[must_use]
    pub const fn send_at(&self) -> Option<Timestamp> {
        match self {
            Self::AtOnce { .. } | Self::AfterApproval { .. } => None,
            Self::Later { send_at, .. } => Some(*send_at),
        }
    }

    /// When it ends without an approval; `None` where none is needed.
    #[must_use]
    pub const fn approval_due(&self) -> Option<Timestamp> {
        match self {
            Self::AtOnce { .. } | Self::Later { .. } => None,
            Self::AfterApproval { until } => Some(*until),
        }
    }

    /// The operator that was chosen with the transaction.
    #[must_use]
    pub const fn operator(&self) -> Option<&PinnedOperator> {
        match self {
            Self::AtOnce { operator, .. } | Self::Later { operator, .. } => operator.as_ref(),
            Self::AfterApproval { .. } => None,
        }
    }
}
