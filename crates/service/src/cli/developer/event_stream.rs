//! Follows the events of test mode as they happen.

use super::{
    event::{Event, EventPage},
    poll_pace::PollPace,
    test_api::{ApiFault, TestApi},
};
use std::time::Instant;
use tua_domain::webhook::EventType;

/// The longest that one request waits for an event, in seconds.
const WAIT_SECONDS: &str = "20";

/// What a person needs to know if the service does not let requests wait.
const TOO_MANY_WAIT: &str = "the service responds at once instead of waiting for events: too many \
    requests of this address are waiting. Asking less often";

/// The events that come after the newest one at its start.
pub(super) struct EventStream<'a> {
    api: &'a TestApi,
    /// Only events of these types, separated by commas; empty for all types.
    types: String,
    /// The event after which it continues; `None` for the oldest one that the service has.
    last: Option<LastEvent>,
    pace: PollPace,
}

struct LastEvent {
    id: String,
    timestamp: String,
}

impl<'a> EventStream<'a> {
    /// Begins after the newest event. The request begins the record of events, too.
    pub(super) async fn begin(api: &'a TestApi, types: &[EventType]) -> Result<Self, ApiFault> {
        let newest: EventPage = api.get("/events", &[("limit", "1")]).await?;
        let types: Vec<&str> = types.iter().map(|one| one.as_str()).collect();
        let last = newest.data.last().map(LastEvent::of);
        Ok(Self { api, types: types.join(","), last, pace: PollPace::default() })
    }

    /// Waits for the next events, at least one. While the service is unavailable, it tries again,
    /// and says so on standard error.
    ///
    /// # Errors
    /// The service refuses the request.
    pub(super) async fn next(&mut self) -> Result<Vec<Event>, ApiFault> {
        loop {
            let asked_at = Instant::now();
            let events = match (self.read().await, &self.last) {
                (Ok(page), _) => page.data,
                (Err(ApiFault::InvalidParameter(_)), Some(gone)) => {
                    eprintln!("tua: {}", gone.missed_line());
                    self.last = None;
                    continue;
                }
                (Err(fault), _) => {
                    fault.wait_to_retry().await?;
                    continue;
                }
            };
            if let Some(pause) = self.pace.after(asked_at.elapsed(), events.len()) {
                if pause.is_first {
                    eprintln!("tua: {TOO_MANY_WAIT}");
                }
                tokio::time::sleep(pause.length).await;
            }
            if let Some(last) = events.last() {
                self.last = Some(LastEvent::of(last));
                return Ok(events);
            }
        }
    }

    async fn read(&self) -> Result<EventPage, ApiFault> {
        let after = self.last.as_ref().map_or("", |last| last.id.as_str());
        let mut query = vec![("after", after), ("wait", WAIT_SECONDS), ("limit", "100")];
        if !self.types.is_empty() {
            query.push(("type", &self.types));
        }
        self.api.get("/events", &query).await
    }
}

impl LastEvent {
    fn of(event: &Event) -> Self {
        Self { id: event.event_id.clone(), timestamp: event.timestamp.clone() }
    }

    /// What a person needs to know if the service has the event no more.
    fn missed_line(&self) -> String {
        format!(
            "the service no longer has event {}: it keeps events for 30 days, or its database is \
             another one. Events after {} may be missing; continuing with the oldest event",
            self.id, self.timestamp
        )
    }
}
