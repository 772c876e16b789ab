//! Keeps a simulation on one processor.

/// Keeps this thread, and those that it starts, on one of the processors that it may use. The
/// threads of a simulation take turns, many thousand times in a seed, and to wake one on another
/// processor costs more than the turn. A fault changes nothing but the speed.
#[cfg(target_os = "linux")]
pub fn stay_on_one(number: usize) {
    use nix::{
        sched::{CpuSet, sched_getaffinity, sched_setaffinity},
        unistd::Pid,
    };
    let this_thread = Pid::from_raw(0);
    let Ok(ours) = sched_getaffinity(this_thread) else { return };
    let usable: Vec<usize> =
        (0..CpuSet::count()).filter(|one| ours.is_set(*one).unwrap_or(false)).collect();
    let Some(processor) = usable.get(number % usable.len().max(1)) else { return };
    let mut kept = CpuSet::new();
    if kept.set(*processor).is_ok() {
        let _ = sched_setaffinity(this_thread, &kept);
    }
}

/// Only Linux is known to make a difference.
#[cfg(not(target_os = "linux"))]
pub const fn stay_on_one(_: usize) {}
