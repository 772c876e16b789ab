//! The operators that people connected, as this process last loaded them. All clones of
//! [`super::Operators`] share them, so that a change needs no restart.

use super::OperatorEntry;
use crate::{AccountId, Kind, connected_operator::ConnectedOperator};
use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};
use tua_contract::Network;

/// An operator that people connected, with credentials in force.
#[derive(Clone, Debug)]
pub struct LoadedOperator {
    /// The entry as the store had it.
    pub stored: ConnectedOperator,
    /// The entry of the connected operator.
    pub entry: Arc<OperatorEntry>,
}

/// For how long a list serves new payments. It is loaded every few seconds; after this time without
/// a load it is not known whether somebody has removed an operator. In real time, as between
/// processes.
const MAX_AGE: Duration = Duration::from_secs(60);

/// The list, and when it was loaded.
#[derive(Clone, Debug, Default)]
struct Load {
    operators: Arc<[LoadedOperator]>,
    /// Those whose credentials this process cannot use.
    unusable: Arc<[ConnectedOperator]>,
    at: Option<Instant>,
}

/// All operators that are loaded from the database.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadedOperators(Arc<RwLock<Load>>);

impl LoadedOperators {
    pub(super) fn all(&self) -> Arc<[LoadedOperator]> {
        self.load().operators
    }

    fn load(&self) -> Load {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn replace(&self, loaded: Vec<LoadedOperator>, unusable: Vec<ConnectedOperator>) {
        self.replace_at(loaded, unusable, Instant::now());
    }

    /// As [`Self::replace`], with the time of the load.
    pub(super) fn replace_at(
        &self,
        loaded: Vec<LoadedOperator>,
        unusable: Vec<ConnectedOperator>,
        at: Instant,
    ) {
        let load = Load { operators: loaded.into(), unusable: unusable.into(), at: Some(at) };
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = load;
    }

    /// Whether the list is young enough that an operator which it does not have is not connected.
    pub(super) fn is_known(&self) -> bool {
        self.load().at.is_some_and(|at| at.elapsed() <= MAX_AGE)
    }

    /// The operators whose credentials this process cannot use, for example because it lacks the
    /// server key that encrypted them. Another process may serve them.
    pub(super) fn unusable(&self) -> Arc<[ConnectedOperator]> {
        self.load().unusable
    }

    /// The first one that is wanted.
    pub(super) fn find(
        &self,
        is_wanted: impl Fn(&LoadedOperator) -> bool,
    ) -> Option<Arc<OperatorEntry>> {
        self.all().iter().find(|one| is_wanted(one)).map(|one| one.entry.clone())
    }

    /// The operator that serves a network and direction of live payments of this account. `None`
    /// where the list is too old.
    pub(super) fn route(
        &self,
        account: &AccountId,
        network: Network,
        kind: Kind,
    ) -> Option<Arc<OperatorEntry>> {
        let load = self.load();
        load.at.filter(|at| at.elapsed() <= MAX_AGE)?;
        let serves = |one: &&LoadedOperator| {
            one.stored.account == *account && one.stored.routes.has(network, kind)
        };
        load.operators.iter().find(serves).map(|one| one.entry.clone())
    }
}
