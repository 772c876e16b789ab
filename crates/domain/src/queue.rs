//! Queues of due work: one for each mode, direction and operator.

use super::{Kind, Mode, pinned_operator::OperatorFingerprint};

/// The transactions of one mode, direction and operator that are due to be sent or asked about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Queue {
    /// Whether the transactions are tests or move real money.
    pub mode: Mode,
    /// Whether the transactions are charges, or payouts and refunds.
    pub kind: Kind,
    /// The operator; `None` for the sandbox.
    pub operator: Option<OperatorFingerprint>,
}

impl Queue {
    /// How rows name the operator: empty where there is none.
    #[must_use]
    pub fn operator_column(&self) -> &str {
        self.operator.as_ref().map_or("", OperatorFingerprint::as_str)
    }
}
