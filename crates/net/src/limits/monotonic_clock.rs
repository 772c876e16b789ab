//! The service's clock as `governor` reads it: it never runs backwards.

use jiff::Timestamp;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tua_domain::ports::Clock;

/// Elapsed time by a clock that may be set back. Then the time continues from there, so that a
/// client does not wait for the hour by which the machine's clock was set back.
#[derive(Clone, Debug)]
pub(super) struct MonotonicClock(Arc<Reading>);

#[derive(Debug)]
struct Reading {
    clock: Arc<dyn Clock>,
    last: Mutex<(Timestamp, Duration)>,
}

impl MonotonicClock {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        let last = Mutex::new((clock.now(), Duration::ZERO));
        Self(Arc::new(Reading { clock, last }))
    }
}

impl governor::clock::Clock for MonotonicClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Read while the lock is held: otherwise a late reading would look like a clock that was
        // set back.
        let now = self.0.clock.now();
        let passed = Duration::try_from(now.duration_since(last.0)).unwrap_or_default();
        *last = (now, last.1 + passed);
        last.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use governor::clock::Clock as _;

    #[derive(Debug)]
    struct ManualClock(Mutex<i64>);

    #[async_trait]
    impl Clock for ManualClock {
        fn now(&self) -> Timestamp {
            Timestamp::from_second(*self.0.lock().unwrap()).unwrap()
        }

        fn uptime(&self) -> Duration {
            Duration::ZERO
        }

        async fn sleep_until_uptime(&self, _: Duration) {}
    }

    #[test]
    fn the_time_continues_when_the_clock_is_set_back() {
        let manual = Arc::new(ManualClock(Mutex::new(1_000_000)));
        let clock = MonotonicClock::new(manual.clone());
        let seconds: Vec<u64> = [1_000_005, 900_000, 900_002, 900_001, 900_003]
            .map(|second| {
                *manual.0.lock().unwrap() = second;
                clock.now().as_secs()
            })
            .to_vec();
        assert_eq!(seconds, [5, 5, 7, 7, 9]);
    }
}
