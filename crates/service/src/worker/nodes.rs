//! The other nodes on the same database: what changes here is told to them, and what they tell is heard.
//!
//! A change that nobody told of (its node was killed, or a line was broken) is found within a second,
//! since what somebody waits for is also looked at. All of it runs on the real time: it lies between processes.

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

/// How often what somebody waits for is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// How long a broken line stays broken before it is opened again.
const PAUSE: Duration = Duration::from_millis(250);

/// Between two tellings: what changes meanwhile is told together.
const GATHERED: Duration = Duration::from_millis(10);

/// How many changes are told at once.
const TOLD_AT_ONCE: usize = 500;

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
        let line = cluster_link.join(instance).await.map_err(|error| error.to_string())?;
        Ok(Some(Self(line)))
    }

    /// Tells and hears until the service stops.
    pub fn attend(self, app: &Arc<App>, changes: UnboundedReceiver<TransactionId>) {
        app.tasks.spawn(until_stopped(app.clone(), tell(app.clone(), changes)));
        app.tasks.spawn(until_stopped(app.clone(), hear(app.clone(), self.0)));
        app.tasks.spawn(until_stopped(app.clone(), look(app.clone())));
    }
}

async fn until_stopped(app: Arc<App>, work: impl Future<Output = ()>) {
    tokio::select! {
        () = work => {}
        () = app.stopping.cancelled() => {}
    }
}

async fn tell(app: Arc<App>, mut changes: UnboundedReceiver<TransactionId>) {
    let mut changed = Vec::new();
    while changes.recv_many(&mut changed, TOLD_AT_ONCE).await > 0 {
        let Some(cluster_link) = app.store.cluster_link() else { return };
        if let Err(error) = cluster_link.publish(&changed).await {
            warn!(%error, "the other nodes could not be told of a change; they find it within a second");
        }
        changed.clear();
        tokio::time::sleep(GATHERED).await;
    }
}

async fn hear(app: Arc<App>, mut line: Box<dyn ChangeSubscription>) {
    loop {
        while let Some(changed) = line.next().await {
            changed.iter().for_each(|id| app.changes.notify_local(id));
        }
        warn!("the line to the other nodes is broken; it is opened again");
        line = loop {
            tokio::time::sleep(PAUSE).await;
            let Some(cluster_link) = app.store.cluster_link() else { return };
            match cluster_link.join(&app.instance).await {
                Ok(line) => break line,
                Err(error) => warn!(%error, "the line to the other nodes cannot be opened; trying again"),
            }
        };
        info!("the line to the other nodes is open again");
    }
}

async fn look(app: Arc<App>) {
    let mut known = HashMap::new();
    loop {
        tokio::time::sleep(LOOK).await;
        match versions(&app).await {
            Ok(versions) => {
                for (id, version) in &versions {
                    // Also where it is looked at for the first time: it may have changed just before.
                    if known.get(id) != Some(version) {
                        app.changes.notify_local(id);
                    }
                }
                known = versions;
            }
            Err(error) => warn!(%error, "what is waited for could not be looked at; trying again"),
        }
    }
}

async fn versions(app: &App) -> Result<HashMap<TransactionId, u32>, StoreError> {
    let awaited = app.changes.watched_ids();
    match app.store.cluster_link() {
        Some(cluster_link) if !awaited.is_empty() => Ok(cluster_link.versions(&awaited).await?.into_iter().collect()),
        _ => Ok(HashMap::new()),
    }
}
