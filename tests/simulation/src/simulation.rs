//! One simulation, from its seed to its result.

use crate::{
    counts::Counts,
    driver::{Driver, LifeEnd, be_down},
    machine::Machine,
    world::{ScheduledEvent, World},
};
use std::{sync::Arc, time::Duration};
use tua_domain::ports::Clock;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long everything may take to end after the last fault: flagged for review after a day
/// (docs/reference/lifecycle.md, Review), by a status query that may be an hour late, of a payout
/// that may have waited three hours for its operator.
const SETTLING_TIME: Duration = Duration::from_secs(30 * 60 * 60);

/// What may happen to the machine and to an operator near each burst of payments.
const FAULTS: [ScheduledEvent; 6] = [
    ScheduledEvent::Crash,
    ScheduledEvent::DiskFault,
    ScheduledEvent::DiskFault,
    ScheduledEvent::Pause,
    ScheduledEvent::Pause,
    ScheduledEvent::Outage,
];

/// What is simulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The source of every choice.
    pub seed: u64,
    /// The days with payments and faults.
    pub days: u32,
}

/// What came of a simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Simulated time, payments and faults.
    pub counts: Counts,
    /// What must always hold, and did not.
    pub violations: Vec<String>,
    /// Everything that happened, a line for each event.
    pub trace: Vec<String>,
}

/// Runs the simulation of a plan.
///
/// # Errors
/// The simulation itself could not run.
pub fn run(plan: Plan) -> Result<Outcome, String> {
    let faults_end_at = DAY * plan.days;
    let ends_at = faults_end_at + SETTLING_TIME;
    let world = Arc::new(World::new(plan.seed, faults_end_at));
    plan_days(&world, plan.days);
    let mut machine = Machine::new().map_err(|error| error.to_string())?;
    let mut commits = 0;
    for life in 0.. {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        let mut driver = Driver { world: &world, machine: &mut machine, ends_at, commits };
        let end = runtime.block_on(driver.live(life))?;
        commits = driver.commits;
        // Ends all tasks of the service, wherever they are.
        drop(runtime);
        if end == LifeEnd::Over {
            break;
        }
        machine.restart(&world);
        let is_long = world.lock().random.u32(..8) == 0;
        let down =
            if is_long { world.between(300_000, 2_400_000) } else { world.between(500, 300_000) };
        be_down(&world, (world.clock.uptime() + down).min(ends_at));
    }
    machine.disk.cut_power();
    let mut state = world.lock();
    state.counts.time = ends_at;
    Ok(Outcome {
        counts: state.counts.clone(),
        violations: std::mem::take(&mut state.violations),
        trace: std::mem::take(&mut state.trace),
    })
}

/// Plans payments in bursts, with crashes and faults of the disk near them.
fn plan_days(world: &World, days: u32) {
    let day_ms = u64::try_from(DAY.as_millis()).unwrap_or(u64::MAX);
    for day in 0..days {
        for _ in 0..3 {
            let start = DAY * day + world.between(0, day_ms - 3_600_000);
            let mut state = world.lock();
            for _ in 0..6 {
                let at = start + Duration::from_millis(state.random.u64(..60_000));
                state.plan_at(at, ScheduledEvent::Purchase);
            }
            for event in
                [ScheduledEvent::Session(None), ScheduledEvent::Session(None), ScheduledEvent::Link]
            {
                let at = start + Duration::from_millis(state.random.u64(..60_000));
                state.plan_at(at, event);
            }
            for event in FAULTS {
                if state.random.u32(..3) > 0 {
                    let at = start + Duration::from_millis(state.random.u64(..400_000));
                    state.plan_at(at, event);
                }
            }
        }
    }
}
