//! The progress of running steps, on standard error.

use super::running::RunningStep;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitStatus;
use std::time::Instant;

/// The interval between two reports about the running steps where there is no terminal, in
/// seconds.
const REPORT_INTERVAL_S: u64 = 20;

/// Writes one line that is redrawn on a terminal, and one line for each report elsewhere.
pub(super) struct Progress {
    is_terminal: bool,
    width: usize,
    last_report_at: Instant,
}

impl Progress {
    pub(super) fn new() -> Self {
        let width = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
        Self { is_terminal: io::stderr().is_terminal(), width, last_report_at: Instant::now() }
    }

    pub(super) fn begin(&self, step: &RunningStep) {
        if !self.is_terminal {
            let estimate = step
                .estimate_s
                .map(|seconds| format!(" (about {seconds} s the first time)"))
                .unwrap_or_default();
            eprintln!("  … {}{estimate}", step.title);
        }
    }

    pub(super) fn draw(&mut self, running: &[RunningStep]) {
        let unfinished = || running.iter().filter(|step| step.ended.is_none());
        if self.is_terminal {
            let columns = self.width.saturating_sub(4) / unfinished().count().max(1);
            let line: Vec<String> = unfinished()
                .map(|step| truncate(&status_line(step), columns.saturating_sub(3)))
                .collect();
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K  … {}", line.join(" | "));
            let _ = err.flush();
        } else if self.last_report_at.elapsed().as_secs() >= REPORT_INTERVAL_S {
            self.last_report_at = Instant::now();
            for step in unfinished() {
                eprintln!("    {}", status_line(step));
            }
        }
    }

    pub(super) fn end(&self, step: &RunningStep, status: ExitStatus) {
        self.clear();
        let mark = if status.success() { "✓" } else { "✗" };
        eprintln!("  {mark} {} ({} s)", step.title, step.started.elapsed().as_secs());
    }

    pub(super) fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[2K");
        }
    }
}

/// A step's title, the seconds since its start and the last line of its log.
fn status_line(step: &RunningStep) -> String {
    let seconds = step.started.elapsed().as_secs();
    let estimate = step.estimate_s.map(|total| format!(" of about {total}")).unwrap_or_default();
    format!("{} · {seconds}{estimate} s · {}", step.title, last_line(&step.log))
}

/// The first `width` characters of a text.
pub fn truncate(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// The last line of a log that is not empty, or `starting` if there is none.
fn last_line(log: &Path) -> String {
    const TAIL_BYTES: u64 = 2048;
    let read_tail = || -> io::Result<Vec<u8>> {
        let mut file = File::open(log)?;
        let from = file.metadata()?.len().saturating_sub(TAIL_BYTES);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read_tail().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let line = text
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("starting")
        .to_owned();
    line.chars().filter(|c| !c.is_control()).collect()
}
