//! What becomes due on the virtual clock.

use crate::{callback::Callback, operator::Operator, order::OrderId, phase::Phase};
use jiff::Timestamp;

/// An event that the clock keeps until its moment.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The outcome of an order is due.
    FinishOrder {
        order: OrderId,
        phase: Phase,
        /// When the outcome was due at the time of planning. The event has no effect if a person
        /// has decided the order or moved its outcome since.
        due: Timestamp,
    },
    /// The operator begins to process an order, unless it is no longer [`Phase::Accepted`].
    ProcessOrder { order: OrderId },
    /// A callback is sent for the first time, or again after `attempt - 1` failures.
    SendCallback { callback: Callback, attempt: u32 },
    /// The operator's callback that waits for the next one is sent, because none came.
    SendHeldCallback { operator: Operator },
    /// A task of the operator's own, which its protocol identifies by this text.
    RunTask { operator: Operator, task: String },
}
