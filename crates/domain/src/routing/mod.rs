//! Which operator serves a payment (docs/reference/operators.md#routing).
//!
//! The operator is chosen when the payment begins, is stored with it, and never changes: what was
//! handed to one operator is never handed to another.

mod breaker;
mod choice;
mod connected;
mod ended;
mod entry;
mod float;
mod last_check;
mod refusals;
mod request;
mod served_accounts;

use super::{
    AccountId, Kind, Mode, TransactionOrder, capabilities::Availability,
    connected_operator::ConnectedOperator, ports::Operator, tariff::Tariffs, transfer::Transfer,
};
use jiff::Timestamp;
use std::{collections::HashMap, ops::RangeInclusive, sync::Arc};
use tua_contract::{Amount, Network};

pub use super::{
    breaker_change::{BreakerChange, BreakerScope, BreakerState},
    pinned_operator::{
        OperatorFingerprint, OperatorName, PinnedOperator, SANDBOX, written_operator_name,
    },
    route_error::RouteError,
};
pub use breaker::Breaker;
pub use connected::LoadedOperator;
use connected::LoadedOperators;
pub use ended::{EndedNetworks, NetworkEnd};
pub use entry::{EntrySource, OperatorEntry};
pub use float::{BalanceReading, Float, KnownFloat};
pub use last_check::{CheckReport, LastCheck};
pub use refusals::RefusalBreakers;
pub use request::{ChosenRoute, NetworkService, NetworkServiceRequest, RouteRequest};
pub use served_accounts::ServedAccounts;

/// The operators in order of preference, by mode, network and direction.
pub type Routes = HashMap<(Mode, Network, Kind), Vec<OperatorName>>;

/// The operators, and how payments are routed to them. Clones share those that people connected.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    sandbox: Option<Arc<dyn Operator>>,
    sandbox_tariffs: Tariffs,
    entries: Vec<Arc<OperatorEntry>>,
    routes: Routes,
    ended: EndedNetworks,
    connected: LoadedOperators,
}

impl Operators {
    /// The operators of the settings.
    #[must_use]
    pub fn new(entries: Vec<Arc<OperatorEntry>>, routes: Routes) -> Self {
        Self { entries, routes, ..Self::default() }
    }

    /// Ends networks: retired ones are refused, and moved ones are routed, priced and served as
    /// those that they became a part of.
    #[must_use]
    pub fn with_ended_networks(self, ended: EndedNetworks) -> Self {
        Self { ended, ..self }
    }

    /// The network on which new payments of a network are sent: another one, where it became a part
    /// of that.
    #[must_use]
    pub const fn sent_as(&self, network: Network) -> Network {
        self.ended.sent_as(network)
    }

    /// A payment that is about to begin, on the network on which it is sent. Its network and its
    /// operator never change, also if the settings do.
    #[must_use]
    pub fn on_its_network(&self, new: TransactionOrder) -> TransactionOrder {
        let network = self.sent_as(new.transfer.network);
        TransactionOrder { transfer: Transfer { network, ..new.transfer }, ..new }
    }

    /// Lets the sandbox charge these tariffs.
    #[must_use]
    pub fn with_sandbox_tariffs(self, sandbox_tariffs: Tariffs) -> Self {
        Self { sandbox_tariffs, ..self }
    }

    /// Serves test mode with this operator, on every network that has no route.
    #[must_use]
    pub fn with_test(mut self, operator: Arc<dyn Operator>) -> Self {
        self.sandbox = Some(operator);
        self
    }

    /// Pins new payments of test mode to the sandbox, so that they are compared with its
    /// statements. It still serves those without a pin.
    #[must_use]
    pub fn with_pinned_sandbox(mut self) -> Self {
        let Some(sandbox) = self.sandbox.clone() else { return self };
        let pin = PinnedOperator::sandbox();
        for network in Network::ALL {
            for kind in Kind::ALL {
                let route = self.routes.entry((Mode::Test, network, *kind));
                route.or_insert_with(|| vec![pin.name.clone()]);
            }
        }
        let tariffs = self.sandbox_tariffs.clone();
        let entry = OperatorEntry::new(pin, Mode::Test, sandbox);
        self.entries.push(Arc::new(OperatorEntry { tariffs, ..entry }));
        self
    }

