//! When the service does something next about a pending transaction.

use crate::review::Flags;
use jiff::Timestamp;

/// The times that explain why a transaction is pending.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaitingTimes {
    /// When the operator is asked for the status next.
    pub ask_at: Option<Timestamp>,
    /// When the order is sent, or sent again.
    pub send_at: Option<Timestamp>,
    /// When the operator first responded that it has the order.
    pub acknowledged_at: Option<Timestamp>,
    /// When the transaction was reported as delayed.
    pub delayed_at: Option<Timestamp>,
    /// When it was flagged for review.
    pub flags: Flags,
    /// When it ends without an approval.
    pub approval_due: Option<Timestamp>,
}
