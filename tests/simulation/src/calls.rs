//! Counts the calls of the store that are under way.

use async_trait::async_trait;
use std::sync::atomic::{AtomicU64, Ordering};
use tua_domain::ports::StoreError;
use tua_store::fault_injection::FaultInjector;

/// The calls of the store's ports. It injects no faults: those of the disk are realistic.
#[derive(Debug, Default)]
pub struct StoreCalls {
    begun: AtomicU64,
    ended: AtomicU64,
}

impl StoreCalls {
    /// How many calls have begun.
    #[must_use]
    pub fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Whether a call has not ended. One that was cancelled never ends.
    #[must_use]
    pub fn are_under_way(&self) -> bool {
        self.begun() > self.ended.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl FaultInjector for StoreCalls {
    async fn before(&self, _: &'static str) -> Result<(), StoreError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn after(&self, _: &'static str) -> Result<(), StoreError> {
        self.ended.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}
