//! `tua serve`: runs the service until it receives SIGTERM or SIGINT.

use super::{
    context::{Common, Settings},
    fault::Fault,
    output,
    stop_signals::install_stop_signals,
};
use crate::Running;
use serde::Serialize;
use std::{
    io::{self, IsTerminal},
    sync::Arc,
};
use tua_domain::{audit::Source, ports::StoreError};
use tua_system::{actor::audit_context, clock::SystemClock};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReadyReport<'a> {
    listening: String,
    public_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<String>,
    /// The listener that redirects to HTTPS.
    #[serde(skip_serializing_if = "Option::is_none")]
    redirecting: Option<String>,
}

pub(super) async fn run(common: Common, settings: Settings) -> Result<(), Fault> {
    let config = settings.resolve(&common)?;
    let stop = install_stop_signals()?;
    let database = config.database.to_string();
    let provider_makes_owners =
        config.oidc.as_ref().is_some_and(|provider| provider.makes_owners());
    let running = crate::start(config, Arc::new(SystemClock)).await?;
    let metrics = running.metrics_addr().map(|address| format!("http://{address}/metrics"));
    let ready = ReadyReport {
        listening: running.local_addr().to_string(),
        public_url: running.public_url(),
        metrics,
        redirecting: running.http_addr().map(|address| address.to_string()),
    };
    let metrics =
        ready.metrics.as_ref().map_or_else(String::new, |url| format!(", metrics at {url}"));
    let text =
        format!("tua listens on {}, public URL {}{metrics}", ready.listening, ready.public_url);
    output::print(&common, &ready, &text)?;
    log_first_steps(&running, &database).await?;
    if !provider_makes_owners {
        print_first_link(&running).await?;
    }
    stop.await;
    running.stop().await;
    Ok(())
}

/// Before there is an account, says where the data is and what to run next.
async fn log_first_steps(running: &Running, database: &str) -> Result<(), String> {
    if running.accounts.list().await.map_err(|error| error.to_string())?.is_empty() {
        tracing::info!(
            database,
            "there is no account yet; create one with `tua account create --name NAME`"
        );
    }
    Ok(())
}

/// Where nobody can sign in to the dashboard yet, prints a link for the first set-up, if standard
/// error is a terminal. Otherwise names the command, because a link in a log file is a secret in a
/// log file.
async fn print_first_link(running: &Running) -> Result<(), String> {
    let Some(origin) = running.dashboard_url() else { return Ok(()) };
    let describe = |error: StoreError| error.to_string();
    if running.enrolments.is_anybody_enrolled().await.map_err(describe)? {
        return Ok(());
    }
    if !io::stderr().is_terminal() {
        tracing::info!("nobody can sign in to the dashboard yet; see `tua user invite --help`");
        return Ok(());
    }
    let by = audit_context(Source::Start, None, &running.enrolments.keys, running.clock.now());
    if let Some(path) = running.enrolments.first_set_up(&by).await.map_err(describe)? {
        eprintln!("Set up the dashboard, within an hour: {origin}{path}");
    }
    Ok(())
}
