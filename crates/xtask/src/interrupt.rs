//! Ctrl-C and SIGTERM reach every process that we started, and we wait for them to end.
//!
//! Each child leads a process group of its own: its grandchildren (rustc, npm's workers) are
//! reached through it, and a step that must not be torn in the middle (dpkg) can be left out.

use crate::fault::{Result, fault};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static GROUPS: Mutex<Vec<i32>> = Mutex::new(Vec::new());

pub fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        signal_all(Signal::SIGTERM);
    })
    .map_err(|error| fault!("cannot listen for Ctrl-C: {error}"))
}

pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// From here on Ctrl-C also ends the group that `pid` leads.
pub fn adopt(pid: u32) {
    if let Ok(pid) = i32::try_from(pid) {
        groups().push(pid);
        // It may have come between the spawn and this line.
        if is_interrupted() {
            let _ = killpg(Pid::from_raw(pid), Signal::SIGTERM);
        }
    }
}

/// The process that leads this group was waited for: its number may be reused.
pub fn forget(pid: u32) {
    groups().retain(|group| i64::from(*group) != i64::from(pid));
}

/// For a child that did not heed SIGTERM, and for what an ended one left behind.
pub fn kill(pid: u32) {
    if let Ok(pid) = i32::try_from(pid) {
        let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
    }
}

pub fn terminate(pid: u32) {
    if let Ok(pid) = i32::try_from(pid) {
        let _ = killpg(Pid::from_raw(pid), Signal::SIGTERM);
    }
}

fn signal_all(signal: Signal) {
    for group in groups().iter() {
        let _ = killpg(Pid::from_raw(*group), signal);
    }
}

fn groups() -> std::sync::MutexGuard<'static, Vec<i32>> {
    GROUPS.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
