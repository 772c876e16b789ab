//! What the service uses, minute by minute, and whether it grows.

use crate::{
    durations::{Durations, Milliseconds},
    service::{Service, Shop},
};
use anyhow::{Result, ensure};
use std::{fmt, time::Duration};

/// How much more than at the beginning the service may use at the end, in percent. The database
/// grows with the payments, so its bytes for each payment count.
const LIMIT_PERCENT: u64 = 120;

/// What a minute needed.
#[derive(Debug)]
pub(super) struct Sample {
    minute: u64,
    /// The memory at the end of the minute, in KiB.
    memory_kib: u64,
    /// The open files and connections.
    handles: u64,
    /// The size of the write-ahead log, in KiB.
    wal_kib: u64,
    /// The size of the database, in KiB.
    database_kib: u64,
    charges: u64,
    charge_p99: Duration,
    page_p95: Duration,
}

impl Sample {
    pub(super) const HEADINGS: &str =
        "minute  memory KiB  handles   WAL KiB  database KiB  charges  charge p99  page p95";

    pub(super) fn take(
        service: &Service,
        shop: &Shop,
        minute: u64,
        charges: Durations,
        pages: Durations,
    ) -> Result<Self> {
        Ok(Self {
            minute,
            memory_kib: service.memory()?.resident,
            handles: service.handles()?,
            wal_kib: shop.log_size()? >> 10,
            database_kib: shop.database_size()? >> 10,
            charges: u64::try_from(charges.len())?,
            charge_p99: charges.percentile(99),
            page_p95: pages.percentile(95),
        })
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>6}  {:>10}  {:>7}  {:>8}  {:>12}  {:>7}  {:>10}  {:>8}",
            self.minute,
            self.memory_kib,
            self.handles,
            self.wal_kib,
            self.database_kib,
            self.charges,
            Milliseconds(self.charge_p99).to_string(),
            Milliseconds(self.page_p95).to_string()
        )
    }
}

/// Reads one figure of a sample.
type Figure = fn(&Sample) -> u64;

/// The samples of one life of the service.
#[derive(Debug, Default)]
pub(super) struct Samples(Vec<Sample>);

impl Samples {
    pub(super) fn add(&mut self, sample: Sample) {
        self.0.push(sample);
    }

    /// Prints the last quarter in percent of the first one. The first minute is left out: it opens
    /// connections and fills caches.
    ///
    /// # Errors
    /// Memory, handles or the log have grown.
    pub(super) fn compare(&self) -> Result<()> {
        let counted = self.0.get(1..).unwrap_or_default();
        let quarter = (counted.len() / 4).max(1);
        let first = counted.get(..quarter).unwrap_or_default();
        let last = counted.get(counted.len().saturating_sub(quarter)..).unwrap_or_default();
        let percent = |of: Figure| median(last, of) * 100 / median(first, of).max(1);
        println!(
            "charge p99 {} % and page p95 {} % of the first quarter of this life",
            percent(|sample| micros(sample.charge_p99)),
            percent(|sample| micros(sample.page_p95))
        );
        let mut grown = Vec::new();
        let bounded: [(&str, Figure); 3] = [
            ("memory", |sample| sample.memory_kib),
            ("handles", |sample| sample.handles),
            ("WAL", |sample| sample.wal_kib),
        ];
        for (name, of) in bounded {
            println!("{name} {} %", percent(of));
            if percent(of) > LIMIT_PERCENT {
                grown.push(name);
            }
        }
        if let Some((begin, end)) = counted.first().zip(counted.last()) {
            let charges: u64 = counted.iter().skip(1).map(|sample| sample.charges).sum();
            let bytes = end.database_kib.saturating_sub(begin.database_kib) << 10;
            println!("{} bytes of the database for each charge", bytes / charges.max(1));
        }
        ensure!(grown.is_empty(), "grown above {LIMIT_PERCENT} %: {}", grown.join(", "));
        Ok(())
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn median(samples: &[Sample], of: Figure) -> u64 {
    let mut values: Vec<u64> = samples.iter().map(of).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
