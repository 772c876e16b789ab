//! Background workers. Due work is stored and leased, so it survives a restart.

mod callbacks;
mod external_writes;
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
    // Nodes of a cluster publish their changes.
    if app.store.cluster_link().is_none() {
        app.tasks.spawn(external_writes::run(app.clone()));
    }
    app.tasks.spawn(callbacks::run(app.clone(), called_back));
}
