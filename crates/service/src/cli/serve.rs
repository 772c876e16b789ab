//! `tua serve`: the service, until it is told to stop.

use super::{Common, Settings, output};
use crate::clock::SystemClock;
use serde::Serialize;
use std::{future::Future, sync::Arc};
use tokio::signal::unix::{SignalKind, signal};

/// SIGXFSZ on Linux and the BSDs; left alone it kills a service that meets a limit on the size of files.
const FILE_TOO_LARGE: i32 = 25;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ready<'a> {
    listening: String,
    public_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<String>,
}

pub(super) async fn run(common: Common, settings: Settings) -> Result<(), String> {
    let config = settings.resolve(&common)?;
    let stop = listen_for_stop()?;
    let running = crate::start(config, Arc::new(SystemClock)).await?;
    let metrics = running.metrics_addr().map(|address| format!("http://{address}/metrics"));
    let ready = Ready { listening: running.local_addr().to_string(), public_url: &running.app.public_url, metrics };
    let measured = ready.metrics.as_ref().map_or_else(String::new, |url| format!(", measured at {url}"));
    let people = format!("tua listens on {}, reached at {}{measured}", ready.listening, ready.public_url);
    output::print(&common, &ready, &people)?;
    stop.await;
    running.stop().await;
    Ok(())
}

/// Listens for SIGTERM and Ctrl-C from now on, and returns what waits for one: told to stop while
/// it is still starting, the service stops as it does later.
pub(super) fn listen_for_stop() -> Result<impl Future<Output = ()>, String> {
    let listen = |kind| signal(kind).map_err(|error| format!("signals: {error}"));
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    // Heard and not heeded: the write then fails as on a full disk, which the store copes with.
    drop(listen(SignalKind::from_raw(FILE_TOO_LARGE))?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    })
}
