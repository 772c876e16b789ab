//! An event that comes when the sandbox clock is advanced
//! (docs/reference/test-mode.md#the-sandbox-clock).

use super::{
    event::EventPage,
    test_api::{ApiFault, TestApi},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tua_domain::webhook::EventType;

/// How long the event may take. The service does what is due within about a second.
const TIMEOUT: Duration = Duration::from_secs(20);

/// How long one request waits for events, in seconds.
const WAIT_SECONDS: &str = "5";

/// Between two requests, which are answered at once where too many of them wait.
const POLL_PAUSE: Duration = Duration::from_millis(100);

/// Follows the events of one type.
pub(super) struct ClockEvent<'a> {
    api: &'a TestApi,
    event: EventType,
    /// The id of the last event that is known; empty where there is none.
    after: String,
}

impl<'a> ClockEvent<'a> {
    /// Follows the events of this type from now on. Needs the scope `read`.
    pub(super) async fn follow(api: &'a TestApi, event: EventType) -> Result<Self, ApiFault> {
        let newest: EventPage =
            api.get("/events", &[("type", event.as_str()), ("limit", "1")]).await?;
        let newest = newest.data.into_iter().next();
        Ok(Self { api, event, after: newest.map(|newest| newest.event_id).unwrap_or_default() })
    }

    /// Advances the sandbox clock by these seconds, and waits for the event about the payment or
    /// session with this id. Returns its status.
    pub(super) async fn advance(self, seconds: i64, id: &str) -> Result<String, ApiFault> {
        let body = json!({ "seconds": seconds });
        let _: Value = self.api.post("/sandbox/clock/advance", None, &body).await?;
        let event = self.event.as_str();
        self.wait_for(id).await?.ok_or_else(|| {
            ApiFault::Refused(format!(
                "{event} of {id} did not come within {} seconds after the sandbox clock was \
                 advanced by {seconds} seconds",
                TIMEOUT.as_secs()
            ))
        })
    }

    async fn wait_for(mut self, id: &str) -> Result<Option<String>, ApiFault> {
        let end = Instant::now() + TIMEOUT;
        while Instant::now() < end {
            let query = [
                ("after", self.after.as_str()),
                ("type", self.event.as_str()),
                ("wait", WAIT_SECONDS),
                ("limit", "100"),
            ];
            let page: EventPage = self.api.get("/events", &query).await?;
            let subjects = page.data.iter().filter_map(|event| event.subject());
            if let Some(found) = { subjects }.find(|subject| subject.is(id)) {
                return Ok(Some(found.status));
            }
            if let Some(last) = page.data.into_iter().last() {
                self.after = last.event_id;
            }
            tokio::time::sleep(POLL_PAUSE).await;
        }
        Ok(None)
    }
}
