//! Which operator serves a payment (docs/reference/operators.md#routing).
//!
//! The operator is chosen when the payment begins, is stored with it, and never changes: what was handed to one operator
//! is never handed to another.

mod breaker;
mod ended;
mod float;
mod pin;

use super::{
    AccountId, Kind, Mode, NewTransaction,
    capabilities::{Availability, Capabilities},
    ports::{Clock, Operator, ReadError},
    tariff::{Price, Tariffs},
    transfer::TransferTerms,
};
use jiff::{Timestamp, civil::Date};
use std::{collections::HashMap, ops::RangeInclusive, sync::Arc};
use tua_contract::{Amount, Network};

pub use breaker::{Breaker, BreakerChange};
pub use ended::{EndedNetworks, NetworkEnd};
pub use float::{BalanceReading, Float, KnownFloat, ReservedFloats};
pub use pin::{OperatorFingerprint, OperatorName, OperatorPin};

/// An operator of the settings.
#[derive(Debug)]
pub struct OperatorEntry {
    /// Its name, and what tells it apart from others.
    pub pin: OperatorPin,
    /// The mode that it serves.
    pub mode: Mode,
    /// The accounts that it serves; `None` for all.
    pub accounts: Option<Vec<AccountId>>,
    /// Whether it serves only payments that are pinned to it.
    pub is_draining: bool,
    /// Whether it may prompt numbers that are not verified, where its operator requires verified ones.
    pub accepts_unverified_numbers: bool,
    /// What it charges.
    pub tariffs: Tariffs,
    /// The connector.
    pub operator: Arc<dyn Operator>,
    /// Withholds charges while sends fail.
    pub charges: Breaker,
    /// Withholds payouts while sends fail.
    pub payouts: Breaker,
    /// The balances at the operator.
    pub float: Float,
    /// Owners get an alert when the float is below this sum, in pesewas.
    pub float_alert_below: Option<i64>,
}

impl OperatorEntry {
    /// An operator that serves every account.
    #[must_use]
    pub fn new(pin: OperatorPin, mode: Mode, operator: Arc<dyn Operator>) -> Self {
        Self {
            pin,
            mode,
            accounts: None,
            is_draining: false,
            accepts_unverified_numbers: false,
            tariffs: Tariffs::default(),
            operator,
            charges: Breaker::default(),
            payouts: Breaker::default(),
            float: Float::default(),
            float_alert_below: None,
        }
    }

    /// The breaker of a direction.
    #[must_use]
    pub const fn breaker(&self, kind: Kind) -> &Breaker {
        match kind {
            Kind::Charge => &self.charges,
            Kind::Payout => &self.payouts,
        }
    }

    /// The message to the other nodes that the breaker of a direction has opened or closed.
    #[must_use]
    pub fn breaker_change(&self, kind: Kind, is_open: bool) -> BreakerChange {
        BreakerChange { operator: self.pin.fingerprint.clone(), kind, is_open }
    }

    /// Whether its payments may be of this mode and account, also of earlier ones.
    #[must_use]
    pub fn is_of(&self, mode: Mode, account: &AccountId) -> bool {
        self.mode == mode && self.accounts.as_ref().is_none_or(|accounts| accounts.contains(account))
    }

    /// The float, as this process last read it. `None` before that, and where the operator reports none.
    #[must_use]
    pub fn known_float(&self, reserved: &ReservedFloats) -> Option<KnownFloat> {
        let reading = self.float.last()?;
        let reserved_pesewas = reserved.get(&self.pin.fingerprint).copied().unwrap_or_default();
        Some(KnownFloat { reported_pesewas: reading.float_pesewas()?, reserved_pesewas, read_at: reading.at })
    }

    /// Asks the operator for the balances, and remembers them for [`Self::known_float`].
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read_balances(&self, clock: &dyn Clock) -> Result<BalanceReading, ReadError> {
        let balances = self.operator.balances().await?;
        let reading = BalanceReading { at: clock.now(), balances };
        self.float.update(reading.clone());
        Ok(reading)
    }

