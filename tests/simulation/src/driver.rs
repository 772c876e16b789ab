//! Moves the time. It moves only while every task waits and no write is under way, so what happens
//! depends on the seed alone.

use crate::{
    coverage::Happening,
    inspector::Inspector,
    machine::Machine,
    node::Node,
    oracles,
    scheduled_events::apply,
    world::{ScheduledEvent, World},
};
use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Wake, Waker},
    thread::{self, Thread},
    time::Duration,
};
use tua_domain::ports::{Clock, Readiness};

/// Commits between two checkpoints of the write-ahead log. The store checkpoints on a thread of its
/// own once the log has 1,024 pages; here it never has so many, because the order of that thread's
/// work would not follow from the seed.
const COMMITS_PER_CHECKPOINT: u32 = 8;

/// After this time without an event the time moves in steps of up to 2 minutes.
const CALM_AFTER: Duration = Duration::from_secs(3 * 60);

/// After this time without an event the time moves in steps of 1 to 15 minutes.
const QUIET_AFTER: Duration = Duration::from_secs(20 * 60);

/// After this time without an event the time moves in steps of 5 to 60 minutes. Nothing is due then
/// but status queries of what has been pending for hours.
const ASLEEP_AFTER: Duration = Duration::from_secs(3 * 60 * 60);

/// A sleep of at least this time is mostly a worker's between two looks for work.
const POLL: Duration = Duration::from_millis(500);

/// How a life of the service ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LifeEnd {
    /// The machine crashed, so another life follows.
    Crashed,
    /// The simulation is over.
    Over,
}

/// Drives one life of the service.
#[derive(Debug)]
pub struct Driver<'a> {
    /// The operators, the shops and the schedule.
    pub world: &'a Arc<World>,
    /// What it runs on.
    pub machine: &'a mut Machine,
    /// When the simulation is over.
    pub ends_at: Duration,
    /// Counts the commits of all lives.
    pub commits: u32,
    /// Until when no sleep ends, unless an operator is called.
    pub delayed_until: Duration,
}

impl Driver<'_> {
    /// Starts the service, and lets time pass until it crashes or the simulation is over.
    ///
    /// # Errors
    /// The database cannot be opened.
    pub async fn live(&mut self, life: u32) -> Result<LifeEnd, String> {
        let node = Arc::new(Node::start(self.machine.path(), self.world, life).await?);
        let inspector = Inspector::open(self.machine.path()).map_err(|error| error.to_string())?;
        self.world.inspect(Some(inspector));
        self.machine.disk.set_gate(false);
        let mut committed = 0;
        loop {
            rest().await;
            if node.calls.are_under_way() && node.calls.begun() != committed {
                self.commit(&node);
                committed = node.calls.begun();
            } else if self.world.clock.uptime() >= self.ends_at {
                self.machine.disk.set_gate(true);
                oracles::check(self.world, node.stored()).await;
                return Ok(LifeEnd::Over);
            } else if self.is_delayed() || !self.world.clock.end_one_sleep() {
                self.step(&node);
            }
            if self.machine.disk.is_off() {
                return Ok(LifeEnd::Crashed);
            }
        }
    }

    /// Lets the next thing happen, or time pass until a sleep ends.
    fn step(&mut self, node: &Arc<Node>) {
        let uptime = self.world.clock.uptime();
        let due = self.world.lock().take_due(uptime);
        match due {
            Some(ScheduledEvent::Crash) => {
                self.world.happens_to_all(Happening::Crash);
                self.machine.plan_crash(self.world);
            }
            Some(ScheduledEvent::DiskFault) => {
                self.world.happens_to_all(Happening::DiskFault);
                self.machine.plan_disk_fault(self.world);
            }
            Some(ScheduledEvent::Pause) => self.pause(uptime),
            Some(event) => apply(self.world, Some(node), event),
            None => self.pass(uptime),
        }
    }

    /// Suspends the machine. The world goes on meanwhile, and no request reaches the service.
    fn pause(&self, uptime: Duration) {
        self.world.trace(|| "the machine is suspended".to_owned());
        self.world.happens_to_all(Happening::Pause);
        be_down(self.world, uptime + self.world.between(5_000, 150_000));
        self.world.fault("suspended machine");
    }

    /// Moves the time to what comes next.
    fn pass(&mut self, uptime: Duration) {
        let sleep_ends_at = self.world.clock.next_end().unwrap_or(self.ends_at);
        let delay = self.delay(uptime, sleep_ends_at.saturating_sub(uptime));
        let ends_at = uptime + delay;
        self.delayed_until =
            if self.is_delayed() { self.delayed_until.min(ends_at) } else { ends_at };
        let sleep = sleep_ends_at.max(self.delayed_until);
        let next = self.world.lock().next_at().unwrap_or(self.ends_at);
        self.world.clock.advance_to(next.min(sleep).min(self.ends_at));
    }

    /// Whether no sleep ends yet, although something has happened meanwhile.
    fn is_delayed(&self) -> bool {
        self.world.clock.uptime() < self.delayed_until && self.world.lock().calls == 0
    }

    /// How long no sleep ends. A service looks for work every second: here its next look is
    /// delayed, as on a busy machine, a little while an operator is called, and long while nothing
    /// happens.
    fn delay(&self, uptime: Duration, next_sleep: Duration) -> Duration {
        let is_calling = self.world.lock().calls > 0;
        let quiet_for = uptime.saturating_sub(self.world.lock().last_event_at);
        if is_calling && next_sleep < POLL {
            Duration::ZERO
        } else if is_calling {
            self.world.between(500, 5_000)
        } else if quiet_for < CALM_AFTER {
            self.world.between(1_000, 20_000)
        } else if quiet_for < QUIET_AFTER {
            self.world.between(5_000, 120_000)
        } else if quiet_for < ASLEEP_AFTER {
            self.world.between(60_000, 900_000)
        } else {
            self.world.between(300_000, 3_600_000)
        }
    }

    /// Lets the store commit all writes that wait, in one transaction. The thread of the tasks
    /// waits meanwhile.
    fn commit(&mut self, node: &Node) {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        let now = self.world.clock.now();
        // It is queued behind them, so it ends last.
        let mut last = pin!(Readiness::is_ready(node.store.as_ref(), now));
        let mut is_over = last.as_mut().poll(&mut context).is_ready();
        self.machine.begin_commit();
        self.machine.disk.set_gate(true);
        while !is_over {
            thread::park();
            is_over = last.as_mut().poll(&mut context).is_ready();
        }
        self.machine.disk.set_gate(false);
        self.machine.end_commit(self.world);
        self.commits += 1;
        let is_due = self.commits.is_multiple_of(COMMITS_PER_CHECKPOINT);
        let is_on = !self.machine.disk.is_off();
        if is_due && is_on && self.world.look(Inspector::checkpoint).is_none() {
            self.world.violated("the log could not be checkpointed".to_owned());
        }
    }
}

/// Lets the world go on while the service is down.
pub fn be_down(world: &Arc<World>, until: Duration) {
    loop {
        let next = world.lock().next_at().unwrap_or(until).min(until);
        world.clock.advance_to(next);
        let due = world.lock().take_due(next);
        match due {
            Some(event) => apply(world, None, event),
            None => return,
        }
    }
}

/// Returns when all other tasks wait: a paused time moves by itself only then.
async fn rest() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
