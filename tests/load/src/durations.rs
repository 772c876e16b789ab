//! Durations and their percentiles.

use std::{fmt, time::Duration};

/// Durations. They are printed as median, 99th percentile and maximum.
#[derive(Clone, Debug, Default)]
pub struct Durations(Vec<Duration>);

impl Durations {
    pub fn add(&mut self, took: Duration) {
        self.0.push(took);
    }

    pub fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The percentile: this share of the durations is at most as long.
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted.get((sorted.len() * percent / 100).min(last)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Durations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, max] = [50, 99, 100].map(|percent| Milliseconds(self.percentile(percent)));
        write!(f, "p50 {p50}, p99 {p99}, max {max}")
    }
}

/// Prints milliseconds, with one decimal below ten.
#[derive(Clone, Copy, Debug)]
pub struct Milliseconds(pub Duration);

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_micros() {
            micros @ ..10_000 => write!(f, "{}.{} ms", micros / 1000, micros % 1000 / 100),
            micros => write!(f, "{} ms", micros / 1000),
        }
    }
}
