//! The link to the other nodes on the same database: publishes changes of this node, and subscribes to theirs.
//!
//! A lost notification (a node was killed, or a connection broke) is made up for within a second: this worker also polls the
//! transactions that long polls wait for. It uses real time, because the nodes are different processes.

use crate::{
    app::App,
    domain::{
        TransactionId,
        ports::{ChangeSubscription, Store, StoreError},
        secret::ServerKey,
    },
};
use std::{collections::HashMap, future::Future, sync::Arc, time::Duration};
use tokio::sync::mpsc::UnboundedReceiver;
use tracing::{info, warn};

/// The polling interval for transactions that long polls wait for.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The delay before a broken subscription is opened again.
const RECONNECT_DELAY: Duration = Duration::from_millis(250);

/// The delay between two notifications; changes meanwhile share the next one.
const PUBLISH_INTERVAL: Duration = Duration::from_millis(10);

/// The largest number of changes in one call of `publish`.
const MAX_PUBLISHED: usize = 500;

/// The open line to the other nodes.
#[derive(Debug)]
pub struct Neighbours(Box<dyn ChangeSubscription>);

impl Neighbours {
    /// Agrees with the other nodes about the server key and opens the line; nothing where the store is
    /// this node's alone.
    ///
    /// # Errors
    /// One line.
    pub async fn greet(store: &dyn Store, instance: &str, key: &ServerKey) -> Result<Option<Self>, String> {
        let Some(cluster_link) = store.cluster_link() else { return Ok(None) };
        cluster_link.verify_server_key(key).await?;
        let subscription = cluster_link.join(instance).await.map_err(|error| error.to_string())?;
        Ok(Some(Self(subscription)))
    }

    /// Tells and hears until the service stops.
    pub fn attend(self, app: &Arc<App>, changes: UnboundedReceiver<TransactionId>) {
        app.tasks.spawn(until_stopped(app.clone(), publish(app.clone(), changes)));
        app.tasks.spawn(until_stopped(app.clone(), subscribe(app.clone(), self.0)));
        app.tasks.spawn(until_stopped(app.clone(), poll(app.clone())));
    }
}

async fn until_stopped(app: Arc<App>, work: impl Future<Output = ()>) {
    tokio::select! {
        () = work => {}
        () = app.stopping.cancelled() => {}
    }
}

async fn publish(app: Arc<App>, mut changes: UnboundedReceiver<TransactionId>) {
    let mut changed = Vec::new();
    while changes.recv_many(&mut changed, MAX_PUBLISHED).await > 0 {
        let Some(cluster_link) = app.store.cluster_link() else { return };
        if let Err(error) = cluster_link.publish(&changed).await {
            warn!(%error, "cannot notify the other nodes of a change; they find it within a second");
        }
        changed.clear();
        tokio::time::sleep(PUBLISH_INTERVAL).await;
    }
}

async fn subscribe(app: Arc<App>, mut subscription: Box<dyn ChangeSubscription>) {
    loop {
        while let Some(changed) = subscription.next().await {
            changed.iter().for_each(|id| app.changes.notify_local(id));
        }
        warn!("the subscription to the other nodes is broken; opening it again");
        subscription = loop {
            tokio::time::sleep(RECONNECT_DELAY).await;
            let Some(cluster_link) = app.store.cluster_link() else { return };
            match cluster_link.join(&app.instance).await {
                Ok(subscription) => break subscription,
                Err(error) => warn!(%error, "cannot subscribe to the other nodes; trying again"),
            }
        };
        info!("subscribed to the other nodes again");
    }
}

async fn poll(app: Arc<App>) {
    let mut known = HashMap::new();
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        match versions(&app).await {
            Ok(versions) => {
                for (id, version) in &versions {
                    // Also notifies of ids that are polled for the first time: they may have changed just before.
                    if known.get(id) != Some(version) {
                        app.changes.notify_local(id);
                    }
                }
                known = versions;
            }
            Err(error) => warn!(%error, "cannot poll watched transactions; trying again"),
        }
    }
}

async fn versions(app: &App) -> Result<HashMap<TransactionId, u32>, StoreError> {
    let watched = app.changes.watched_ids();
    match app.store.cluster_link() {
        Some(cluster_link) if !watched.is_empty() => Ok(cluster_link.versions(&watched).await?.into_iter().collect()),
        _ => Ok(HashMap::new()),
    }
}
