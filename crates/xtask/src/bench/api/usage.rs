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
const IDLE_PROCESSOR_TIME: Duration = Duration::from_millis(50);
const SECOND: Duration = Duration::from_secs(1);
const LONGEST_WAIT_S: u32 = 600;

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
    ///
    /// # Errors
    /// It has not ended after ten minutes.
    pub fn finish(self) -> Result<Usage> {
        let mut used = self.processes.used()?;
        let mut waited_s = 0;
        loop {
            thread::sleep(SECOND);
            let now = self.processes.used()?;
            let recently = now - used;
            used = now;
            if recently.processor < IDLE_PROCESSOR_TIME {
                break;
            }
            waited_s += 1;
            if waited_s == LONGEST_WAIT_S {
                return Err(fault!("the processes are busy {waited_s} s after the run"));
            }
        }
        let Used { processor, written } = used - self.start;
        let syncs = match self.syncs {
            Some(counter) => counter.finish(processor)?,
            None => None,
        };
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
            let Ok(stat) = process.stat() else { continue };
            let Ok(io) = process.io() else { continue };
            // The main process of PostgreSQL has the times of its processes that have ended.
            let ended = u64::try_from(stat.cutime + stat.cstime).unwrap_or(0);
            let ticks = u32::try_from(stat.utime + stat.stime + ended).unwrap_or(u32::MAX);
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

    /// The number of syncs; `None` where perf did not observe the processes for the whole run.
    fn finish(mut self, processor: Duration) -> Result<Option<u64>> {
        if self.perf.try_wait().map_err(|e| fault!("perf: {e}"))?.is_some() {
            return Ok(None);
        }
        let id = i32::try_from(self.perf.id()).map_err(|e| fault!("perf: {e}"))?;
        kill(Pid::from_raw(id), Signal::SIGINT).map_err(|e| fault!("perf: {e}"))?;
        self.perf.wait().map_err(|e| fault!("perf: {e}"))?;
        let counted = fs::read_to_string(&self.output)
            .map_err(|e| fault!("{}: {e}", paths::shown(&self.output)))?;
        Ok(sum_counts(&counted, processor))
    }
}

impl Drop for SyncCounter {
    fn drop(&mut self) {
        let _ = self.perf.kill();
        let _ = self.perf.wait();
    }
}

/// The sum of the lines `count;unit;event;nanoseconds;…` (perf-stat(1), CSV FORMAT). `None` where
/// one has no count, or was observed for less than half of this processor time.
fn sum_counts(counted: &str, processor: Duration) -> Option<u64> {
    let lines: Vec<&str> = counted.lines().filter(|line| line.contains(";syscalls:")).collect();
    if lines.is_empty() {
        return None;
    }
    lines.into_iter().try_fold(0, |sum, line| {
        let mut fields = line.split(';');
        let count: u64 = fields.next()?.parse().ok()?;
        let observed = Duration::from_nanos(fields.nth(2)?.parse().ok()?);
        (observed * 2 >= processor).then_some(sum + count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syncs_are_counted_only_if_the_whole_run_was_observed() {
        let counted = "# started on Fri\n\n4;;syscalls:sys_enter_fsync;16000000;100.00;;\n\
                       3;;syscalls:sys_enter_fdatasync;16000000;100.00;;\n";
        assert_eq!(sum_counts(counted, Duration::from_millis(20)), Some(7));
        assert_eq!(sum_counts(counted, Duration::from_secs(5)), None, "perf ended early");
        let not_counted = counted.replace("3;;", "<not counted>;;");
        assert_eq!(sum_counts(&not_counted, Duration::from_millis(20)), None);
        assert_eq!(sum_counts("", Duration::ZERO), None);
    }
}
