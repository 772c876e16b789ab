//! `tua listen`: forwards the events of test mode to a server on the developer's machine, which
//! needs no address that the service can reach (docs/reference/command-line.md#develop-a-shop).

use super::{
    event::Event,
    event_stream::EventStream,
    forward::{Forwarder, SECRET_VARIABLE},
    test_api::{ApiFlag, TestApi, parse_url},
};
use crate::cli::{context::Common, fault::Fault, output, stop_signals::install_stop_signals};
use clap::Args;
use serde_json::json;
use tua_domain::webhook::EventType;
use url::Url;

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
    EventType::parse(text).ok_or_else(|| {
        "it must be a type such as charge.successful; docs/reference/webhooks.md has all".to_owned()
    })
}

impl Listen {
    /// Forwards events until SIGINT or SIGTERM.
    pub(crate) async fn run(self, common: Common) -> Result<(), Fault> {
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
    ) -> Result<(), Fault> {
        let begun = EventStream::begin(api, &self.events).await;
        let mut events = begun?;
        self.print_beginning(common, &forwarder.secret)?;
        loop {
            for event in events.next().await? {
                if event.has_data() {
                    print_forwarded(common, forwarder, &event).await?;
                } else {
                    eprintln!("tua: {}: the service cannot read this event", event.event_id);
                }
            }
        }
    }

    /// Prints the secret also where the environment has it: the shop needs it to verify signatures.
    fn print_beginning(&self, common: &Common, secret: &str) -> Result<(), Fault> {
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
) -> Result<bool, Fault> {
    let forwarded = forwarder.send(event).await?;
    output::print(common, &forwarded, &forwarded.line())?;
    Ok(forwarded.is_accepted())
}
