//! `tua logs tail`: requests, events and webhook deliveries of test mode as they happen
//! (docs/reference/command-line.md#develop-a-shop).

use super::{
    event::Event,
    event_stream::EventStream,
    poll_pace::PollPace,
    test_api::{ApiFault, ApiFlag, TestApi},
};
use crate::cli::{context::Common, output, stop_signals::install_stop_signals};
use clap::{Args, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Instant;

/// The longest that one request waits, in seconds.
const WAIT_SECONDS: &str = "20";

#[derive(Subcommand, Debug)]
pub(crate) enum LogsCommand {
    /// Print requests, events and webhook deliveries of test mode as they happen
    Tail(Tail),
}

#[derive(Args, Debug)]
pub(crate) struct Tail {
    /// Only these kinds, separated by commas
    #[arg(long = "type", value_name = "KIND,…", value_delimiter = ',', conflicts_with = "failed")]
    kinds: Vec<Kind>,
    /// Only requests that were refused, and deliveries that failed
    #[arg(long)]
    failed: bool,
    #[command(flatten)]
    api: ApiFlag,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Kind {
    /// Requests to the API with a test key or a checkout token
    Request,
    /// Events, as webhooks have them
    Event,
    /// Attempts to deliver webhooks
    Delivery,
}

/// What a person needs to know if the service has the log no more that the command followed.
const LOG_GONE: &str = "the service has another log than before: it was restarted, or another node \
    responds. Entries may be missing; continuing with the oldest one that is new";

/// A page of `GET /v1/logs`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    requests: Vec<Request>,
    deliveries: Vec<Delivery>,
    last: u64,
    missed: u64,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    #[serde(skip_serializing)]
    number: u64,
    time: String,
    request_id: String,
    method: String,
    route: String,
    status: u16,
    code: Option<String>,
    key_id: Option<String>,
    duration_ms: u64,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Delivery {
    #[serde(skip_serializing)]
    number: u64,
    time: String,
    delivery_id: String,
    endpoint_id: String,
    event_id: String,
    r#type: String,
    attempt: u32,
    http_status: Option<u16>,
    fault: Option<String>,
}

impl LogsCommand {
    /// Prints what happens until SIGINT or SIGTERM.
    pub(crate) async fn run(self, common: Common) -> Result<(), String> {
        let Self::Tail(tail) = self;
        let stop = install_stop_signals()?;
        let api = TestApi::from_environment(&tail.api.api_url)?;
        tokio::select! {
            () = stop => Ok(()),
            ended = tail.follow(&common, &api) => ended,
        }
    }
}

impl Tail {
    fn has(&self, kind: Kind) -> bool {
        let is_named = self.kinds.is_empty() || self.kinds.contains(&kind);
        is_named && !(self.failed && kind == Kind::Event)
    }

    fn has_logs(&self) -> bool {
        self.has(Kind::Request) || self.has(Kind::Delivery)
    }

    async fn follow(&self, common: &Common, api: &TestApi) -> Result<(), String> {
        let begun: Page = api.get("/logs", &[]).await.map_err(ApiFault::into_line)?;
        let events = if self.has(Kind::Event) {
            Some(EventStream::begin(api, &[]).await.map_err(ApiFault::into_line)?)
        } else {
            None
        };
        // Not to standard output, which has one entry on each line.
        eprintln!("Following test mode from now on. Ctrl-C ends.");
        tokio::select! {
            ended = self.follow_logs(common, api, begun.last), if self.has_logs() => ended,
            Some(ended) = follow_events(common, events) => ended,
        }
    }

    async fn follow_logs(
        &self,
        common: &Common,
        api: &TestApi,
        mut last: u64,
    ) -> Result<(), String> {
        let mut pace = PollPace::default();
        // No entry is printed twice, also if two nodes respond by turns.
        let mut newest = last;
        loop {
            let asked_at = Instant::now();
            let after = last.to_string();
            let query = [("after", &*after), ("wait", WAIT_SECONDS), ("limit", "100")];
            let mut page: Page = match api.get("/logs", &query).await {
                Ok(page) => page,
                Err(ApiFault::InvalidParameter(_)) if last > 0 => {
                    eprintln!("tua: {LOG_GONE}");
                    last = 0;
                    continue;
                }
                Err(fault) => {
                    fault.wait_to_retry().await.map_err(ApiFault::into_line)?;
                    continue;
                }
            };
            if page.missed > 0 {
                eprintln!("tua: {} entries are missing: too much happened at once", page.missed);
            }
            last = page.last;
            page.requests.retain(|one| one.number > newest);
            page.deliveries.retain(|one| one.number > newest);
            newest = newest.max(last);
            let entries = page.requests.len() + page.deliveries.len();
            self.print(common, page)?;
            if let Some(pause) = pace.after(asked_at.elapsed(), entries) {
                tokio::time::sleep(pause.length).await;
            }
        }
    }

    /// Prints a page in the order in which it happened.
    fn print(&self, common: &Common, page: Page) -> Result<(), String> {
        let requests = page.requests.iter().filter(|one| self.shows_request(one));
        let deliveries = page.deliveries.iter().filter(|one| self.shows_delivery(one));
        let requests = requests.map(|one| (one.number, of_kind("request", one), one.line()));
        let deliveries = deliveries.map(|one| (one.number, of_kind("delivery", one), one.line()));
        let mut entries: Vec<_> = requests.chain(deliveries).collect();
        entries.sort_unstable_by_key(|(number, ..)| *number);
        entries.iter().try_for_each(|(_, json, line)| output::print(common, json, line))
    }

    /// Not requests for events: this command sends them, and `tua listen`.
    fn shows_request(&self, request: &Request) -> bool {
        let is_own = request.route == "/v1/events";
        self.has(Kind::Request) && !is_own && (!self.failed || request.status >= 400)
    }

    fn shows_delivery(&self, delivery: &Delivery) -> bool {
        self.has(Kind::Delivery) && (!self.failed || delivery.fault.is_some())
    }
}

/// Prints events as they happen; `None` where no events are wanted.
async fn follow_events(
    common: &Common,
    events: Option<EventStream<'_>>,
) -> Option<Result<(), String>> {
    let mut events = events?;
    loop {
        match events.next().await {
            Ok(events) => {
                let printed = events.iter().try_for_each(|event| print_event(common, event));
                if let Err(fault) = printed {
                    return Some(Err(fault));
                }
            }
            Err(fault) => return Some(Err(fault.into_line())),
        }
    }
}

/// An entry with its kind, as `--json` prints it.
fn of_kind(kind: &str, entry: &impl Serialize) -> serde_json::Value {
    let mut value = json!(entry);
    if let Some(members) = value.as_object_mut() {
        members.insert("kind".to_owned(), json!(kind));
    }
    value
}

fn print_event(common: &Common, event: &Event) -> Result<(), String> {
    let Event { event_id, r#type, timestamp, .. } = event;
    let value = json!({ "kind": "event", "time": timestamp, "eventId": event_id, "type": r#type });
    let line = format!("{timestamp}  event     {type}  {event_id}", r#type = r#type);
    output::print(common, &value, &line)
}

impl Request {
    fn line(&self) -> String {
        let code = self.code.as_deref().map(|code| format!("  {code}")).unwrap_or_default();
        format!(
            "{}  request   {} {} {}  {} ms{code}  {}",
            self.time, self.status, self.method, self.route, self.duration_ms, self.request_id
        )
    }
}

impl Delivery {
    fn line(&self) -> String {
        let status = self.http_status.map_or_else(|| "–".to_owned(), |status| status.to_string());
        let fault = self.fault.as_deref().map(|fault| format!("  {fault}")).unwrap_or_default();
        format!(
            "{}  delivery  {status} {} to {}, attempt {}{fault}  {}",
            self.time, self.r#type, self.endpoint_id, self.attempt, self.event_id
        )
    }
}
