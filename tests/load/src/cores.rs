//! The machine's cores in two halves: one for the service and one for the clients that measure it.

use anyhow::Result;
use nix::{
    sched::{CpuSet, sched_getaffinity, sched_setaffinity},
    unistd::Pid,
};

/// A list of cores in the format of taskset(1).
#[derive(Clone, Debug)]
pub struct Cores(pub String);

/// Restricts this thread, and all threads that it starts, to one half; returns the other half.
pub fn halve() -> Result<Cores> {
    let this_thread = Pid::from_raw(0);
    let ours = sched_getaffinity(this_thread)?;
    let all: Vec<usize> =
        (0..CpuSet::count()).filter(|core| ours.is_set(*core).unwrap_or(false)).collect();
    // If there is only one core, both use it.
    let (others, own) = if all.len() > 1 { all.split_at(all.len() / 2) } else { (&*all, &*all) };
    let mut kept = CpuSet::new();
    for core in own {
        kept.set(*core)?;
    }
    sched_setaffinity(this_thread, &kept)?;
    Ok(Cores(others.iter().map(usize::to_string).collect::<Vec<_>>().join(",")))
}
