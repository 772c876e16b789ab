//! A step: one program run in the background, its output in a log, one line of progress on the screen.

use crate::fault::{Fault, Result, fault};
use crate::{interrupt, paths};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(100);
/// Where there is no terminal to redraw a line on, say that we live this often.
const REMINDER_S: u64 = 20;
const GRACE: Duration = Duration::from_secs(10);
const TAIL_LINES: usize = 60;

#[derive(Debug)]
pub struct Step {
    title: String,
    about_s: Option<u32>,
    command: Command,
    held: bool,
}

/// A step that ended well.
#[derive(Debug)]
pub struct Done {
    pub log: String,
}

impl Step {
    pub fn new(title: impl Into<String>, program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(paths::root()).stdin(Stdio::null()).env("CARGO_TERM_COLOR", "never");
        Self { title: title.into(), about_s: None, command, held: false }
    }

    /// Roughly how long it takes on 2 cores, the first time.
    pub fn about(mut self, seconds: u32) -> Self {
        self.about_s = Some(seconds);
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

    /// Ctrl-C waits until this step has ended: torn in the middle it would leave something broken.
    pub fn held(mut self) -> Self {
        self.held = true;
        self
    }

    pub fn run(self) -> Result<Done> {
        let mut all = together(vec![self])?;
        all.pop().ok_or_else(|| fault!("no step was run"))
    }

    /// Runs it and hands back its log either way; only a program that cannot start or Ctrl-C is a fault.
    pub fn try_run(self) -> Result<std::result::Result<Done, Failure>> {
        let mut running = vec![self.spawn()?];
        watch(&mut running)?;
        let only = running.pop().ok_or_else(|| fault!("no step was run"))?;
        Ok(only.result())
    }

    /// Starts it and returns at once; whoever holds the answer ends it by dropping it.
    pub fn start(self) -> Result<Background> {
        Ok(Background(self.spawn()?))
    }

    fn spawn(mut self) -> Result<Running> {
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
        if !self.held {
            interrupt::adopt(child.id());
        }
        Ok(Running { title: self.title, about_s: self.about_s, child, log, started: Instant::now(), ended: None })
    }
}

/// A step that ended badly: its log is on disk.
#[derive(Debug)]
pub struct Failure {
    pub title: String,
    pub log: String,
    pub log_path: PathBuf,
    pub status: String,
}

impl Failure {
    /// Prints the end of the log, and leaves the one line that the command ends with.
    pub fn into_fault(self) -> Fault {
        self.print_tail();
        fault!("{} failed ({}); the whole log is in {}", self.title, self.status, paths::shown(&self.log_path))
    }

    pub fn print_tail(&self) {
        let lines: Vec<&str> = self.log.lines().collect();
        for line in &lines[lines.len().saturating_sub(TAIL_LINES)..] {
            eprintln!("    {line}");
        }
    }
}

/// Runs steps side by side and stops them all when one fails.
pub fn together(steps: Vec<Step>) -> Result<Vec<Done>> {
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
    // The one that failed by itself comes before those that were stopped because of it.
    let first_failed = running.iter().position(Running::failed_by_itself);
    if let Some(index) = first_failed {
        return match running.swap_remove(index).result() {
            Err(failure) => Err(failure.into_fault()),
            Ok(done) => Ok(vec![done]),
        };
    }
    running.into_iter().map(|step| step.result().map_err(Failure::into_fault)).collect()
}

struct Running {
    title: String,
    about_s: Option<u32>,
    child: Child,
    log: PathBuf,
    started: Instant,
    ended: Option<ExitStatus>,
}

impl Running {
    fn result(self) -> std::result::Result<Done, Failure> {
        let log = fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        match self.ended {
            Some(status) if status.success() => Ok(Done { log }),
            Some(status) => Err(Failure { title: self.title, log, log_path: self.log, status: status.to_string() }),
            None => Err(Failure { title: self.title, log, log_path: self.log, status: "not waited for".into() }),
        }
    }

    /// With an exit code of its own, not because `stop` sent it a signal.
    fn failed_by_itself(&self) -> bool {
        self.ended.is_some_and(|status| !status.success() && status.code().is_some())
    }

