//! An event that comes when the sandbox clock is advanced
//! (docs/reference/test-mode.md#the-sandbox-clock).

use super::{
    event_stream::EventStream,
    test_api::{ApiFault, TestApi},
};
use serde_json::{Value, json};
use std::time::Duration;
use tua_domain::webhook::EventType;

/// How long the event may take. The service does what is due within about a second.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Follows the events of one type.
pub(super) struct ClockEvent<'a> {
    api: &'a TestApi,
    event: EventType,
    events: EventStream<'a>,
}

impl<'a> ClockEvent<'a> {
    /// Follows the events of this type from now on. Needs the scope `read`.
    pub(super) async fn follow(api: &'a TestApi, event: EventType) -> Result<Self, ApiFault> {
        Ok(Self { api, event, events: EventStream::begin(api, &[event]).await? })
    }

    /// Advances the sandbox clock by these seconds, and waits for the event about the payment or
    /// session with this id. Returns its status.
    pub(super) async fn advance(mut self, seconds: i64, id: &str) -> Result<String, ApiFault> {
        let body = json!({ "seconds": seconds });
        let _: Value = self.api.post("/sandbox/clock/advance", None, &body).await?;
        let found = tokio::time::timeout(TIMEOUT, self.wait_for(id)).await;
        found.unwrap_or_else(|_| {
            Err(ApiFault::Refused(format!(
                "{} of {id} did not come within {} seconds after the sandbox clock was advanced by \
                 {seconds} seconds",
                self.event.as_str(),
                TIMEOUT.as_secs()
            )))
        })
    }

    async fn wait_for(&mut self, id: &str) -> Result<String, ApiFault> {
        loop {
            let events = self.events.next().await?;
            let subjects = events.iter().filter_map(|event| event.subject());
            if let Some(found) = { subjects }.find(|subject| subject.is(id)) {
                return Ok(found.status);
            }
        }
    }
}
