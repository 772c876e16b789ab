//! `tua events`: forwards one event of test mode again
//! (docs/reference/command-line.md#develop-a-shop).

use super::{
    event::Event,
    forward::{Forwarder, SECRET_VARIABLE},
    listen::print_forwarded,
    test_api::{ApiFlag, TestApi, parse_url},
};
use crate::cli::{context::Common, fault::Fault};
use clap::Subcommand;
use std::process::ExitCode;
use url::Url;

/// The exit code if the receiver did not accept the event.
const NOT_ACCEPTED: u8 = 1;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Send an event of test mode to an address again; exit code 1 if it is not accepted
    Resend {
        /// The event's id (msg_…), as `tua listen` prints it
        #[arg(value_parser = parse_event_id)]
        id: String,
        /// The address that receives the event
        #[arg(long, value_name = "URL", value_parser = parse_url)]
        forward_to: Url,
        #[command(flatten)]
        api: ApiFlag,
    },
}

/// Reads the id of an event. It becomes a part of a path, so it has letters and digits only.
fn parse_event_id(text: &str) -> Result<String, String> {
    let is_id = text.strip_prefix("msg_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if is_id {
        Ok(text.to_owned())
    } else {
        Err("it must be msg_ with letters and digits after it, as tua listen prints it".to_owned())
    }
}

impl Command {
    pub(crate) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let Self::Resend { id, forward_to, api } = self;
        let api = TestApi::from_environment(&api.api_url)?;
        let forwarder = Forwarder::from_environment(&forward_to)?.ok_or_else(|| {
            format!(
                "{SECRET_VARIABLE} is not set: put the secret into it that tua listen has printed"
            )
        })?;
        let event: Event = api.get(&format!("/events/{id}"), &[]).await?;
        if !event.has_data() {
            return Err(format!("{id}: the service cannot read this event").into());
        }
        if print_forwarded(&common, &forwarder, &event).await? {
            Ok(ExitCode::SUCCESS)
        } else {
            Ok(ExitCode::from(NOT_ACCEPTED))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_an_event_has_its_prefix_and_no_path() {
        let id = "msg_019aa5f0c2007d3e8a1b4c5d6e7f8097";
        assert_eq!(parse_event_id(id), Ok(id.to_owned()));
        for text in ["", "msg_", "txn_1", "019aa5f0", "msg_1/..", "msg_1?a", "msg_1_2", "msg_é"] {
            assert!(parse_event_id(text).is_err(), "{text}");
        }
    }
}
