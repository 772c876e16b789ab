//! Everything around the service: operators, payers and shops, and what happens when.

use crate::{
    books::{Arrival, Books, Decision},
    clock::SimulatedClock,
    counts::Counts,
    coverage::{Trouble, Troubles},
    inspector::Inspector,
    permissions::Permissions,
    planning::PlannedEvent,
    sends::SendLog,
    shop::Shop,
    staff::StaffAct,
};
use std::{
    collections::{BTreeMap, HashMap},
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
    /// A shop decides to have a payment link paid once.
    Link,
    /// A shop asks for the payment link with this number, perhaps again.
    AskLink(usize),
    /// A shop, or a payer of its link, decides to open a checkout session.
    Session(Option<usize>),
    /// The checkout session with this number is asked for, perhaps again.
    AskSession(usize),
    /// The payer of the checkout session with this number pays, perhaps again.
    Pay(usize),
    /// A shop uses the key of the payment with this number for another request.
    ReuseKey(usize),
    /// A shop asks for the payment with this number, perhaps again.
    Ask(usize),
    /// A shop decides to begin a batch of payouts.
    Batch,
    /// A shop asks for the batch with this number, perhaps again.
    AskBatch(usize),
    /// A shop cancels the batch with this number.
    CancelBatch(usize),
    /// A shop cancels the payout with this number.
    Cancel(usize),
    /// Somebody asks for a payment with a revoked key.
    Theft,
    /// Somebody of the merchant acts.
    Staff(StaffAct),
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
    /// Somebody calls back about an order, and is not its operator.
    ForgedCallback(String),
    /// The node is killed, or its power fails.
    Crash,
    /// The next commit finds a disk that is full or does not sync.
    DiskFault,
    /// The machine is suspended for a time, and nothing notices but the clock.
    Pause,
    /// The wall clock is set, forward or back.
    ClockStep,
    /// An operator refuses connections for a time.
    Outage,
}

/// The surroundings of the service, which survive its crashes.
#[derive(Debug)]
pub struct World {
    state: Mutex<WorldState>,
    /// The time, of the service too.
    pub clock: SimulatedClock,
    story: Story,
    pub(crate) inspector: Mutex<Option<Inspector>>,
}

/// An event of the schedule, and its number where it was planned before the simulation began.
#[derive(Debug)]
struct Scheduled {
    event: ScheduledEvent,
    number: Option<u32>,
}

/// Whether everything that happens is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Story {
    /// It is, for somebody who reads it.
    Told,
    /// It is not: nothing is formatted.
    Untold,
}

/// What the world consists of.
#[derive(Debug)]
pub struct WorldState {
    /// The source of every choice.
    pub random: fastrand::Rng,
    /// The orders at the operators.
    pub books: Books,
    /// When the service sent its orders.
    pub sends: SendLog,
    /// Until when the operator of a network refuses connections.
    pub outages: HashMap<Network, Duration>,
    /// What the shops asked for, and were told.
    pub shop: Shop,
    /// What people have allowed and forbidden.
    pub permissions: Permissions,
    /// The sums so far.
    pub counts: Counts,
    /// The faults that are present.
    pub troubles: Troubles,
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
    /// Everything that happened, a line for each event, where somebody will read it.
    pub trace: Vec<String>,
    seed: u64,
    schedule: BTreeMap<(Duration, u64), Scheduled>,
    count: u64,
    last_send: u64,
}

impl World {
    /// A world whose choices follow from the seed, with faults until this time.
    #[must_use]
    pub fn new(seed: u64, faults_end_at: Duration, story: Story) -> Self {
        let state = WorldState {
            random: fastrand::Rng::with_seed(seed),
            books: Books::default(),
            sends: SendLog::default(),
            outages: HashMap::new(),
            shop: Shop::default(),
            permissions: Permissions::default(),
            counts: Counts::default(),
            troubles: Troubles::default(),
            arrivals: BTreeMap::new(),
            calls: 0,
            faults_end_at,
            last_event_at: Duration::ZERO,
            violations: Vec::new(),
            trace: Vec::new(),
            seed,
            schedule: BTreeMap::new(),
            count: 0,
            last_send: 0,
        };
        Self {
            state: Mutex::new(state),
            clock: SimulatedClock::default(),
            story,
            inspector: Mutex::default(),
        }
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

    /// Adds a line to the trace, where it is kept.
    pub fn trace(&self, line: impl FnOnce() -> String) {
        if self.story == Story::Untold {
            return;
        }
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
            state.troubles.note(kind, uptime);
        }
        fails
    }

    /// A time between two, in milliseconds.
    pub fn between(&self, from_ms: u64, to_ms: u64) -> Duration {
        Duration::from_millis(self.lock().random.u64(from_ms..=to_ms))
    }

    /// The number of an order; zero where none has arrived.
    pub fn number(&self, reference: &str) -> usize {
        self.lock().books.get(reference).map_or(0, |order| order.number)
    }

    /// The operator of a network refuses connections for a time.
    pub fn begin_outage(&self) {
        let network = self.any_network();
        let ends_at = self.clock.uptime() + self.between(60_000, 3_600_000);
        self.fault("outage of an operator");
        self.lasts(Trouble::Outage, ends_at);
        self.lock().outages.insert(network, ends_at);
    }

    /// Whether the operator of a network refuses connections now.
    pub fn is_out(&self, network: Network) -> bool {
        let uptime = self.clock.uptime();
        self.lock().outages.get(&network).is_some_and(|ends_at| uptime < *ends_at)
    }

    /// A network that the seed chooses.
    pub fn any_network(&self) -> Network {
        Network::ALL[self.lock().random.usize(..Network::ALL.len())]
    }
}

impl WorldState {
    /// Adds an event to the schedule, at an uptime.
    pub fn plan_at(&mut self, at: Duration, event: ScheduledEvent) {
        self.schedule(at, Scheduled { event, number: None });
    }

    /// Adds an event of the plan to the schedule.
    pub fn begin_with(&mut self, planned: PlannedEvent) {
        let PlannedEvent { number, at, event } = planned;
        self.schedule(at, Scheduled { event, number: Some(number) });
    }

    fn schedule(&mut self, at: Duration, scheduled: Scheduled) {
        self.count += 1;
        self.schedule.insert((at, self.count), scheduled);
    }

    /// Numbers a send to any operator.
    pub fn next_send(&mut self) -> u64 {
        self.last_send += 1;
        self.last_send
    }

    /// When the next thing happens.
    #[must_use]
    pub fn next_at(&self) -> Option<Duration> {
        self.schedule.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes the next thing, if it happens by this time.
    ///
    /// The choices after an event of the plan depend on its number, and not on how many choices
    /// came before. So where others are left out, much stays as it was, and a failure with it.
    pub fn take_due(&mut self, uptime: Duration) -> Option<ScheduledEvent> {
        let first = self.schedule.first_entry().filter(|first| first.key().0 <= uptime)?;
        let Scheduled { event, number } = first.remove();
        if let Some(number) = number {
            const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
            let choices = (u64::from(number) + 1).wrapping_mul(ODD);
            self.random = fastrand::Rng::with_seed(self.seed ^ choices);
        }
        if !matches!(event, ScheduledEvent::Read(_) | ScheduledEvent::Staff(_)) {
            self.last_event_at = uptime;
        }
        Some(event)
    }
}
