//! How long things took.

use std::{fmt, time::Duration};

/// Many durations, of which the median, the slowest hundredth and the slowest are told.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn add(&mut self, took: Duration) {
        self.0.push(took);
    }

    pub fn absorb(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The duration that so many percent stay within.
    pub fn within(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted.get((sorted.len() * percent / 100).min(last)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, most] = [50, 99, 100].map(|percent| Milliseconds(self.within(percent)));
        write!(f, "p50 {p50}, p99 {p99}, max {most}")
    }
}

/// With one decimal below ten.
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