    /// Serves one network of live mode with this operator, under the network's name.
    #[must_use]
    pub fn with_live(mut self, network: Network, operator: Arc<dyn Operator>) -> Self {
        let name = OperatorName::of_network(network);
        let pin = PinnedOperator {
            fingerprint: OperatorFingerprint::of(&[name.as_str()]),
            name: name.clone(),
        };
        self.entries.push(Arc::new(OperatorEntry::new(pin, Mode::Live, operator)));
        for kind in Kind::ALL {
            self.routes.insert((Mode::Live, network, *kind), vec![name.clone()]);
        }
        self
    }

    /// Every operator: those of the settings, then those that people connected.
    #[must_use]
    pub fn entries(&self) -> Vec<Arc<OperatorEntry>> {
        let connected = self.connected.all();
        let connected = connected.iter().map(|one| one.entry.clone());
        self.entries.iter().cloned().chain(connected).collect()
    }

    /// The operators that people connected, as this process last loaded them.
    #[must_use]
    pub fn connected(&self) -> Arc<[LoadedOperator]> {
        self.connected.all()
    }

    /// Replaces the operators that people connected, and those of them whose credentials cannot be
    /// used here, also in every clone.
    pub fn replace_connected(&self, loaded: Vec<LoadedOperator>, unusable: Vec<ConnectedOperator>) {
        self.connected.replace(loaded, unusable);
    }

    /// The operators that are set up: those that this process serves, and those that people
    /// connected whose credentials it cannot use.
    #[must_use]
    pub fn fingerprints(&self) -> Vec<OperatorFingerprint> {
        let served = self.entries().into_iter().map(|entry| entry.pin.fingerprint.clone());
        let unusable = self.connected.unusable();
        served.chain(unusable.iter().map(|stored| stored.pin().fingerprint)).collect()
    }

    /// The operators that payments of this mode and account may be pinned to, also earlier ones.
    #[must_use]
    pub fn of_account(&self, mode: Mode, account: &AccountId) -> Vec<Arc<OperatorEntry>> {
        let mut entries = self.entries();
        entries.retain(|entry| entry.is_of(mode, account));
        entries
    }

    /// The operator with this name that payments of this mode and account may be pinned to. One of
    /// the settings goes before one that people connected.
    #[must_use]
    pub fn named_in(
        &self,
        mode: Mode,
        account: &AccountId,
        name: &str,
    ) -> Option<Arc<OperatorEntry>> {
        let mut entries = self.of_account(mode, account).into_iter();
        entries.find(|entry| entry.pin.name.as_str() == name)
    }

    /// The operator at whose address a callback arrived: an operator of the settings by its name,
    /// one that people connected by its id.
    #[must_use]
    pub fn called_back(&self, name: &str) -> Option<Arc<OperatorEntry>> {
        let connected = || self.connected.find(|one| one.stored.id.as_str() == name);
        self.named(name).cloned().or_else(connected)
    }

