//! One simulation, from its seed to its result.

use crate::{
    counts::Counts,
    coverage::Trouble,
    driver::{Driver, LifeEnd, be_down},
    machine::Machine,
    planning::{DAY, Plan},
    staff::StaffAct,
    world::{ScheduledEvent, Story, World},
};
use std::{sync::Arc, time::Duration};
use tua_domain::ports::Clock;

/// How long everything may take to end after the last fault: flagged for review after a day
/// (docs/reference/lifecycle.md, Review), by a status query that may be two hours late, of a payout
/// that may have waited three hours for its operator, and that staff approve four hours later.
const SETTLING_TIME: Duration = Duration::from_secs(36 * 60 * 60);

/// When staff decide about everything that still waits, after the last fault.
const LAST_LOOKS: [Duration; 2] =
    [Duration::from_secs(3 * 60 * 60), Duration::from_secs(4 * 60 * 60)];

/// What came of a simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Simulated time, payments and faults.
    pub counts: Counts,
    /// What must always hold, and did not.
    pub violations: Vec<String>,
    /// Everything that happened, a line for each event, if it was to be told.
    pub trace: Vec<String>,
}

/// Runs the simulation of a plan.
///
/// # Errors
/// The simulation itself could not run.
pub fn run(plan: &Plan, story: Story) -> Result<Outcome, String> {
    let faults_end_at = DAY * plan.days;
    let ends_at = faults_end_at + SETTLING_TIME;
    let world = Arc::new(World::new(plan.seed, faults_end_at, story));
    for planned in plan.events() {
        world.lock().begin_with(planned);
    }
    for after in LAST_LOOKS {
        let look = ScheduledEvent::Staff(StaffAct::LookAtPayouts { is_last: true });
        world.lock().plan_at(faults_end_at + after, look);
    }
    let mut machine = Machine::new()?;
    let mut commits = 0;
    for life in 0.. {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        let mut driver = Driver {
            world: &world,
            machine: &mut machine,
            ends_at,
            commits,
            delayed_until: Duration::ZERO,
        };
        let end = runtime.block_on(driver.live(life));
        world.inspect(None);
        let end = end?;
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
        let until = (world.clock.uptime() + down).min(ends_at);
        be_down(&world, until);
        world.lasts(Trouble::Crash, until);
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