    fn serves(&self, mode: Mode, account: &AccountId) -> bool {
        !self.is_draining && self.is_of(mode, account)
    }

    fn may_prompt(&self, capabilities: &Capabilities, kind: Kind, is_by_payer: bool) -> bool {
        let is_unverified = kind == Kind::Charge && is_by_payer;
        !is_unverified || !capabilities.needs_verified_numbers || self.accepts_unverified_numbers
    }

    fn availability(&self, network: Network, kind: Kind) -> Availability {
        match self.breaker(kind).is_open() {
            true => Availability::Down,
            false => self.operator.availability(network, kind),
        }
    }
}

/// A payment that needs an operator.
#[derive(Clone, Copy, Debug)]
pub struct RouteRequest<'a> {
    /// Test or live.
    pub mode: Mode,
    /// Whose payment it is.
    pub account: &'a AccountId,
    /// The payment.
    pub terms: TransferTerms,
    /// Whether the payer typed the number, so that the merchant has not verified it.
    pub is_by_payer: bool,
    /// The operator that is taken before all others of the route, if it is among them.
    pub preferred: Option<&'a OperatorPin>,
    /// The day, in UTC, by which tariffs apply.
    pub day: Date,
}

impl<'a> RouteRequest<'a> {
    /// The request of a payment or payout on this day, in UTC.
    #[must_use]
    pub fn of(new: &'a NewTransaction, day: Date) -> Self {
        Self {
            mode: new.scope.mode,
            account: &new.scope.account,
            terms: new.transfer.terms(),
            is_by_payer: new.checkout.is_some(),
            preferred: None,
            day,
        }
    }
}

/// The operator that was chosen for a payment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The operator; `None` for the sandbox.
    pub operator: Option<OperatorPin>,
    /// What the payment costs through it.
    pub price: Price,
    /// The smallest and the largest sum that it moves in one payment.
    pub sums: RangeInclusive<Amount>,
}

/// The question how a network is served.
#[derive(Clone, Copy, Debug)]
pub struct ServiceRequest<'a> {
    /// Test or live.
    pub mode: Mode,
    /// Whose payments.
    pub account: &'a AccountId,
    /// The network.
    pub network: Network,
    /// The direction.
    pub kind: Kind,
    /// Whether payers type the number, so that the merchant has not verified it.
    pub is_by_payer: bool,
}

/// Why no operator can serve a payment now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RouteError {
    /// None serves the network and direction, or none that does works at present.
    #[error("no operator serves this network now")]
    NetworkUnavailable,
    /// The network is retired.
    #[error("{0} has ended: its numbers go on with another network")]
    NetworkEnded(Network),
    /// The amount, with the fee if the payer bears it, is outside every operator's limits.
    #[error("the amount must be from GHS {} to GHS {}", .0.start(), .0.end())]
    AmountOutOfRange(RangeInclusive<Amount>),
}

/// How a network is served in a direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkService {
    /// What became of the network, where it has ended.
    pub end: Option<NetworkEnd>,
    /// Whether it is served now.
    pub availability: Availability,
    /// The smallest and the largest amount; `None` where nobody serves it.
    pub amounts: Option<RangeInclusive<Amount>>,
}

/// The operators in order of preference, by mode, network and direction.
pub type Routes = HashMap<(Mode, Network, Kind), Vec<OperatorName>>;

/// The operators, and how payments are routed to them.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    sandbox: Option<Arc<dyn Operator>>,
    sandbox_tariffs: Tariffs,
    entries: Vec<Arc<OperatorEntry>>,
    routes: Routes,
    ended: EndedNetworks,
}

impl Operators {
    /// The operators of the settings.
    #[must_use]
    pub fn new(entries: Vec<Arc<OperatorEntry>>, routes: Routes) -> Self {
        Self { entries, routes, ..Self::default() }
    }

