//! An operator of the settings, or one that people connected: whom it serves, and which orders it
//! gets now.

use super::{BalanceReading, Breaker, Float, KnownFloat, LastCheck, RefusalBreakers};
use crate::{
    AccountId, ConnectedOperatorId, Kind, Mode,
    breaker_change::{BreakerChange, BreakerScope, BreakerState},
    capabilities::{Availability, Capabilities},
    pinned_operator::PinnedOperator,
    ports::{Clock, Operator, ReadError, ReservedFloats},
    tariff::Tariffs,
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::Network;

/// For how long after a change of credentials another process may have sent orders with the earlier
/// ones, with the difference between the clocks of two machines.
const CREDENTIALS_SETTLE_TIME: SignedDuration = SignedDuration::from_mins(5);

/// Where an operator is configured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntrySource {
    /// It stands in the settings file.
    Settings,
    /// In the dashboard, under this id.
    Dashboard(ConnectedOperatorId),
}

/// An operator of the settings, or one that people connected.
#[derive(Debug)]
pub struct OperatorEntry {
    /// Where it is configured.
    pub source: EntrySource,
    /// Its name and its fingerprint.
    pub pin: PinnedOperator,
    /// The mode that it serves.
    pub mode: Mode,
    /// The accounts that it serves; `None` for all.
    pub accounts: Option<Vec<AccountId>>,
    /// When the credentials in force were accepted; `None` for those of the settings, which keep
    /// their base URL and merchant as long as they keep their fingerprint.
    pub credentials_since: Option<Timestamp>,
    /// Whether it serves only payments that are pinned to it.
    pub is_draining: bool,
    /// Whether it may prompt numbers that are not verified, where its operator requires verified
    /// ones.
    pub accepts_unverified_numbers: bool,
    /// The fees of the merchant's contract with the operator; empty where the settings name none.
    pub tariffs: Tariffs,
    /// The connector, which translates orders into the operator's requests.
    pub operator: Arc<dyn Operator>,
    /// Withholds charges while sends fail.
    pub charges: Breaker,
    /// Withholds payouts while sends fail.
    pub payouts: Breaker,
    /// Withholds the orders of a network while the operator refuses all of them.
    pub refusals: RefusalBreakers,
    /// The last check of its credentials and settings.
    pub last_check: LastCheck,
    /// The balances at the operator.
    pub float: Float,
    /// Owners get an alert when the float is below this sum, in pesewas.
    pub float_alert_below: Option<i64>,
}

impl OperatorEntry {
    /// An operator that serves every account.
    #[must_use]
    pub fn new(pin: PinnedOperator, mode: Mode, operator: Arc<dyn Operator>) -> Self {
        Self {
            source: EntrySource::Settings,
            pin,
            mode,
            accounts: None,
            credentials_since: None,
            is_draining: false,
            accepts_unverified_numbers: false,
            tariffs: Tariffs::default(),
            operator,
            charges: Breaker::default(),
            payouts: Breaker::default(),
            refusals: RefusalBreakers::default(),
            last_check: LastCheck::default(),
            float: Float::default(),
            float_alert_below: None,
        }
    }

    /// A name that no other operator of this process has: that of the settings, or the id of one
    /// that people connected, because their names are unique in an account only.
    #[must_use]
    pub fn unique_name(&self) -> &str {
        match &self.source {
            EntrySource::Settings => self.pin.name.as_str(),
            EntrySource::Dashboard(id) => id.as_str(),
        }
    }

    /// Whether an order that was handed over at this time may have been sent with earlier
    /// credentials than those in force. Then it may be at an account that those in force cannot
    /// see, and "never received" does not mean that it was never received.
    #[must_use]
    pub fn may_have_earlier_credentials(&self, handed_over_at: Timestamp) -> bool {
        self.credentials_since.is_some_and(|since| handed_over_at < since + CREDENTIALS_SETTLE_TIME)
    }

    /// Whether its payments may be of this mode and account, also of earlier ones.
    #[must_use]
    pub fn is_of(&self, mode: Mode, account: &AccountId) -> bool {
        self.mode == mode
            && self.accounts.as_ref().is_none_or(|accounts| accounts.contains(account))
    }

    /// The float, as this process last read it. `None` before that, and where the operator reports
    /// none.
    #[must_use]
    pub fn known_float(&self, reserved: &ReservedFloats) -> Option<KnownFloat> {
        let reading = self.float.last()?;
        let reserved_pesewas = reserved.get(&self.pin.fingerprint).copied().unwrap_or_default();
        Some(KnownFloat {
            reported_pesewas: reading.float_pesewas()?,
            reserved_pesewas,
            read_at: reading.at,
        })
    }

