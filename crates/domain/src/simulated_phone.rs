//! Whether the simulated phone of test mode is served. Everybody who reaches it can approve test
//! payments, so it ends once a live key exists.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether the phone is served, shared by everything that asks. Once it has ended, it stays so.
#[derive(Clone, Debug)]
pub struct SimulatedPhone(Arc<AtomicBool>);

impl SimulatedPhone {
    /// Served until [`Self::end`], or never.
    #[must_use]
    pub fn new(is_served: bool) -> Self {
        Self(Arc::new(AtomicBool::new(is_served)))
    }

    /// Whether it is served.
    #[must_use]
    pub fn is_served(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Serves it no more, because a live key exists.
    pub fn end(&self) {
        if self.0.swap(false, Ordering::Relaxed) {
            tracing::warn!(
                "--sandbox-phone has ended: a live key exists, and test payments are decided \
                 without a phone"
            );
        }
    }
}
