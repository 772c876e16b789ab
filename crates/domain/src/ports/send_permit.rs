//! The permission to send one order.

use super::Clock;
use jiff::SignedDuration;
use std::{sync::Arc, time::Duration};

/// The permission to send one order, until a deadline. A connector checks it right before it writes
/// the first byte of the order: after a pause of the process or of the machine, another node may
/// have sent the order since.
#[derive(Clone, Debug)]
pub struct SendPermit {
    clock: Arc<dyn Clock>,
    /// By [`Clock::uptime`], which counts the time while the machine is suspended.
    deadline: Duration,
}

impl SendPermit {
    /// A permission that is valid for this long from now on.
    #[must_use]
    pub fn new(clock: &Arc<dyn Clock>, valid_for: Duration) -> Self {
        Self { clock: clock.clone(), deadline: clock.uptime() + valid_for }
    }

    /// A permission that is valid for this long from now on, but not longer than this one.
    #[must_use]
    pub fn at_most(&self, valid_for: Duration) -> Self {
        let deadline = self.deadline.min(self.clock.uptime() + valid_for);
        Self { clock: self.clock.clone(), deadline }
    }

    /// Whether the order may be sent now. If not, the connector returns
    /// [`super::SendResponse::NotSent`].
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.clock.uptime() < self.deadline
    }

    /// How long it is still valid; zero after the deadline.
    #[must_use]
    pub fn remaining(&self) -> SignedDuration {
        let remaining = self.deadline.saturating_sub(self.clock.uptime());
        remaining.try_into().unwrap_or(SignedDuration::MAX)
    }
}
