//! The signals that stop a command which runs a server.

use std::future::Future;
use tokio::signal::unix::{SignalKind, signal};

/// SIGXFSZ on Linux and the BSDs. Its default action kills a process that exceeds a limit on file
/// sizes.
const SIGXFSZ: i32 = 25;

/// Installs handlers for SIGTERM and SIGINT at once, so that a signal during startup stops the
/// service too. The returned future completes with the first signal.
pub(super) fn install_stop_signals() -> Result<impl Future<Output = ()>, String> {
    let listen = |kind| signal(kind).map_err(|error| format!("signals: {error}"));
    let mut terminate = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    // Handled and ignored: the write fails as on a full disk, which the store handles.
    drop(listen(SignalKind::from_raw(SIGXFSZ))?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    })
}