    /// The operator of the settings with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Arc<OperatorEntry>> {
        self.entries.iter().find(|entry| entry.pin.name.as_str() == name)
    }

    /// The operator that serves the payments of a pin, under whatever name.
    #[must_use]
    pub fn entry_of(&self, pin: &PinnedOperator) -> Option<Arc<OperatorEntry>> {
        self.entry_with(&pin.fingerprint)
    }

    /// The [`OperatorEntry::unique_name`] of the operator with this pin, or the name of the pin
    /// where this process has no such operator; without a pin `sandbox`.
    #[must_use]
    pub fn unique_name_of(&self, pin: Option<&PinnedOperator>) -> String {
        let Some(pin) = pin else { return "sandbox".to_owned() };
        match self.entry_of(pin) {
            Some(entry) => entry.unique_name().to_owned(),
            None => pin.name.to_string(),
        }
    }

    fn entry_with(&self, fingerprint: &OperatorFingerprint) -> Option<Arc<OperatorEntry>> {
        let is_wanted = |entry: &Arc<OperatorEntry>| entry.pin.fingerprint == *fingerprint;
        let connected = || self.connected.find(|one| is_wanted(&one.entry));
        let of_settings = self.entries.iter().find(|entry| is_wanted(entry));
        of_settings.cloned().or_else(connected)
    }

    /// Whether the operator that serves payments with this pin takes the order of this one now;
    /// without a pin, the sandbox.
    #[must_use]
    pub fn takes_order(&self, pin: Option<&PinnedOperator>, new: &TransactionOrder) -> bool {
        let Some(pin) = pin else { return self.serving(new.scope.mode, None).is_some() };
        let network = new.transfer.network;
        let kind = new.transfer.kind;
        self.entry_of(pin).is_some_and(|entry| match new.native_refund_of() {
            // The operator's own refunds are another product than its payouts.
            Some(_) => !entry.breaker(kind).is_open(),
            None => !entry.withholds(network, kind),
        })
    }

    /// Changes the breaker of an operator, as another node's was.
    pub fn apply_breaker_change(&self, change: &BreakerChange, now: Timestamp) {
        let Some(entry) = self.entry_with(&change.operator) else { return };
        let breaker = entry.breaker_of(change.scope);
        match change.state {
            BreakerState::Open => breaker.open(now),
            BreakerState::HalfOpen => drop(breaker.half_open()),
            BreakerState::Closed => drop(breaker.succeeded()),
        }
    }

    /// The operator that serves a payment with this pin; without a pin, the sandbox serves payments
    /// of test mode.
    #[must_use]
    pub fn serving(&self, mode: Mode, pin: Option<&PinnedOperator>) -> Option<Arc<dyn Operator>> {
        match pin {
            Some(pin) => self.entry_of(pin).map(|entry| entry.operator.clone()),
            None => self.sandbox.clone().filter(|_| mode == Mode::Test),
        }
    }

    /// How a network is served in a direction.
    #[must_use]
    pub fn network_service(&self, request: NetworkServiceRequest<'_>) -> NetworkService {
        let network_end = self.ended.end_of(request.network);
        let unserved =
            NetworkService { network_end, availability: Availability::Down, permitted_range: None };
        if network_end == Some(NetworkEnd::Retired) {
            return unserved;
        }
        let NetworkServiceRequest { mode, account, kind, is_phone_typed_by_payer, .. } = request;
        let network = self.sent_as(request.network);
        let Some(route) = self.route(mode, account, network, kind) else {
            let sandboxed = NetworkService {
                network_end,
                availability: Availability::Operational,
                permitted_range: Some(super::capabilities::any_amount()),
            };
            return if mode == Mode::Test && self.sandbox.is_some() { sandboxed } else { unserved };
        };
        let mut serving = route.iter().filter_map(|entry| {
            let capabilities = entry.operator.capabilities();
            let permitted_range = capabilities.amounts(network, kind)?;
            if !entry.may_prompt(&capabilities, kind, is_phone_typed_by_payer) {
                return None;
            }
            Some(NetworkService {
                network_end,
                availability: entry.availability(network, kind),
                permitted_range: Some(permitted_range),
            })
        });
        let Some(first) = serving.next() else { return unserved };
        serving.fold(first, |best, next| NetworkService {
            network_end,
            availability: match best.availability {
                // Only a later choice works.
                Availability::Down if next.availability != Availability::Down => {
                    Availability::Degraded
                }
                availability => availability,
            },
            permitted_range: best
                .permitted_range
                .zip(next.permitted_range)
                .map(|(best, next)| hull(&best, &next)),
        })
    }

    /// The operators that serve a network and direction of an account, in order of preference:
    /// those of the settings; where the settings have none for the account, the one that its people
    /// chose. `None` where there is no route at all.
    #[must_use]
    pub fn route(
        &self,
        mode: Mode,
        account: &AccountId,
        network: Network,
        kind: Kind,
    ) -> Option<Vec<Arc<OperatorEntry>>> {
        let names = self.routes.get(&(mode, network, kind));
        let of_settings = names.into_iter().flatten().filter_map(|name| self.named(name.as_str()));
        let serving: Vec<_> =
            of_settings.filter(|entry| entry.serves(mode, account)).cloned().collect();
        if !serving.is_empty() {
            return Some(serving);
        }
        let connected = || self.connected.route(account, network, kind);
        let chosen = (mode == Mode::Live).then(connected).flatten();
        chosen.map(|entry| vec![entry]).or_else(|| names.map(|_| Vec::new()))
    }
}

/// The smallest range that contains both.
fn hull(one: &RangeInclusive<Amount>, other: &RangeInclusive<Amount>) -> RangeInclusive<Amount> {
    *one.start().min(other.start())..=*one.end().max(other.end())
}

#[cfg(test)]
mod tests;
