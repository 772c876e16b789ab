//! `tua doctor`: finds faults of an installation, and says what to do about each.

mod alert_channels;
mod certificate;
mod dashboard;
mod database;
mod files;
mod mail;
mod network;
mod operator_addresses;
mod operators;
mod proxies;
mod report;
mod settings;
mod stored_secrets;
mod webhooks;

use super::context::{Common, Settings};
use crate::cli::fault::Fault;
use clap::Args;
use database::DatabaseState;
use report::Report;
use std::process::ExitCode;
use tua_domain::ports::Clock;
use tua_system::clock::SystemClock;

/// The exit code if faults were found. An invalid flag is exit code 2, as in every command.
const FAULTS: u8 = 1;

#[derive(Args, Debug)]
pub(super) struct Doctor {
    #[command(flatten)]
    settings: Settings,
    /// Also check what live payments need
    #[arg(long)]
    live: bool,
}

impl Doctor {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let config = self.settings.resolve(&common)?;
        let public_url = config.public_url_at(&config.listen)?;
        let now = SystemClock.now();
        let mut report = Report::default();
        settings::check(&mut report, &config, &public_url);
        files::check(&mut report, &config);
        let DatabaseState { is_served, contents } =
            database::check(&mut report, &config, now).await;
        certificate::check(&mut report, &config, contents.as_ref(), now);
        let live_keys = contents.as_ref().map_or(&[][..], |contents| &contents.live_keys);
        let is_live = self.live || !live_keys.is_empty();
        settings::check_limits(&mut report, &config, live_keys.len());
        let connected = match contents {
            Some(_) => operators::connected(&config).await,
            None => Vec::new(),
        };
        operators::check_routes(&mut report, &config, &connected, live_keys, self.live);
        operators::check_keys(&mut report, &config, &connected, live_keys);
        if let Some(contents) = &contents {
            webhooks::check(&mut report, contents);
            operators::check_pending(&mut report, &config).await;
            stored_secrets::check(&mut report, &config).await;
        }
        if self.live {
            operator_addresses::check(&mut report, &config, now).await;
            operators::check_connections(&mut report, &config).await;
        }
        if !is_served {
            network::check_listeners(&mut report, &config);
        }
        let clock_reading = network::check(&mut report, &public_url, is_served, self.live).await;
        mail::check(&mut report, &config, &public_url).await;
        mail::check_given_up(
            &mut report,
            contents.as_ref().map_or(0, |contents| contents.mail_given_up),
        );
        dashboard::check(&mut report, &config, &public_url, is_live);
        proxies::check(&mut report, &config, &public_url, is_live).await;
        network::check_clock(
            &mut report,
            now,
            contents.and_then(|contents| contents.newest),
            clock_reading,
        );
        report.print(&common)?;
        Ok(if report.has_faults() { ExitCode::from(FAULTS) } else { ExitCode::SUCCESS })
    }
}
