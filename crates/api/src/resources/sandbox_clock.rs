//! An advance of the sandbox clock as responses show it.

use serde::Serialize;
use tua_domain::sandbox_clock::{BecameDue, ClockAdvance};
use utoipa::ToSchema;

/// An advance of the sandbox clock, and what has become due. It is done within about a second.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AdvancedSandboxClock)]
pub struct AdvancedClockView {
    /// By how many seconds the clock was advanced.
    #[schema(minimum = 1, maximum = 31_622_400)]
    seconds: i64,
    due: BecameDueView,
}

/// What an advance of the sandbox clock has made due.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BecameDue)]
struct BecameDueView {
    /// Checkout sessions whose time has ended.
    #[schema(minimum = 0)]
    checkouts: u64,
    /// Payment links whose time has ended.
    #[schema(minimum = 0)]
    links: u64,
    /// Payouts and refunds that nobody approved in time.
    #[schema(minimum = 0)]
    approvals: u64,
    /// Pending payments about which the sandbox is asked.
    #[schema(minimum = 0)]
    payments: u64,
    /// Pending payments that are announced as delayed.
    #[schema(minimum = 0)]
    delayed: u64,
    /// Webhook deliveries that failed and are sent again.
    #[schema(minimum = 0)]
    deliveries: u64,
}

impl AdvancedClockView {
    /// An advance by this time, which made this due.
    #[must_use]
    pub const fn new(by: ClockAdvance, due: BecameDue) -> Self {
        let BecameDue { links, checkouts, approvals, payments, delayed, deliveries } = due;
        let due = BecameDueView { checkouts, links, approvals, payments, delayed, deliveries };
        Self { seconds: by.seconds(), due }
    }
}