    /// Ends networks: retired ones are refused, and moved ones are routed, priced and served as those that they became a
    /// part of. The operators must know moved networks as those, too.
    #[must_use]
    pub fn with_ended_networks(self, ended: EndedNetworks) -> Self {
        Self { ended, ..self }
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

    /// Serves one network of live mode with this operator, under the network's name.
    #[must_use]
    pub fn with_live(mut self, network: Network, operator: Arc<dyn Operator>) -> Self {
        let name = OperatorName::of_network(network);
        let pin = OperatorPin { fingerprint: OperatorFingerprint::of(&[name.as_str()]), name: name.clone() };
        self.entries.push(Arc::new(OperatorEntry::new(pin, Mode::Live, operator)));
        for kind in Kind::ALL {
            self.routes.insert((Mode::Live, network, *kind), vec![name.clone()]);
        }
        self
    }

    /// Every operator of the settings.
    #[must_use]
    pub fn entries(&self) -> &[Arc<OperatorEntry>] {
        &self.entries
    }

    /// The operators of the settings that payments of this mode and account may be pinned to, also earlier ones.
    pub fn of_account(&self, mode: Mode, account: &AccountId) -> impl Iterator<Item = &Arc<OperatorEntry>> {
        self.entries.iter().filter(move |entry| entry.is_of(mode, account))
    }

    /// The operator of the settings with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Arc<OperatorEntry>> {
        self.entries.iter().find(|entry| entry.pin.name.as_str() == name)
    }

    /// The operator of the settings that serves the payments of a pin, under whatever name.
    #[must_use]
    pub fn entry_of(&self, pin: &OperatorPin) -> Option<&Arc<OperatorEntry>> {
        self.entries.iter().find(|entry| entry.pin.fingerprint == pin.fingerprint)
    }

    /// Whether the operator that serves payments with this pin takes orders of this direction now; without a pin, the
    /// sandbox.
    #[must_use]
    pub fn takes_orders(&self, mode: Mode, pin: Option<&OperatorPin>, kind: Kind) -> bool {
        match pin {
            Some(pin) => self.entry_of(pin).is_some_and(|entry| !entry.breaker(kind).is_open()),
            None => self.serving(mode, None).is_some(),
        }
    }

    /// Opens or closes the breaker of an operator, as another node's was.
    pub fn apply_breaker_change(&self, change: &BreakerChange, now: Timestamp) {
        let operator = self.entries.iter().find(|entry| entry.pin.fingerprint == change.operator);
        match operator.map(|entry| entry.breaker(change.kind)) {
            Some(breaker) if change.is_open => breaker.open(now),
            Some(breaker) => drop(breaker.succeeded()),
            None => {}
        }
    }

    /// The operator that serves a payment with this pin; without a pin, the sandbox serves payments of test mode.
    #[must_use]
    pub fn serving(&self, mode: Mode, pin: Option<&OperatorPin>) -> Option<&Arc<dyn Operator>> {
        match pin {
            Some(pin) => self.entry_of(pin).map(|entry| &entry.operator),
            None => self.sandbox.as_ref().filter(|_| mode == Mode::Test),
        }
    }

