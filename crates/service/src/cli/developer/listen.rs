//! `tua listen`: forwards the events of test mode to a server on the developer's machine, which
//! needs no address that the service can reach (docs/reference/command-line.md#develop-a-shop).

use super::{
    event::{Event, EventPage},
    forward::{Forwarder, SECRET_VARIABLE},
    poll_pace::PollPace,
    test_api::{ApiFault, ApiFlag, TestApi, parse_url},
};
use crate::cli::{context::Common, output, stop_signals::install_stop_signals};
use clap::Args;
use serde_json::json;
use std::time::{Duration, Instant};
use tua_domain::webhook::EventType;
use url::Url;

/// The longest that one request waits for an event, in seconds.
const WAIT_SECONDS: &str = "20";

/// How long to wait before the next request, when the service cannot be reached.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// What a person needs to know if the service does not let requests wait.
const TOO_MANY_WAIT: &str = "the service responds at once instead of waiting for events: too many \
    requests of this address are waiting. Asking less often";

#[derive(Args, Debug)]
pub(crate) struct Listen {
    /// The address that receives the events, such as <http://localhost:9000/webhooks>
    #[arg(long, value_name = "URL", value_parser = parse_url)]
    forward_to: Url,
    /// Only events of these types, separated by commas
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',', value_parser = parse_type)]
    events: Vec<EventType>,
    #[command(flatten)]
    api: ApiFlag,
}

/// Reads the type of an event.
pub(super) fn parse_type(text: &str) -> Result<EventType, String> {
    EventType::parse(text).ok_or_else(|| "it must be a type such as charge.successful".to_owned())
}

impl Listen {
    /// Forwards events until SIGINT or SIGTERM.
    pub(crate) async fn run(self, common: Common) -> Result<(), String> {
        let stop = install_stop_signals()?;
        let api = TestApi::from_environment(&self.api.api_url)?;
        let forwarder = match Forwarder::from_environment(&self.forward_to)? {
            Some(forwarder) => forwarder,
            None => Forwarder::with_new_secret(&self.forward_to)?,
        };
        tokio::select! {
            () = stop => Ok(()),
            ended = self.follow(&common, &api, &forwarder) => ended,
        }
    }

    async fn follow(
        &self,
        common: &Common,
        api: &TestApi,
        forwarder: &Forwarder,
    ) -> Result<(), String> {
        let newest: EventPage =
            api.get("/events", &[("limit", "1")]).await.map_err(ApiFault::into_line)?;
        let mut last = newest.data.into_iter().next();
        self.print_beginning(common, &forwarder.secret)?;
        let mut pace = PollPace::default();
        loop {
            let asked_at = Instant::now();
            let page = match (self.next_page(api, last.as_ref()).await, last.as_ref()) {
                (Ok(page), _) => page,
                (Err(ApiFault::InvalidParameter(_)), Some(gone)) => {
                    eprintln!("tua: {}", missed_line(gone));
                    last = None;
                    continue;
                }
                (Err(ApiFault::Unavailable(line)), _) => {
                    eprintln!("tua: {line}; trying again");
                    tokio::time::sleep(RETRY_PAUSE).await;
                    continue;
                }
                (Err(fault), _) => return Err(fault.into_line()),
            };
            if let Some(pause) = pace.after(asked_at.elapsed(), page.data.len()) {
                if pause.is_first {
                    eprintln!("tua: {TOO_MANY_WAIT}");
                }
                tokio::time::sleep(pause.length).await;
            }
            for event in page.data {
                if event.has_data() {
                    print_forwarded(common, forwarder, &event).await?;
                } else {
                    eprintln!("tua: {}: the service cannot read this event", event.event_id);
                }
                last = Some(event);
            }
        }
    }

    /// The events after the last one, or where there is none, all events.
    async fn next_page(&self, api: &TestApi, last: Option<&Event>) -> Result<EventPage, ApiFault> {
        let after = last.map_or("", |last| last.event_id.as_str());
        let types: Vec<&str> = self.events.iter().map(|one| one.as_str()).collect();
        let types = types.join(",");
        let mut query = vec![("after", after), ("wait", WAIT_SECONDS), ("limit", "100")];
        if !types.is_empty() {
            query.push(("type", &types));
        }
        api.get("/events", &query).await
    }

    /// Prints the secret also where the environment has it: the shop needs it to verify signatures.
    fn print_beginning(&self, common: &Common, secret: &str) -> Result<(), String> {
        let to = without_password(&self.forward_to);
        let begun = json!({ "forwardTo": to.as_str(), "secret": secret });
        let text = format!(
            "Forwarding events of test mode to {to}\n\
             The signing secret, for the shop and for `tua events resend`:\n\
             {SECRET_VARIABLE}={secret}\n\
             To send an event again: tua events resend EVENT_ID --forward-to {to}"
        );
        output::print(common, &begun, &text)
    }
}

/// What a person needs to know if the service has the last event no more.
fn missed_line(gone: &Event) -> String {
    format!(
        "the service no longer has event {}: it keeps events for 30 days, or its database is another \
         one. Events after {} may be missing; continuing with the oldest event",
        gone.event_id, gone.timestamp
    )
}

/// The address as it is printed.
fn without_password(url: &Url) -> Url {
    let mut shown = url.clone();
    // Both fail only for addresses that can have neither.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    shown
}

/// Forwards an event, and prints what came of it.
pub(super) async fn print_forwarded(
    common: &Common,
    forwarder: &Forwarder,
    event: &Event,
) -> Result<bool, String> {
    let forwarded = forwarder.send(event).await?;
    output::print(common, &forwarded, &forwarded.line())?;
    Ok(forwarded.is_accepted())
}
