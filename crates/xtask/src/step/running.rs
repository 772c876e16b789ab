//! Running steps: waiting for them and ending them.

use super::progress::{Progress, last_line};
use super::{Failure, POLL_INTERVAL, StepOutput};
use crate::fault::{Fault, Result, fault};
use crate::interrupt;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How long a step may take to end after SIGTERM.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// A step that was started.
pub(super) struct RunningStep {
    pub(super) title: String,
    pub(super) estimate_s: Option<u32>,
    pub(super) child: Child,
    pub(super) log: PathBuf,
    pub(super) started: Instant,
    pub(super) ended: Option<ExitStatus>,
}

impl RunningStep {
    pub(super) fn result(self) -> std::result::Result<StepOutput, Failure> {
        let log = fs::read(&self.log)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default();
        match self.ended {
            Some(status) if status.success() => Ok(StepOutput { log }),
            Some(status) => Err(Failure {
                title: self.title,
                log,
                log_path: self.log,
                status: status.to_string(),
            }),
            None => Err(Failure {
                title: self.title,
                log,
                log_path: self.log,
                status: "still running".into(),
            }),
        }
    }

    /// Whether it returned an exit code, and was not ended by a signal of [`stop`].
    pub(super) fn has_failed_by_itself(&self) -> bool {
        self.ended.is_some_and(|status| !status.success() && status.code().is_some())
    }

    /// The step's title, the seconds since its start and the last line of its log.
    pub(super) fn status_line(&self) -> String {
        let seconds = self.started.elapsed().as_secs();
        let estimate =
            self.estimate_s.map(|total| format!(" of about {total}")).unwrap_or_default();
        format!("{} · {seconds}{estimate} s · {}", self.title, last_line(&self.log))
    }
}

impl std::fmt::Debug for RunningStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningStep").field("title", &self.title).finish_non_exhaustive()
    }
}

/// Waits for all of them and shows progress. A failure or Ctrl-C stops the rest.
pub(super) fn watch(running: &mut [RunningStep]) -> Result<()> {
    let mut progress = Progress::new();
    for step in running.iter() {
        progress.begin(step);
    }
    let mut stopping_since: Option<Instant> = None;
    loop {
        let mut failed = false;
        for step in running.iter_mut() {
            if step.ended.is_some() {
                continue;
            }
            let waited = step.child.try_wait().map_err(|e| fault!("{}: {e}", step.title))?;
            if let Some(status) = waited {
                interrupt::forget(step.child.id());
                step.ended = Some(status);
                progress.end(step, status);
                failed |= !status.success();
            }
        }
        if running.iter().all(|step| step.ended.is_some()) {
            break;
        }
        if stopping_since.is_none() && (failed || interrupt::is_interrupted()) {
            stopping_since = Some(Instant::now());
            for step in running.iter().filter(|step| step.ended.is_none()) {
                interrupt::terminate(step.child.id());
            }
        }
        if stopping_since.is_some_and(|since| since.elapsed() > STOP_TIMEOUT) {
            for step in running.iter().filter(|step| step.ended.is_none()) {
                interrupt::kill(step.child.id());
            }
        }
        progress.draw(running);
        thread::sleep(POLL_INTERVAL);
    }
    progress.clear();
    if interrupt::is_interrupted() { Err(Fault::Interrupted) } else { Ok(()) }
}

/// Ends all of them: SIGTERM first, SIGKILL after [`STOP_TIMEOUT`].
pub(super) fn stop(running: &mut [RunningStep]) {
    for step in running.iter_mut() {
        interrupt::terminate(step.child.id());
    }
    for step in running.iter_mut() {
        let since = Instant::now();
        while step.ended.is_none() {
            match step.child.try_wait() {
                Ok(Some(status)) => step.ended = Some(status),
                Ok(None) if since.elapsed() > STOP_TIMEOUT => interrupt::kill(step.child.id()),
                Ok(None) => thread::sleep(POLL_INTERVAL),
                Err(_) => break,
            }
        }
        // A browser that a driver started may outlive the driver.
        interrupt::kill(step.child.id());
        interrupt::forget(step.child.id());
    }
}
