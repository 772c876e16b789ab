//! Due work. It lives in the store, is leased, and survives a restart.

mod beside;
mod callbacks;
pub mod nodes;
mod prune;
mod reconcile;
mod webhooks;

use crate::app::App;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedReceiver;

/// Starts the workers; they end when the service stops.
pub fn start(app: &Arc<App>, called_back: UnboundedReceiver<String>) {
    app.tasks.spawn(reconcile::run(app.clone()));
    app.tasks.spawn(webhooks::run(app.clone()));
    app.tasks.spawn(prune::run(app.clone()));
    // Of a database that is shared, its nodes tell each other.
    if app.store.cluster_link().is_none() {
        app.tasks.spawn(beside::run(app.clone()));
    }
    app.tasks.spawn(callbacks::run(app.clone(), called_back));
}
