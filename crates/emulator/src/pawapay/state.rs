//! The state of pawaPay in addition to its orders.

use super::provider::{Operation, ProviderStatus};
use jiff::Timestamp;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tua_contract::Network;

/// The state of pawaPay in addition to its orders.
#[derive(Debug, Default)]
pub(crate) struct Pawapay {
    statuses: Mutex<HashMap<(Network, Operation), ProviderStatus>>,
    statements: Mutex<Vec<Statement>>,
}

impl Pawapay {
    /// How a provider works at present.
    pub(super) fn provider_status(&self, network: Network, operation: Operation) -> ProviderStatus {
        let statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        statuses.get(&(network, operation)).copied().unwrap_or(ProviderStatus::Operational)
    }

    /// Stores the status of a provider.
    pub(super) fn set_provider_status(
        &self,
        network: Network,
        operation: Operation,
        status: ProviderStatus,
    ) {
        let mut statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        statuses.insert((network, operation), status);
    }

    /// The statements that were requested, oldest first.
    pub(super) fn statements(&self) -> MutexGuard<'_, Vec<Statement>> {
        self.statements.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A statement that was requested.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) id: String,
    pub(super) request: Value,
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
    pub(super) created: Timestamp,
    /// When it was made; `None` while it is not.
    pub(super) completed: Option<Timestamp>,
    /// The file, once it is made.
    pub(super) file: Vec<u8>,
    /// The host in the addresses of downloads.
    pub(super) host: String,
}
