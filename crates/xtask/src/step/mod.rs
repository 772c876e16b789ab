//! A step: one program that runs in the background, its output in a log, one line of progress on
//! the screen.

mod failure;
mod progress;
mod running;
mod watch;

pub use self::failure::Failure;
pub use self::progress::truncate;
use self::running::RunningStep;
pub use self::running::StepOutput;
use self::watch::{POLL_INTERVAL, stop, watch};
use crate::fault::{Fault, Result, fault};
use crate::{interrupt, paths};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program to run.
#[derive(Debug)]
pub struct Step {
    title: String,
    estimate_s: Option<u32>,
    command: Command,
    is_uninterruptible: bool,
}

/// How a step ended.
#[derive(Debug)]
pub enum StepEnd {
    Succeeded(StepOutput),
    Failed(Failure),
}

impl Step {
    pub fn new(title: impl Into<String>, program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(paths::root()).stdin(Stdio::null()).env("CARGO_TERM_COLOR", "never");
        Self { title: title.into(), estimate_s: None, command, is_uninterruptible: false }
    }

    /// A command of cargo that takes dependencies from Cargo.lock only, and fails where it would
    /// change it.
    pub fn cargo(title: impl Into<String>, command: &str) -> Self {
        Self::new(title, "cargo").args([command, "--locked"])
    }

    /// A script with tests of `node:test`. Its log ends with the summary that `test::count` reads,
    /// in plain text also where `FORCE_COLOR` asks for colours.
    pub fn node_tests(title: impl Into<String>, script: &Path) -> Self {
        let step = Self::new(title, "node").without_env("FORCE_COLOR");
        step.args([OsStr::new("--test-reporter=spec"), script.as_os_str()])
    }

    /// Sets the estimate of how many seconds the step takes on 2 cores, the first time.
    pub fn about(mut self, seconds: u32) -> Self {
        self.estimate_s = Some(seconds);
        self
    }

    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    pub fn without_env(mut self, key: &str) -> Self {
        self.command.env_remove(key);
        self
    }

    pub fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Ctrl-C waits until this step has ended, because a half-finished one would leave something
    /// broken.
    pub fn uninterruptible(mut self) -> Self {
        self.is_uninterruptible = true;
        self
    }

    pub fn run(self) -> Result<StepOutput> {
        let mut all = together(vec![self])?;
        all.pop().ok_or_else(|| fault!("no step was run"))
    }

    /// Runs it until it ends. A program that cannot start and
    /// Ctrl-C are faults.
    pub fn try_run(self) -> Result<StepEnd> {
        let mut running = vec![self.spawn()?];
        watch(&mut running)?;
        let only = running.pop().ok_or_else(|| fault!("no step was run"))?;
        Ok(match only.result() {
            Ok(done) => StepEnd::Succeeded(done),
            Err(failure) => StepEnd::Failed(failure),
        })
    }

    /// Starts it and returns at once. Dropping the returned value ends it.
    pub fn start(self) -> Result<Background> {
        Ok(Background(self.spawn()?))
    }

    fn spawn(mut self) -> Result<RunningStep> {
        if interrupt::is_interrupted() {
            return Err(Fault::Interrupted);
        }
        let log = log_path(&self.title)?;
        let out = File::create(&log).map_err(|e| fault!("{}: {e}", paths::shown(&log)))?;
        let err = out.try_clone().map_err(|e| fault!("{}: {e}", paths::shown(&log)))?;
        let program = self.command.get_program().to_string_lossy().into_owned();
        let child = self
            .command
            .stdout(out)
            .stderr(err)
            .process_group(0)
            .spawn()
            .map_err(|e| fault!("{}: cannot start `{program}`: {e}", self.title))?;
        if !self.is_uninterruptible {
            interrupt::adopt(child.id());
        }
        Ok(RunningStep {
            title: self.title,
            estimate_s: self.estimate_s,
            child,
            log,
            started: Instant::now(),
            ended: None,
        })
    }
}

/// Runs steps concurrently, and stops all of them when one fails.
pub fn together(steps: Vec<Step>) -> Result<Vec<StepOutput>> {
    let mut running = Vec::new();
    for step in steps {
        match step.spawn() {
            Ok(started) => running.push(started),
            Err(fault) => {
                stop(&mut running);
                return Err(fault);
            }
        }
    }
    watch(&mut running)?;
    // Report the step that failed by itself, not those that were stopped because of it.
    let first_failed = running.iter().position(RunningStep::has_failed_by_itself);
    if let Some(index) = first_failed {
        return match running.swap_remove(index).result() {
            Err(failure) => Err(failure.into_fault()),
            Ok(done) => Ok(vec![done]),
        };
    }
    running.into_iter().map(|step| step.result().map_err(Failure::into_fault)).collect()
}

/// A program that runs while the next steps run. Dropping it ends it.
#[derive(Debug)]
pub struct Background(RunningStep);

impl Background {
    pub fn title(&self) -> &str {
        &self.0.title
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.0.child.id()
    }

    /// The path of its log.
    pub fn log(&self) -> String {
        paths::shown(&self.0.log)
    }

    /// Waits until a line of its output begins with `prefix`, and returns the rest of that line.
    pub fn wait_for_line(&mut self, prefix: &str, deadline: Duration) -> Result<String> {
        let started = Instant::now();
        loop {
            let log = fs::read_to_string(&self.0.log).unwrap_or_default();
            if let Some(rest) = log.lines().find_map(|line| line.strip_prefix(prefix)) {
                return Ok(rest.trim().to_owned());
            }
            if interrupt::is_interrupted() {
                return Err(Fault::Interrupted);
            }
            let ended = matches!(self.0.child.try_wait(), Ok(Some(_)));
            if ended || started.elapsed() > deadline {
                let why = if ended { "ended before it was ready" } else { "did not become ready" };
                return Err(fault!(
                    "{} {why}; its log is in {}",
                    self.0.title,
                    paths::shown(&self.0.log)
                ));
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        stop(std::slice::from_mut(&mut self.0));
    }
}

fn log_path(title: &str) -> Result<PathBuf> {
    let dir = paths::logs();
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    let name: String =
        title.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    Ok(dir.join(format!("{}.log", name.to_lowercase())))
}
