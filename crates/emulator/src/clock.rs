//! The virtual clock, and the events that become due on it.

use crate::event::Event;
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::Notify;

/// How many times faster than real time the virtual clock runs, in thousandths: 1000 is real time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Speed(u32);

impl Speed {
    /// The virtual clock runs as fast as real time.
    pub const REAL_TIME: Self = Self(1000);

    /// Parses a decimal factor between 0.001 and 1000000, with at most three decimals: `1`, `20`,
    /// `0.5`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let are_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(whole) || !are_digits(fraction) || whole.len() > 7 || fraction.len() > 3 {
            return None;
        }
        let thousandths = format!("{whole}{fraction:0<3}").parse::<u32>().ok()?;
        (1..=1_000_000_000).contains(&thousandths).then_some(Self(thousandths))
    }
}

/// How the virtual clock moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockMode {
    /// It runs, by this factor.
    Running(Speed),
    /// It stands still until [`ClockHandle::advance`](crate::ClockHandle::advance) moves it.
    Manual,
}

/// The virtual clock with its queue.
#[derive(Debug)]
pub(crate) struct Clock {
    mode: ClockMode,
    start: Timestamp,
    started: Instant,
    /// How far `ClockHandle::advance` has moved the clock, in milliseconds.
    advanced_ms: AtomicI64,
    queue: Mutex<Queue>,
    queue_changed: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    /// By due time, then in the order of scheduling.
    events: BTreeMap<(Timestamp, u64), Event>,
    scheduled: u64,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    pub(crate) fn new(mode: ClockMode) -> Self {
        let now = Timestamp::now().as_millisecond();
        Self {
            mode,
            start: Timestamp::from_millisecond(now).unwrap_or(Timestamp::UNIX_EPOCH),
            started: Instant::now(),
            advanced_ms: AtomicI64::new(0),
            queue: Mutex::default(),
            queue_changed: Notify::new(),
        }
    }

    /// Whether only `ClockHandle::advance` moves it.
    pub(crate) fn is_manual(&self) -> bool {
        self.mode == ClockMode::Manual
    }

    /// When the emulator started.
    pub(crate) fn start(&self) -> Timestamp {
        self.start
    }

    pub(crate) fn now(&self) -> Timestamp {
        let elapsed_ms = match self.mode {
            ClockMode::Running(Speed(thousandths)) => {
                let elapsed = self.started.elapsed().as_millis() * u128::from(thousandths) / 1000;
                i64::try_from(elapsed).unwrap_or(i64::MAX)
            }
            ClockMode::Manual => 0,
        };
        let elapsed_ms = elapsed_ms.saturating_add(self.advanced_ms.load(Ordering::SeqCst));
        self.start.saturating_add(SignedDuration::from_millis(elapsed_ms)).unwrap_or(Timestamp::MAX)
    }

    /// The moment that signatures name. The merchant compares it with a clock that runs in real
    /// time, or that the same test moves.
    pub(crate) fn signing_time(&self) -> Timestamp {
        match self.mode {
            ClockMode::Running(_) => {
                let elapsed = self.started.elapsed();
                self.start.saturating_add(elapsed).unwrap_or(Timestamp::MAX)
            }
            ClockMode::Manual => self.now(),
        }
    }

    /// The moment `after` from now.
    pub(crate) fn after(&self, after: Duration) -> Timestamp {
        self.now().saturating_add(after).unwrap_or(Timestamp::MAX)
    }

    /// Keeps an event until the virtual clock reaches `due`.
    pub(crate) fn schedule(&self, due: Timestamp, event: Event) {
        let mut queue = self.lock();
        queue.scheduled += 1;
        let key = (due, queue.scheduled);
        queue.events.insert(key, event);
        drop(queue);
        self.queue_changed.notify_one();
    }

    /// Moves the clock forward to `at`. A moment in the past has no effect.
    pub(crate) fn move_to(&self, at: Timestamp) {
        let step = i64::try_from(at.duration_since(self.now()).as_millis()).unwrap_or(0);
        self.advanced_ms.fetch_add(step.max(0), Ordering::SeqCst);
    }

    /// Waits until another event is scheduled.
    pub(crate) async fn changed(&self) {
        self.queue_changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the first event is due; `None` if none is scheduled.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.lock().events.first_key_value().map(|((due, _), _)| *due)
    }

    /// Removes the first event that is due.
    pub(crate) fn take_due(&self) -> Option<Event> {
        let now = self.now();
        let mut queue = self.lock();
        let entry = queue.events.first_entry()?;
        (entry.key().0 <= now).then(|| entry.remove())
    }

    /// The real time until the virtual clock reaches `due`. A manual clock never does by itself.
    pub(crate) fn real_time_until(&self, due: Timestamp) -> Duration {
        let ClockMode::Running(Speed(thousandths)) = self.mode else { return Duration::MAX };
        let left = Duration::try_from(due.duration_since(self.now())).unwrap_or_default();
        let real_ms = left.as_millis() * 1000 / u128::from(thousandths);
        // Rounded up, so that the event is due when the sleep ends.
        Duration::from_millis(u64::try_from(real_ms).unwrap_or(u64::MAX).saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_positive_decimal_factor() {
        assert_eq!(Speed::parse("1"), Some(Speed::REAL_TIME));
        assert_eq!(Speed::parse("0.5"), Some(Speed(500)));
        assert_eq!(Speed::parse("20.25"), Some(Speed(20_250)));
        for text in ["", "0", "0.000", "-1", "1.", ".5", "1e3", "x", "0.0001", "10000000"] {
            assert_eq!(Speed::parse(text), None, "{text:?}");
        }
    }
}
