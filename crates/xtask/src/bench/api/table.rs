//! The table of results.

use super::usage::Usage;
use super::workload::Workload;
use super::wrk::RunResult;
use std::time::Duration;

/// A run, and what it cost.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    pub run: RunResult,
    pub usage: Usage,
}

impl Measured {
    /// The run with the median rate.
    pub fn median(mut runs: Vec<Self>) -> Self {
        runs.sort_unstable_by_key(|measured| measured.run.rate);
        runs[runs.len() / 2]
    }

    /// Processor time per request, or per whole payment.
    fn processor(&self) -> Duration {
        let count = u32::try_from(self.run.finished.max(1)).unwrap_or(u32::MAX);
        self.usage.processor / count
    }

    /// Bytes per request, or per whole payment.
    fn written(&self) -> u64 {
        self.usage.written / self.run.finished.max(1)
    }

    /// Syncs per thousand requests, or whole payments.
    fn syncs(&self) -> Option<u64> {
        self.usage.syncs.map(|syncs| syncs * 1_000 / self.run.finished.max(1))
    }
}

pub fn print_head() {
    println!(
        "{:51} {:>7} {:>9} {:>9} {:>9} {:>8} {:>7} {:>6} {:>6} {:>6} {:>6}",
        "",
        "/s",
        "p50 ms",
        "p99 ms",
        "p99.9 ms",
        "cpu µs",
        "bytes",
        "s/1000",
        "rate",
        "cpu",
        "bytes"
    );
}

/// A row, with ratios to the reference.
pub fn print_row(
    server: &str,
    workload: Workload,
    measured: &Measured,
    reference: Option<&Measured>,
) {
    let Measured { run, .. } = measured;
    let title = format!("{server}: {}", workload.title());
    let [p50, p99, p999] = [run.p50, run.p99, run.p999].map(milliseconds);
    let syncs = measured.syncs().map_or_else(|| "-".to_owned(), |syncs| syncs.to_string());
    let ratios = reference.map_or_else(String::new, |reference| {
        let theirs = reference.run.rate;
        let processor = [measured, reference].map(|of| of.processor().as_nanos());
        format!(
            "{:>6} {:>6} {:>6}",
            percent(run.rate.into(), theirs.into()),
            percent(processor[0], processor[1]),
            percent(measured.written().into(), reference.written().into()),
        )
    });
    println!(
        "{title:51} {:>7} {p50:>9} {p99:>9} {p999:>9} {:>8} {:>7} {syncs:>6} {ratios}",
        run.rate,
        measured.processor().as_micros(),
        measured.written(),
    );
}

fn milliseconds(time: Duration) -> String {
    format!("{}.{:02}", time.as_millis(), time.subsec_micros() % 1000 / 10)
}

fn percent(ours: u128, theirs: u128) -> String {
    (ours * 100).checked_div(theirs).map_or_else(|| "-".to_owned(), |part| format!("{part} %"))
}
