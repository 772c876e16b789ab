//! Exchanges messages with the other nodes on the same database: publishes the changes of this node
//! and of its circuit breakers, and applies those of others.
//!
//! A change that was not published, because its node was killed or a connection broke, is found
//! within a second, since awaited transactions are also polled. All of it runs on real time, since
//! it is between processes.

use std::{collections::HashMap, sync::Arc, time::Duration};
use tokio::sync::mpsc::UnboundedReceiver;
use tracing::{info, warn};
use tua_domain::{
    TransactionId,
    change_notifier::ChangeNotifier,
    ports::{ChangeSubscription, Clock, ClusterLink, ClusterMessage, Nodes, StoreError},
    routing::Operators,
};
use tua_use_cases::OperatorConnections;

/// The interval at which awaited transactions are polled.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The pause before a broken subscription is opened again.
const RETRY_PAUSE: Duration = Duration::from_millis(250);

/// Between two publications: what changes meanwhile is published together.
const PUBLISH_INTERVAL: Duration = Duration::from_millis(10);

/// How many changes are published at once.
const PUBLISH_BATCH: usize = 500;

/// An open subscription to the changes of the other nodes.
#[derive(Debug)]
pub struct NodeSubscription(Box<dyn ChangeSubscription>);

/// Publishes the changes of this node, and applies those of other nodes.
#[derive(Debug)]
pub struct ClusterExchange {
    /// Has the link to the other nodes: the database must be shared.
    pub nodes: Arc<dyn Nodes>,
    /// Who waits for changes on this node.
    pub changes: Arc<ChangeNotifier>,
    /// This node among others.
    pub instance: String,
    /// Loads the operators that people connected, when another node has changed them.
    pub connections: OperatorConnections,
    /// The operators, whose breakers open and close on all nodes.
    pub operators: Operators,
    /// The time at which changes of other nodes' circuit breakers are applied.
    pub clock: Arc<dyn Clock>,
}

/// Subscribes to the changes of other nodes; `None` where the store belongs to this node alone.
///
/// # Errors
/// One line that says what failed.
pub async fn join(nodes: &dyn Nodes, instance: &str) -> Result<Option<NodeSubscription>, String> {
    let Some(cluster) = nodes.cluster_link() else { return Ok(None) };
    let subscription = cluster.join(instance).await.map_err(|error| error.to_string())?;
    Ok(Some(NodeSubscription(subscription)))
}

impl ClusterExchange {
    /// Publishes the messages of this node until their sender is dropped.
    pub async fn publish(self: Arc<Self>, mut messages: UnboundedReceiver<ClusterMessage>) {
        let mut batch = Vec::new();
        while messages.recv_many(&mut batch, PUBLISH_BATCH).await > 0 {
            let Some(cluster) = self.cluster() else { return };
            if let Err(error) = cluster.publish(&self.instance, &batch).await {
                warn!(%error, "changes could not be published; the other nodes find them within a \
                    second");
            }
            batch.clear();
            tokio::time::sleep(PUBLISH_INTERVAL).await;
        }
    }

    /// Applies the messages of other nodes, until the service stops.
    pub async fn receive(self: Arc<Self>, NodeSubscription(mut subscription): NodeSubscription) {
        loop {
            while let Some(messages) = subscription.next().await {
                messages.iter().for_each(|message| self.apply(message));
            }
            warn!("the subscription to the other nodes' changes is broken; it is opened again");
            subscription = loop {
                tokio::time::sleep(RETRY_PAUSE).await;
                let Some(cluster) = self.cluster() else { return };
                match cluster.join(&self.instance).await {
                    Ok(subscription) => break subscription,
                    Err(error) => warn!(%error, "the subscription cannot be opened; trying again"),
                }
            };
            info!("the subscription to the other nodes' changes is open again");
        }
    }

    /// Polls awaited transactions for changes that nobody published, for ever.
    pub async fn poll(self: Arc<Self>) {
        let mut known = HashMap::new();
        loop {
            tokio::time::sleep(POLL_INTERVAL).await;
            match self.versions().await {
                Ok(versions) => {
                    for (id, version) in &versions {
                        // Also at the first poll: it may have changed just before.
                        if known.get(id) != Some(version) {
                            self.changes.notify_local(id);
                        }
                    }
                    known = versions;
                }
                Err(error) => {
                    warn!(%error, "awaited transactions could not be polled; trying again")
                }
            }
        }
    }

    fn apply(&self, message: &ClusterMessage) {
        match message {
            ClusterMessage::Changed(id) => self.changes.notify_local(id),
            ClusterMessage::ConnectedOperators => self.connections.request_load(),
            ClusterMessage::Breaker(change) => {
                self.operators.apply_breaker_change(change, self.clock.now())
            }
        }
    }

    async fn versions(&self) -> Result<HashMap<TransactionId, u32>, StoreError> {
        let awaited = self.changes.watched_ids();
        match self.cluster() {
            Some(cluster) if !awaited.is_empty() => {
                Ok(cluster.versions(&awaited).await?.into_iter().collect())
            }
            _ => Ok(HashMap::new()),
        }
    }

    fn cluster(&self) -> Option<&dyn ClusterLink> {
        self.nodes.cluster_link()
    }
}
