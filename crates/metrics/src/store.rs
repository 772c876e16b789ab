//! The metrics of the store's writes.

use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};
use std::time::Duration;

/// The metrics of the store's writer. Clones share their values.
#[derive(Clone, Debug)]
pub struct StoreMetrics {
    queued: Gauge,
    batch: Histogram,
    commit: Histogram,
    failed: Counter,
}

impl Default for StoreMetrics {
    fn default() -> Self {
        Self {
            queued: Gauge::default(),
            batch: Histogram::new([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0]),
            commit: Histogram::new([
                0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0,
            ]),
            failed: Counter::default(),
        }
    }
}

impl StoreMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "store_queue",
            "Writes waiting for the writer thread (SQLite) or their batch (PostgreSQL)",
            self.queued.clone(),
        );
        registry.register("store_batch", "Writes per commit", self.batch.clone());
        let help = "Time from a write transaction's BEGIN until its commit is durable";
        registry.register_with_unit(
            "store_commit_duration",
            help,
            Unit::Seconds,
            self.commit.clone(),
        );
        registry.register(
            "store_commit_failures",
            "Write transactions that could not be committed",
            self.failed.clone(),
        );
    }

    /// Counts a write as queued until the returned guard is dropped.
    #[must_use]
    pub fn queued(&self) -> Queued {
        self.queued.inc();
        Queued(self.queued.clone())
    }

    /// Records the outcome of one commit: its number of writes, its duration, and whether it
    /// failed.
    pub fn committed(&self, writes: u32, took: Duration, failed: bool) {
        self.batch.observe(writes.into());
        self.commit.observe(took.as_secs_f64());
        self.failed.inc_by(u64::from(failed));
    }
}

/// Counts one write as queued until it is dropped.
#[derive(Debug)]
pub struct Queued(Gauge);

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.dec();
    }
}