    fn line(&self) -> String {
        let seconds = self.started.elapsed().as_secs();
        let about = self.about_s.map(|about| format!(" of about {about}")).unwrap_or_default();
        format!("{} · {seconds}{about} s · {}", self.title, last_line(&self.log))
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("title", &self.title).finish_non_exhaustive()
    }
}

/// Something that must run beside the next steps; dropping it ends it.
#[derive(Debug)]
pub struct Background(Running);

impl Background {
    pub fn title(&self) -> &str {
        &self.0.title
    }

    /// Where its log is.
    pub fn log(&self) -> String {
        paths::shown(&self.0.log)
    }

    /// Waits until a line of its output begins with `prefix`, and gives the rest of that line.
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
                return Err(fault!("{} {why}; its log is in {}", self.0.title, paths::shown(&self.0.log)));
            }
            thread::sleep(TICK);
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        stop(std::slice::from_mut(&mut self.0));
    }
}

/// Waits for all of them, drawing progress; a failure or Ctrl-C stops the rest.
fn watch(running: &mut [Running]) -> Result<()> {
    let mut screen = Screen::new();
    for step in running.iter() {
        screen.begin(step);
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
                screen.end(step, status);
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
        if stopping_since.is_some_and(|since| since.elapsed() > GRACE) {
            for step in running.iter().filter(|step| step.ended.is_none()) {
                interrupt::kill(step.child.id());
            }
        }
        screen.draw(running);
        thread::sleep(TICK);
    }
    screen.clear();
    if interrupt::is_interrupted() { Err(Fault::Interrupted) } else { Ok(()) }
}

fn stop(running: &mut [Running]) {
    for step in running.iter_mut() {
        interrupt::terminate(step.child.id());
    }
    for step in running.iter_mut() {
        let since = Instant::now();
        while step.ended.is_none() {
            match step.child.try_wait() {
                Ok(Some(status)) => step.ended = Some(status),
                Ok(None) if since.elapsed() > GRACE => interrupt::kill(step.child.id()),
                Ok(None) => thread::sleep(TICK),
                Err(_) => break,
            }
        }
        // A browser that a driver started may outlive the driver.
        interrupt::kill(step.child.id());
        interrupt::forget(step.child.id());
    }
}

/// The one line that is redrawn on a terminal; plain lines elsewhere.
struct Screen {
    is_terminal: bool,
    width: usize,
    reminded_at: Instant,
}

impl Screen {
    fn new() -> Self {
        let width = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
        Self { is_terminal: io::stderr().is_terminal(), width, reminded_at: Instant::now() }
    }

    fn begin(&self, step: &Running) {
        if !self.is_terminal {
            let about = step.about_s.map(|about| format!(" (about {about} s the first time)")).unwrap_or_default();
            eprintln!("  … {}{about}", step.title);
        }
    }

    fn draw(&mut self, running: &[Running]) {
        let unfinished = || running.iter().filter(|step| step.ended.is_none());
        if self.is_terminal {
            let share = self.width.saturating_sub(4) / unfinished().count().max(1);
            let line: Vec<String> = unfinished().map(|step| cut(&step.line(), share.saturating_sub(3))).collect();
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K  … {}", line.join(" | "));
            let _ = err.flush();
        } else if self.reminded_at.elapsed().as_secs() >= REMINDER_S {
            self.reminded_at = Instant::now();
            for step in unfinished() {
                eprintln!("    {}", step.line());
            }
        }
    }

    fn end(&self, step: &Running, status: ExitStatus) {
        self.clear();
        let mark = if status.success() { "✓" } else { "✗" };
        eprintln!("  {mark} {} ({} s)", step.title, step.started.elapsed().as_secs());
    }

    fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[2K");
        }
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width { text.to_owned() } else { text.chars().take(width).collect() }
}

fn last_line(log: &Path) -> String {
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
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("starting").to_owned();
    line.chars().filter(|c| !c.is_control()).collect()
}

fn log_path(title: &str) -> Result<PathBuf> {
    let dir = paths::logs();
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    let name: String = title.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    Ok(dir.join(format!("{}.log", name.to_lowercase())))
}
