//! How fast a client asks again that waits for events.

use std::time::Duration;

/// A response without events that comes sooner did not wait: the address of the client has its
/// share of waiting requests already (docs/reference/endpoints.md#rate-limits).
const SHORTEST_WAIT: Duration = Duration::from_secs(1);

const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// As long as the service would wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// The pauses between requests that the service does not let wait. They double.
#[derive(Debug, Default)]
pub(super) struct PollPace {
    pause: Option<Duration>,
}

/// The pause before the next request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pause {
    pub(super) length: Duration,
    /// Whether it is the first one in a row, of which the person is told.
    pub(super) is_first: bool,
}

impl PollPace {
    /// The pause after a response with this number of events, which came after this time. `None`:
    /// ask again at once.
    pub(super) fn after(&mut self, waited: Duration, events: usize) -> Option<Pause> {
        if events > 0 || waited >= SHORTEST_WAIT {
            self.pause = None;
            return None;
        }
        let is_first = self.pause.is_none();
        let length = self.pause.map_or(FIRST_PAUSE, |pause| (pause * 2).min(LONGEST_PAUSE));
        self.pause = Some(length);
        Some(Pause { length, is_first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_ONCE: Duration = Duration::from_millis(5);

    #[test]
    fn pauses_double_and_the_person_is_told_once() {
        let mut pace = PollPace::default();
        let pauses: Vec<_> = (0..7).filter_map(|_| pace.after(AT_ONCE, 0)).collect();
        let seconds: Vec<_> = pauses.iter().map(|pause| pause.length.as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 20, 20]);
        assert_eq!(pauses.iter().filter(|pause| pause.is_first).count(), 1);
        assert!(pauses[0].is_first);
    }

    #[test]
    fn after_an_event_or_a_wait_the_next_request_follows_at_once() {
        let mut pace = PollPace::default();
        for (waited, events) in [(AT_ONCE, 1), (SHORTEST_WAIT, 0)] {
            assert!(pace.after(AT_ONCE, 0).is_some_and(|pause| pause.is_first));
            assert_eq!(pace.after(waited, events), None);
        }
    }
}
