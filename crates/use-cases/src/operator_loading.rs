//! Loads the operators that people connect into this process, without a restart.

use super::operator_connections::OperatorConnections;
use std::{collections::BTreeMap, sync::Arc};
use tracing::error;
use tua_domain::{
    ConnectedOperatorId, Mode,
    connected_operator::ConnectedOperator,
    ports::StoreError,
    routing::{EntrySource, LoadedOperator, OperatorEntry},
};

impl OperatorConnections {
    /// Loads the operators that have credentials in force. Those that have not changed keep their
    /// connections and circuit breakers. One whose credentials cannot be read is left out: its
    /// payments wait.
    ///
    /// # Errors
    /// Those of the store; then the operators stay as they are.
    pub async fn load(&self) -> Result<(), StoreError> {
        let mut unusable = self.loading.unusable.lock().await;
        let stored = self.store.connected_operators(None).await?;
        let before = self.operators.connected();
        let mut loaded = Vec::new();
        let mut left_out = Vec::new();
        for stored in stored.into_iter().filter(|stored| stored.in_force().is_some()) {
            let known = before.iter().find(|one| is_same_connection(&one.stored, &stored));
            let entry = match known {
                Some(known) => Some(known.entry.clone()),
                None => self.entry(&stored, &mut unusable),
            };
            match entry {
                Some(entry) => loaded.push(LoadedOperator { stored, entry }),
                None => left_out.push(stored),
            }
        }
        self.operators.replace_connected(loaded, left_out);
        Ok(())
    }

    /// Encrypts with the current server key what an earlier one encrypted. Only the service does
    /// this, never a command.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn reseal(&self) -> Result<(), StoreError> {
        if self.keys.all().len() < 2 || !self.keys.is_current_the_newest() {
            return Ok(());
        }
        for loaded in self.store.connected_operators(None).await? {
            if let Some(resealed) = loaded.resealed(&self.keys) {
                self.store.reseal_connected_operator(&resealed).await?;
            }
        }
        Ok(())
    }

    /// Asks for a load, because something has changed, here or on another node.
    pub fn request_load(&self) {
        self.loading.requested.notify_one();
    }

    /// Returns when a load was asked for.
    pub async fn load_requested(&self) {
        self.loading.requested.notified().await;
    }

    /// The entry of the credentials in force. One that cannot be used is logged once for each
    /// version, since it is tried again with every load.
    fn entry(
        &self,
        stored: &ConnectedOperator,
        unusable: &mut BTreeMap<ConnectedOperatorId, u32>,
    ) -> Option<Arc<OperatorEntry>> {
        let credentials = stored.in_force()?;
        let operator = self.open(stored, credentials);
        match &operator {
            Ok(_) => drop(unusable.remove(&stored.id)),
            Err(fault) => {
                if unusable.insert(stored.id.clone(), stored.version) != Some(stored.version) {
                    error!(operator = %stored.id, fault, "a connected operator cannot be used");
                }
            }
        }
        Some(Arc::new(OperatorEntry {
            source: EntrySource::Dashboard(stored.id.clone()),
            accounts: Some(vec![stored.account.clone()]),
            credentials_since: stored.checked_at,
            is_draining: stored.retired_at.is_some(),
            ..OperatorEntry::new(stored.pin(), Mode::Live, operator.ok()?)
        }))
    }
}

/// Whether the connection of one may be used for the other: its credentials are those that were
/// accepted at the same time, by whatever key they are encrypted.
fn is_same_connection(one: &ConnectedOperator, other: &ConnectedOperator) -> bool {
    one.id == other.id
        && one.account == other.account
        && one.connector == other.connector
        && one.checked_at == other.checked_at
        && one.retired_at == other.retired_at
}