    /// Chooses the operator of a new payment: the first of the route that does the direction, whose breaker is closed, that
    /// reports itself available and whose limits allow what the payer would pay.
    ///
    /// # Errors
    /// [`RouteError`].
    pub fn choose(&self, request: RouteRequest<'_>) -> Result<Chosen, RouteError> {
        let TransferTerms { kind, network, amount } = request.terms;
        if self.ended.end_of(network) == Some(NetworkEnd::Retired) {
            return Err(RouteError::NetworkEnded(network));
        }
        let network = self.ended.sent_as(network);
        let price = |tariffs: &Tariffs| tariffs.price(kind, network, amount, request.day);
        let Some(route) = self.route(request.mode, network, kind) else {
            let sums = super::capabilities::any_amount();
            return match (request.mode, &self.sandbox, price(&self.sandbox_tariffs)) {
                (Mode::Test, Some(_), Some(price)) => Ok(Chosen { operator: None, price, sums }),
                (Mode::Test, Some(_), None) => Err(RouteError::AmountOutOfRange(sums)),
                _ => Err(RouteError::NetworkUnavailable),
            };
        };
        let mut limits: Option<RangeInclusive<Amount>> = None;
        let mut is_one_down = false;
        let is_preferred =
            |entry: &&Arc<OperatorEntry>| request.preferred.is_some_and(|pin| pin.fingerprint == entry.pin.fingerprint);
        let entries = || route.iter().filter_map(|name| self.named(name.as_str()));
        for entry in entries().filter(is_preferred).chain(entries().filter(|entry| !is_preferred(entry))) {
            let capabilities = entry.operator.capabilities();
            let Some(amounts) = capabilities.amounts(network, kind) else { continue };
            if !entry.serves(request.mode, request.account)
                || !entry.may_prompt(&capabilities, kind, request.is_by_payer)
            {
                continue;
            }
            let Some(price) = price(&entry.tariffs).filter(|price| amounts.contains(&price.payer_pays)) else {
                limits = Some(limits.map_or_else(|| amounts.clone(), |limits| hull(&limits, &amounts)));
                continue;
            };
            if entry.availability(network, kind) == Availability::Down {
                is_one_down = true;
                continue;
            }
            return Ok(Chosen { operator: Some(entry.pin.clone()), price, sums: amounts });
        }
        match limits {
            Some(limits) if !is_one_down => Err(RouteError::AmountOutOfRange(limits)),
            _ => Err(RouteError::NetworkUnavailable),
        }
    }

    /// How a network is served in a direction.
    #[must_use]
    pub fn service(&self, request: ServiceRequest<'_>) -> NetworkService {
        let end = self.ended.end_of(request.network);
        let none = NetworkService { end, availability: Availability::Down, amounts: None };
        if end == Some(NetworkEnd::Retired) {
            return none;
        }
        let ServiceRequest { mode, account, kind, is_by_payer, .. } = request;
        let network = self.ended.sent_as(request.network);
        let Some(route) = self.route(mode, network, kind) else {
            let sandboxed = NetworkService {
                end,
                availability: Availability::Operational,
                amounts: Some(super::capabilities::any_amount()),
            };
            return if mode == Mode::Test && self.sandbox.is_some() { sandboxed } else { none };
        };
        let entries = route.iter().filter_map(|name| self.named(name.as_str()));
        let mut serving = entries.filter(|entry| entry.serves(mode, account)).filter_map(|entry| {
            let capabilities = entry.operator.capabilities();
            let amounts = capabilities.amounts(network, kind)?;
            if !entry.may_prompt(&capabilities, kind, is_by_payer) {
                return None;
            }
            Some(NetworkService { end, availability: entry.availability(network, kind), amounts: Some(amounts) })
        });
        let Some(first) = serving.next() else { return none };
        serving.fold(first, |best, next| NetworkService {
            end,
            availability: match best.availability {
                // Only a later choice works.
                Availability::Down if next.availability != Availability::Down => Availability::Degraded,
                availability => availability,
            },
            amounts: best.amounts.zip(next.amounts).map(|(best, next)| hull(&best, &next)),
        })
    }

    /// The route of a network and direction; `None` where the settings have none.
    fn route(&self, mode: Mode, network: Network, kind: Kind) -> Option<&Vec<OperatorName>> {
        self.routes.get(&(mode, network, kind))
    }
}

/// The smallest range that contains both.
fn hull(one: &RangeInclusive<Amount>, other: &RangeInclusive<Amount>) -> RangeInclusive<Amount> {
    *one.start().min(other.start())..=*one.end().max(other.end())
}

#[cfg(test)]
mod tests;