    /// Queries the balances at the operator, and keeps them in memory for [`Self::known_float`].
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read_balances(&self, clock: &dyn Clock) -> Result<BalanceReading, ReadError> {
        let balances = self.operator.balances().await?;
        let reading = BalanceReading { at: clock.now(), balances };
        self.float.update(reading.clone());
        Ok(reading)
    }

    pub(super) fn serves(&self, mode: Mode, account: &AccountId) -> bool {
        !self.is_draining && self.is_of(mode, account)
    }

    pub(super) fn may_prompt(
        &self,
        capabilities: &Capabilities,
        kind: Kind,
        is_phone_typed_by_payer: bool,
    ) -> bool {
        let is_unverified = kind == Kind::Charge && is_phone_typed_by_payer;
        !is_unverified || !capabilities.needs_verified_numbers || self.accepts_unverified_numbers
    }

    /// The breaker of a direction.
    #[must_use]
    pub const fn breaker(&self, kind: Kind) -> &Breaker {
        match kind {
            Kind::Charge => &self.charges,
            Kind::Payout => &self.payouts,
        }
    }

    /// The breaker of these orders.
    #[must_use]
    pub const fn breaker_of(&self, scope: BreakerScope) -> &Breaker {
        match scope.network {
            Some(network) => self.refusals.of(network, scope.kind),
            None => self.breaker(scope.kind),
        }
    }

    /// The breakers of a direction: that of the direction itself, then those of its networks.
    pub fn breakers(&self, kind: Kind) -> impl Iterator<Item = (BreakerScope, &Breaker)> {
        let networks = std::iter::once(None).chain(Network::ALL.map(Some));
        let scopes = networks.map(move |network| BreakerScope { kind, network });
        scopes.map(|scope| (scope, self.breaker_of(scope)))
    }

    /// The networks and directions that the operator refuses.
    pub fn refused(&self) -> impl Iterator<Item = (BreakerScope, &Breaker)> {
        let breakers = Kind::ALL.iter().flat_map(|kind| self.breakers(*kind));
        breakers.filter(|(scope, breaker)| scope.network.is_some() && breaker.is_open())
    }

    /// The networks and directions whose last order the operator refused for a reason that concerns
    /// every order.
    pub fn refusing(&self) -> impl Iterator<Item = BreakerScope> {
        let breakers = Kind::ALL.iter().flat_map(|kind| self.breakers(*kind));
        let refusing =
            breakers.filter(|(scope, breaker)| scope.network.is_some() && breaker.has_failed());
        refusing.map(|(scope, _)| scope)
    }

    /// Whether the orders of a network and direction are in doubt: the operator has refused several
    /// in a row, or one, and the check of the settings has found a fault.
    #[must_use]
    pub fn is_suspect(&self, scope: BreakerScope) -> bool {
        let breaker = self.breaker_of(scope);
        let is_refused_once = scope.network.is_some() && breaker.has_failed();
        breaker.is_suspect() || is_refused_once && self.last_check.has_faults()
    }

    /// Whether new payments of a network and direction are withheld.
    #[must_use]
    pub fn withholds(&self, network: Network, kind: Kind) -> bool {
        self.breaker(kind).is_open() || self.refusals.of(network, kind).is_open()
    }

    /// Lets the orders pass that the operator refused, because its check has found no fault.
    /// Returns those that were withheld.
    pub fn retry_refused(&self) -> Vec<BreakerScope> {
        self.refused().filter(|(_, breaker)| breaker.half_open()).map(|(scope, _)| scope).collect()
    }

    /// The message to the other nodes that a breaker has changed.
    #[must_use]
    pub fn breaker_change(&self, scope: BreakerScope, state: BreakerState) -> BreakerChange {
        BreakerChange { operator: self.pin.fingerprint.clone(), scope, state }
    }

    pub(super) fn availability(&self, network: Network, kind: Kind) -> Availability {
        let reported = self.operator.availability(network, kind);
        if self.withholds(network, kind) {
            Availability::Down
        } else if self.is_suspect(BreakerScope { kind, network: Some(network) }) {
            // Payments are accepted, but none has shown yet that the operator takes them again.
            reported.max(Availability::Degraded)
        } else {
            reported
        }
    }
}
