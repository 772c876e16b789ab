//! Finds what other processes wrote into the file of a running service without a notice, such as
//! `tua review settle`.

use std::sync::Arc;
use tua_domain::{
    change_notifier::ChangeNotifier,
    ports::{Nodes, StoreError},
};

/// Notifies those who wait for a change of what other processes wrote.
#[derive(Clone, Debug)]
pub struct ExternalWrites {
    /// Tells whether another process has written.
    pub nodes: Arc<dyn Nodes>,
    /// Has those who wait for a change.
    pub changes: Arc<ChangeNotifier>,
}

impl ExternalWrites {
    /// Notifies everybody who waits, if another process has written since the last call. While
    /// nobody waits, the store is not asked.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn notify(&self) -> Result<(), StoreError> {
        let awaited = self.changes.watched_ids();
        if !awaited.is_empty() && self.nodes.changed_externally().await? {
            awaited.iter().for_each(|id| self.changes.notify_local(id));
        }
        Ok(())
    }
}
