//! The machine's cores, in two halves: what is measured and what measures it take nothing from each other.

use anyhow::Result;
use nix::{
    sched::{CpuSet, sched_getaffinity, sched_setaffinity},
    unistd::Pid,
};

/// Cores as taskset(1) takes them.
#[derive(Clone, Debug)]
pub struct Cores(pub String);

/// Keeps this thread, and all that it starts from now on, to one half, and returns the other.
pub fn halve() -> Result<Cores> {
    let this_thread = Pid::from_raw(0);
    let ours = sched_getaffinity(this_thread)?;
    let all: Vec<usize> = (0..CpuSet::count()).filter(|core| ours.is_set(*core).unwrap_or(false)).collect();
    // Of a single core, both get all.
    let (others, own) = if all.len() > 1 { all.split_at(all.len() / 2) } else { (&*all, &*all) };
    let mut kept = CpuSet::new();
    for core in own {
        kept.set(*core)?;
    }
    sched_setaffinity(this_thread, &kept)?;
    Ok(Cores(others.iter().map(usize::to_string).collect::<Vec<_>>().join(",")))
}
