//! Due work. It lives in the store, is leased, and survives a restart.

pub mod nodes;
mod reconcile;
mod webhooks;

use crate::app::App;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedReceiver;

/// Starts the workers; they end when the service stops.
pub fn start(app: &Arc<App>, callbacks: UnboundedReceiver<String>) {
    app.tasks.spawn(reconcile::run(app.clone()));
    app.tasks.spawn(webhooks::run(app.clone()));
    app.tasks.spawn(take_callbacks(app.clone(), callbacks));
}

/// Each callback in a task of its own, so that a slow one holds up none of the others.
async fn take_callbacks(app: Arc<App>, mut callbacks: UnboundedReceiver<String>) {
    loop {
        tokio::select! {
            reference = callbacks.recv() => match reference {
                Some(reference) => drop(app.tasks.spawn(crate::domain::settle::hinted(app.clone(), reference))),
                None => return,
            },
            () = app.stopping.cancelled() => return,
        }
    }
}
