//! A step that was started.

use super::failure::Failure;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::time::Instant;

/// The output of a step that succeeded: its standard output and error, in the order of writing.
#[derive(Debug)]
pub struct StepOutput {
    pub log: String,
}

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

    /// Whether it returned an exit code, and was not ended by a signal of `stop`.
    pub(super) fn has_failed_by_itself(&self) -> bool {
        self.ended.is_some_and(|status| !status.success() && status.code().is_some())
    }
}

impl std::fmt::Debug for RunningStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningStep").field("title", &self.title).finish_non_exhaustive()
    }
}
