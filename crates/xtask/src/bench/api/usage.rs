//! What a run cost the service and its database server: processor time, bytes written, syncs.

use crate::fault::{Result, fault};
use crate::paths;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use procfs::process::Process;
use std::fs;
use std::ops::Sub;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// The kernel's system calls that wait for the disk.
const SYNCS: &str = "syscalls:sys_enter_fsync,syscalls:sys_enter_fdatasync";

/// A run has ended when its processes use less than a twentieth of a core in a second.
const IDLE: Duration = Duration::from_millis(50);
const SECOND: Duration = Duration::from_secs(1);
const LONGEST_WAIT_S: u32 = 60;

/// The processes that a run is charged with.
#[derive(Debug, Clone)]
pub struct Processes {
    pub service: u32,
    /// The main process of the PostgreSQL server.
    pub database: Option<u32>,
}

/// A measurement that began, and ends with [`Meter::finish`].
#[derive(Debug)]
pub struct Meter {
    processes: Processes,
    start: Used,
    syncs: Option<SyncCounter>,
}

/// The cost of a run.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    pub processor: Duration,
    /// In bytes, to disks.
    pub written: u64,
    /// `None` where the kernel does not let this user count them.
    pub syncs: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Used {
    processor: Duration,
    written: u64,
}

impl Meter {
    pub fn start(processes: &Processes) -> Result<Self> {
        let syncs = SyncCounter::start(&processes.all()?);
        Ok(Self { start: processes.used()?, syncs, processes: processes.clone() })
    }

    /// Waits until the work of the run has ended, also callbacks and webhooks.
    pub fn finish(self) -> Result<Usage> {
        let mut used = self.processes.used()?;
        for _ in 0..LONGEST_WAIT_S {
            thread::sleep(SECOND);
            let now = self.processes.used()?;
            let recently = now - used;
            used = now;
            if recently.processor < IDLE {
                break;
            }
        }
        let Used { processor, written } = used - self.start;
        let syncs = self.syncs.map_or(Ok(None), SyncCounter::finish)?;
        Ok(Usage { processor, written, syncs })
    }
}

impl Processes {
    fn all(&self) -> Result<Vec<Process>> {
        let of = |id: u32| {
            let id = i32::try_from(id).map_err(|e| fault!("process {id}: {e}"))?;
            Process::new(id).map_err(|e| fault!("process {id}: {e}"))
        };
        let mut processes = vec![of(self.service)?];
        if let Some(main) = self.database {
            let main = of(main)?;
            let running = procfs::process::all_processes().map_err(|e| fault!("/proc: {e}"))?;
            let parent = main.pid;
            let is_child = |process: &Process| process.stat().is_ok_and(|stat| stat.ppid == parent);
            processes.extend(running.flatten().filter(is_child));
            processes.push(main);
        }
        Ok(processes)
    }

    fn used(&self) -> Result<Used> {
        let tick =
            Duration::from_secs(1) / u32::try_from(procfs::ticks_per_second()).unwrap_or(100);
        let mut used = Used { processor: Duration::ZERO, written: 0 };
        for process in self.all()? {
            // A connection's process of PostgreSQL can end in between.
            let (Ok(stat), Ok(io)) = (process.stat(), process.io()) else { continue };
            let ticks = u32::try_from(stat.utime + stat.stime).unwrap_or(u32::MAX);
            used.processor += tick * ticks;
            used.written += io.write_bytes;
        }
        Ok(used)
    }
}

impl Sub for Used {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            processor: self.processor.saturating_sub(earlier.processor),
            written: self.written.saturating_sub(earlier.written),
        }
    }
}

/// `perf stat`, which counts the system calls of processes.
#[derive(Debug)]
struct SyncCounter {
    perf: Child,
    output: PathBuf,
}

impl SyncCounter {
    fn start(processes: &[Process]) -> Option<Self> {
        let ids = processes.iter().map(|process| process.pid.to_string()).collect::<Vec<_>>();
        let output = paths::target().join("bench/syncs");
        let mut perf = Command::new("perf");
        perf.args(["stat", "--field-separator", ";", "--event", SYNCS, "--pid", &ids.join(",")]);
        perf.arg("--output").arg(&output).stdout(Stdio::null()).stderr(Stdio::null());
        let mut perf = perf.spawn().ok()?;
        // Without the right to trace, it ends at once.
        thread::sleep(Duration::from_millis(300));
        perf.try_wait().ok()?.is_none().then_some(Self { perf, output })
    }

    /// The number of syncs; `None` where perf counted nothing.
    fn finish(mut self) -> Result<Option<u64>> {
        let id = i32::try_from(self.perf.id()).map_err(|e| fault!("perf: {e}"))?;
        kill(Pid::from_raw(id), Signal::SIGINT).map_err(|e| fault!("perf: {e}"))?;
        self.perf.wait().map_err(|e| fault!("perf: {e}"))?;
        let counted = fs::read_to_string(&self.output)
            .map_err(|e| fault!("{}: {e}", paths::shown(&self.output)))?;
        // Each line begins with a count, or with the reason why there is none.
        let counts = counted.lines().filter_map(|line| line.split(';').next()?.parse().ok());
        let counts: Vec<u64> = counts.collect();
        Ok((!counts.is_empty()).then(|| counts.iter().sum()))
    }
}
