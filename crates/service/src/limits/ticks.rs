//! Our clock as `governor` reads one: it never goes back.

use crate::clock::Clock;
use jiff::Timestamp;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// The time that has passed, by a clock that may be set back: then it goes on from there, so that
/// nobody waits for the hour that the machine's clock was turned back by.
#[derive(Clone, Debug)]
pub(super) struct Ticks(Arc<Reading>);

#[derive(Debug)]
struct Reading {
    clock: Arc<dyn Clock>,
    last: Mutex<(Timestamp, Duration)>,
}

impl Ticks {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        let last = Mutex::new((clock.now(), Duration::ZERO));
        Self(Arc::new(Reading { clock, last }))
    }
}

impl governor::clock::Clock for Ticks {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock, or a reading that comes late would count as a clock set back.
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
    struct Hands(Mutex<i64>);

    #[async_trait]
    impl Clock for Hands {
        fn now(&self) -> Timestamp {
            Timestamp::from_second(*self.0.lock().unwrap()).unwrap()
        }

        async fn sleep_until(&self, _: Timestamp) {}
    }

    #[test]
    fn a_clock_that_is_set_back_goes_on_from_there() {
        let hands = Arc::new(Hands(Mutex::new(1_000_000)));
        let ticks = Ticks::new(hands.clone());
        let seconds: Vec<u64> = [1_000_005, 900_000, 900_002, 900_001, 900_003]
            .map(|second| {
                *hands.0.lock().unwrap() = second;
                ticks.now().as_secs()
            })
            .to_vec();
        assert_eq!(seconds, [5, 5, 7, 7, 9]);
    }
}
