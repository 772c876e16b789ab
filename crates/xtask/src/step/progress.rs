//! Progress on the screen.

use super::running::Running;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitStatus;
use std::time::Instant;

/// Without a terminal, how often a running step is reported, in seconds.
const REMINDER_INTERVAL_S: u64 = 20;

/// One line that is redrawn on a terminal; plain lines elsewhere.
pub(super) struct Progress {
    is_terminal: bool,
    width: usize,
    reminded_at: Instant,
}

impl Progress {
    pub(super) fn new() -> Self {
        let width = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
        Self { is_terminal: io::stderr().is_terminal(), width, reminded_at: Instant::now() }
    }

    pub(super) fn begin(&self, step: &Running) {
        if !self.is_terminal {
            let about = step
                .about_s
                .map(|about| format!(" (about {about} s the first time)"))
                .unwrap_or_default();
            eprintln!("  … {}{about}", step.title);
        }
    }

    pub(super) fn draw(&mut self, running: &[Running]) {
        let unfinished = || running.iter().filter(|step| step.ended.is_none());
        if self.is_terminal {
            let columns = self.width.saturating_sub(4) / unfinished().count().max(1);
            let line: Vec<String> =
                unfinished().map(|step| cut(&step.line(), columns.saturating_sub(3))).collect();
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K  … {}", line.join(" | "));
            let _ = err.flush();
        } else if self.reminded_at.elapsed().as_secs() >= REMINDER_INTERVAL_S {
            self.reminded_at = Instant::now();
            for step in unfinished() {
                eprintln!("    {}", step.line());
            }
        }
    }

    pub(super) fn end(&self, step: &Running, status: ExitStatus) {
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

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width { text.to_owned() } else { text.chars().take(width).collect() }
}

/// The last line of a log that is not empty.
pub(super) fn last_line(log: &Path) -> String {
    const WINDOW: u64 = 2048;
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(log)?;
        let from = file.metadata()?.len().saturating_sub(WINDOW);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(WINDOW).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().unwrap_or_default();
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
