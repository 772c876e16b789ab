//! `tua events`: forwards one event of test mode again
//! (docs/reference/command-line.md#develop-a-shop).

use super::{
    event::Event,
    forward::Forwarder,
    listen::{LOCAL_API, parse_url, print_forwarded},
    test_api::{ApiFault, TestApi},
};
use crate::cli::context::Common;
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
        id: String,
        /// The address that receives the event
        #[arg(long, value_name = "URL", value_parser = parse_url)]
        forward_to: Url,
        /// The address of the service's API
        #[arg(long, value_name = "URL", default_value = LOCAL_API, value_parser = parse_url)]
        api_url: Url,
    },
}

impl Command {
    pub(crate) async fn run(self, common: Common) -> Result<ExitCode, String> {
        let Self::Resend { id, forward_to, api_url } = self;
        if !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err("the id of an event begins with msg_, as tua listen prints it".to_owned());
        }
        let api = TestApi::from_environment(&api_url)?;
        let forwarder = Forwarder::from_environment(&forward_to)?.ok_or_else(|| {
            "TUA_WEBHOOK_SECRET is not set: put the secret into it that tua listen has printed"
                .to_owned()
        })?;
        let event: Event =
            api.get(&format!("/events/{id}"), &[]).await.map_err(ApiFault::into_line)?;
        if print_forwarded(&common, &forwarder, &event).await? {
            Ok(ExitCode::SUCCESS)
        } else {
            Ok(ExitCode::from(NOT_ACCEPTED))
        }
    }
}
