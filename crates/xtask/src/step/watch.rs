//! Waiting for running steps, and ending them.

use super::progress::Progress;
use super::running::RunningStep;
use crate::fault::{Fault, Result, fault};
use crate::interrupt;
use std::thread;
use std::time::{Duration, Instant};

/// The interval between two looks at whether a program has ended.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long a step may take to end after SIGTERM.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

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
