//! Everything around the service: operators, payers and shops, and what happens when.

use crate::{
    books::{Arrival, BookedOrder, Books, Decision, Standing},
    clock::SimulatedClock,
    counts::Counts,
    shop::Shop,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tua_contract::Network;
use tua_domain::{Transfer, ports::Clock};

/// Something that happens outside the service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduledEvent {
    /// A shop decides to make a payment.
    Purchase,
    /// A shop asks for the payment with this number, perhaps again.
    Ask(usize),
    /// A shop reads the status of the payment with this number.
    Read(usize),
    /// An order arrives at its operator.
    Arrive {
        /// Numbers the send that brings it.
        send: u64,
        /// When the service began to send it.
        sent_at: Duration,
        /// Our name for the order.
        reference: String,
        /// What is asked for.
        transfer: Transfer,
    },
    /// The operator decides an order.
    Decide(String, Decision),
    /// An operator calls back about an order. With `true` it repeats that until it is accepted.
    CallBack(String, bool),
    /// The node is killed, or its power fails.
    Crash,
    /// The next commit finds a disk that is full or does not sync.
    DiskFault,
}

/// The surroundings of the service, which survive its crashes.
#[derive(Debug)]
pub struct World {
    state: Mutex<WorldState>,
    /// The time, of the service too.
    pub clock: SimulatedClock,
}

/// What the world consists of.
#[derive(Debug)]
pub struct WorldState {
    /// The source of every choice.
    pub random: fastrand::Rng,
    /// The orders at the operators.
    pub books: Books,
    /// What the shops asked for, and were told.
    pub shop: Shop,
    /// The sums so far.
    pub counts: Counts,
    /// What came of each send that arrived.
    pub arrivals: BTreeMap<u64, Arrival>,
    /// Calls of operators that are under way.
    pub calls: u32,
    /// From when on nothing fails any more.
    pub faults_end_at: Duration,
    /// When something last happened that the service must work for.
    pub last_event_at: Duration,
    /// Violations of what must always hold.
    pub violations: Vec<String>,
    /// Everything that happened, a line for each event.
    pub trace: Vec<String>,
    schedule: BTreeMap<(Duration, u64), ScheduledEvent>,
    count: u64,
    sends: u64,
}

impl World {
    /// A world whose choices follow from the seed, with faults until this time.
    #[must_use]
    pub fn new(seed: u64, faults_end_at: Duration) -> Self {
        let state = WorldState {
            random: fastrand::Rng::with_seed(seed),
            books: Books::default(),
            shop: Shop::default(),
            counts: Counts::default(),
            arrivals: BTreeMap::new(),
            calls: 0,
            faults_end_at,
            last_event_at: Duration::ZERO,
            violations: Vec::new(),
            trace: Vec::new(),
            schedule: BTreeMap::new(),
            count: 0,
            sends: 0,
        };
        Self { state: Mutex::new(state), clock: SimulatedClock::default() }
    }

    /// The state, for one step.
    pub fn lock(&self) -> MutexGuard<'_, WorldState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event to the schedule, after this time.
    pub fn plan(&self, after: Duration, event: ScheduledEvent) {
        let at = self.clock.uptime() + after;
        self.lock().plan_at(at, event);
    }

    /// Adds a line to the trace.
    pub fn trace(&self, line: impl FnOnce() -> String) {
        let line = format!("{} {}", self.clock.now(), line());
        self.lock().trace.push(line);
    }

    /// Records that something is wrong.
    pub fn violated(&self, what: String) {
        self.trace(|| format!("VIOLATION: {what}"));
        self.lock().violations.push(what);
    }

    /// Whether something with this probability happens, in percent. Never after faults have ended.
    pub fn fails(&self, kind: &'static str, percent: u32) -> bool {
        let uptime = self.clock.uptime();
        let mut state = self.lock();
        let fails = uptime < state.faults_end_at && state.random.u32(..100) < percent;
        if fails {
            state.counts.fault(kind);
        }
        fails
    }

    /// A time between two, in milliseconds.
    pub fn between(&self, from_ms: u64, to_ms: u64) -> Duration {
        Duration::from_millis(self.lock().random.u64(from_ms..=to_ms))
    }

