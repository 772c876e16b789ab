//! The operators that people connected, as this process last loaded them. All clones of
//! [`super::Operators`] share them, so that a change needs no restart.

use super::OperatorEntry;
use crate::{AccountId, Kind, connected_operator::ConnectedOperator};
use std::sync::{Arc, PoisonError, RwLock};
use tua_contract::Network;

/// An operator that people connected, with credentials in force.
#[derive(Clone, Debug)]
pub struct LoadedOperator {
    /// The entry as the store had it.
    pub stored: ConnectedOperator,
    /// The connected operator.
    pub entry: Arc<OperatorEntry>,
}

/// The loaded operators.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadedOperators(Arc<RwLock<Arc<[LoadedOperator]>>>);

impl LoadedOperators {
    pub(super) fn all(&self) -> Arc<[LoadedOperator]> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn replace(&self, loaded: Vec<LoadedOperator>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = loaded.into();
    }

    /// The first one that is wanted.
    pub(super) fn find(
        &self,
        is_wanted: impl Fn(&LoadedOperator) -> bool,
    ) -> Option<Arc<OperatorEntry>> {
        self.all().iter().find(|one| is_wanted(one)).map(|one| one.entry.clone())
    }

    /// The operator that serves a network and direction of live payments of this account.
    pub(super) fn route(
        &self,
        account: &AccountId,
        network: Network,
        kind: Kind,
    ) -> Option<Arc<OperatorEntry>> {
        self.find(|one| one.stored.account == *account && one.stored.routes.has(network, kind))
    }
}
