//! `tua logs`: requests, events and webhook deliveries of test mode, as they happen or of one
//! request (docs/reference/command-line.md#develop-a-shop).

use super::{
    event_stream::EventStream,
    log_page::{Delivery, Page, Printed, Request},
    logged_request,
    poll_pace::PollPace,
    test_api::{ApiFault, ApiFlag, TestApi},
};
use crate::cli::{context::Common, fault::Fault, stop_signals::install_stop_signals};
use clap::{Args, Subcommand, ValueEnum};
use std::time::Instant;

/// The longest that one request waits, in seconds.
const WAIT_SECONDS: &str = "20";

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Logs {
    #[command(subcommand)]
    command: Option<LogsCommand>,
    /// Print the request with this x-request-id, and events and deliveries about what it created
    #[arg(long, value_name = "ID", required = true)]
    request: Option<String>,
    #[command(flatten)]
    api: ApiFlag,
}

#[derive(Subcommand, Debug)]
enum LogsCommand {
    /// Print requests, events and webhook deliveries of test mode as they happen
    Tail(Tail),
}

#[derive(Args, Debug)]
struct Tail {
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

impl Logs {
    /// Prints what happens until SIGINT or SIGTERM, or what happened because of a request.
    ///
    /// # Errors
    /// One line: the service refuses a request, or does not have the one that is looked for.
    pub(crate) async fn run(self, common: Common) -> Result<(), Fault> {
        if let Some(id) = &self.request {
            let api = TestApi::from_environment(&self.api.api_url)?;
            return logged_request::print(&common, &api, id).await;
        }
        let Some(LogsCommand::Tail(tail)) = self.command else { return Ok(()) };
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

    async fn follow(&self, common: &Common, api: &TestApi) -> Result<(), Fault> {
        let begun: Page = api.get("/logs", &[]).await?;
        let events =
            if self.has(Kind::Event) { Some(EventStream::begin(api, &[]).await?) } else { None };
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
    ) -> Result<(), Fault> {
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
                    fault.wait_to_retry().await?;
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
    fn print(&self, common: &Common, page: Page) -> Result<(), Fault> {
        let requests = page.requests.iter().filter(|one| self.shows_request(one));
        let deliveries = page.deliveries.iter().filter(|one| self.shows_delivery(one));
        let requests = requests.map(|one| (one.number, Printed::request(one)));
        let deliveries = deliveries.map(|one| (one.number, Printed::delivery(one)));
        let mut entries: Vec<_> = requests.chain(deliveries).collect();
        entries.sort_unstable_by_key(|(number, _)| *number);
        entries.iter().try_for_each(|(_, printed)| printed.print(common))
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
) -> Option<Result<(), Fault>> {
    let mut events = events?;
    loop {
        match events.next().await {
            Ok(events) => {
                let printed =
                    events.iter().try_for_each(|event| Printed::event(event).print(common));
                if let Err(fault) = printed {
                    return Some(Err(fault));
                }
            }
            Err(fault) => return Some(Err(fault.into())),
        }
    }
}
