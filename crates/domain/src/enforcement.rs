//! Whether rate limits are enforced. `--limits off` lifts them for tests and benchmarks, until a
//! live key exists.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether rate limits are enforced, shared by everything that enforces one. Once they are, they
/// stay so.
#[derive(Clone, Debug)]
pub struct Enforcement(Arc<AtomicBool>);

impl Enforcement {
    /// Enforced from the start, or lifted until [`Self::begin`].
    #[must_use]
    pub fn new(is_enforced: bool) -> Self {
        Self(Arc::new(AtomicBool::new(is_enforced)))
    }

    /// Whether limits are enforced.
    #[must_use]
    pub fn is_enforced(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Enforces limits from now on, because a live key exists.
    pub fn begin(&self) {
        if !self.0.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "--limits off has ended: a live key exists, and the default limits apply from now \
                 on"
            );
        }
    }
}