    /// An order arrives at its operator, that the service began to send at `sent_at`.
    pub fn arrive(&self, send: u64, sent_at: Duration, reference: &str, transfer: &Transfer) {
        let now = self.clock.uptime();
        let refuses_repeats = crate::operator::refuses_repeats(transfer.network);
        let hidden_for = if self.fails("order not found", 12) {
            self.between(0, 300_000)
        } else {
            Duration::ZERO
        };
        let was_acknowledged = {
            let state = self.lock();
            let known_at = state.books.get(reference).and_then(|order| order.acknowledged_at);
            known_at.is_some_and(|at| at < sent_at)
        };
        let arrival = self.lock().books.arrive(reference, refuses_repeats, |number| BookedOrder {
            number,
            network: transfer.network,
            kind: transfer.kind,
            amount: transfer.amount,
            standing: Standing::Waiting,
            was_refused: false,
            executions: 0,
            acknowledged_at: None,
            hidden_until: now + hidden_for,
        });
        let number = self.number(reference);
        self.trace(|| format!("order {number} arrives: {arrival:?}"));
        self.lock().arrivals.insert(send, arrival);
        if arrival != Arrival::New && was_acknowledged {
            self.violated(format!("order {number} was sent again after it was acknowledged"));
        }
        if arrival != Arrival::Duplicate {
            self.plan_decision(reference);
        }
    }

    fn plan_decision(&self, reference: &str) {
        let after = self.between(200, 240_000);
        let choice = self.lock().random.u32(..100);
        let decision = match choice {
            0..75 => Decision::Execute,
            75..93 => Decision::Refuse,
            93..96 if self.clock.uptime() < self.lock().faults_end_at => {
                self.lock().counts.fault("success after failure");
                Decision::RefuseThenExecute
            }
            // The operator never decides, so that people must.
            _ => return,
        };
        self.plan(after, ScheduledEvent::Decide(reference.to_owned(), decision));
    }

    /// The operator decides an order.
    pub fn decide(&self, reference: &str, decision: Decision) {
        let number = self.number(reference);
        let mut executions = 0;
        if let Some(order) = self.lock().books.get_mut(reference) {
            if decision == Decision::Execute {
                order.standing = Standing::Executed;
                order.executions += 1;
            } else if order.executions == 0 {
                order.standing = Standing::Refused;
                order.was_refused = true;
            }
            executions = order.executions;
        }
        self.trace(|| format!("order {number} is decided: {decision:?}"));
        if executions > 1 {
            self.violated(format!("order {number} was executed {executions} times"));
        }
        let mut is_certain = false;
        if decision == Decision::RefuseThenExecute {
            let later = self.between(60_000, 3_600_000);
            let execution = ScheduledEvent::Decide(reference.to_owned(), Decision::Execute);
            self.plan(later, execution);
            // Only a callback can correct a final status.
            let call = ScheduledEvent::CallBack(reference.to_owned(), true);
            self.plan(later + Duration::from_secs(1), call);
            is_certain = true;
        }
        if is_certain || !self.fails("callback lost", 40) {
            let after = self.between(10, 20_000);
            self.plan(after, ScheduledEvent::CallBack(reference.to_owned(), false));
        }
        if self.fails("callback repeated", 20) {
            let after = self.between(10, 200_000);
            self.plan(after, ScheduledEvent::CallBack(reference.to_owned(), false));
        }
    }

    /// The number of an order; zero where none has arrived.
    pub fn number(&self, reference: &str) -> usize {
        self.lock().books.get(reference).map_or(0, |order| order.number)
    }

    /// A network that the seed chooses.
    pub fn any_network(&self) -> Network {
        Network::ALL[self.lock().random.usize(..Network::ALL.len())]
    }
}

impl WorldState {
    /// Adds an event to the schedule, at an uptime.
    pub fn plan_at(&mut self, at: Duration, event: ScheduledEvent) {
        self.count += 1;
        self.schedule.insert((at, self.count), event);
    }

    /// Numbers a send to any operator.
    pub fn next_send(&mut self) -> u64 {
        self.sends += 1;
        self.sends
    }

    /// When the next thing happens.
    #[must_use]
    pub fn next_at(&self) -> Option<Duration> {
        self.schedule.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes the next thing, if it happens by this time.
    pub fn take_due(&mut self, uptime: Duration) -> Option<ScheduledEvent> {
        let first = self.schedule.first_entry().filter(|first| first.key().0 <= uptime)?;
        let event = first.remove();
        if !matches!(event, ScheduledEvent::Read(_)) {
            self.last_event_at = uptime;
        }
        Some(event)
    }
}
