//! Who sends a payout or refund, and how: what is chosen when it begins or, where it waits for a
//! person, when it is approved (docs/reference/operators.md#routing).

use crate::{TransactionId, pinned_operator::PinnedOperator, refund_values::RefundMethod};
use std::collections::HashMap;
use tua_contract::Network;

/// What is chosen for one payout or refund.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PayoutRoute {
    /// The operator; `None` for the sandbox.
    pub operator: Option<PinnedOperator>,
    /// The operator's fee by its tariff, in pesewas; `None` without a tariff.
    pub fee_pesewas: Option<i64>,
    /// How the money returns; of a refund only.
    pub refund_method: Option<RefundMethod>,
    /// The network on which it is sent, where its own has become a part of that one since it began.
    pub moved_to: Option<Network>,
}

/// What is chosen for each of several payouts.
pub type PayoutRoutes = HashMap<TransactionId, PayoutRoute>;
