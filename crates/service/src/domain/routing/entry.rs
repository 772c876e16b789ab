//! An operator of the settings, with what this process knows of it.

use super::{Breaker, BreakerChange, Float, KnownFloat, OperatorPin, ReservedFloats, float::BalanceReading};
use crate::domain::{
    AccountId, Kind, Mode,
    capabilities::{Availability, Capabilities},
    ports::{Clock, Operator, ReadError},
    tariff::Tariffs,
};
use std::sync::Arc;
use tua_contract::Network;

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
    /// Whether it may prompt numbers that are not verified, where its operator requires verified
    /// ones.
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

    /// The float, as this process last read it. `None` before that, and where the operator reports
    /// none.
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

    pub(super) fn serves(&self, mode: Mode, account: &AccountId) -> bool {
        !self.is_draining && self.is_of(mode, account)
    }

    pub(super) fn may_prompt(&self, capabilities: &Capabilities, kind: Kind, is_by_payer: bool) -> bool {
        let is_unverified = kind == Kind::Charge && is_by_payer;
        !is_unverified || !capabilities.needs_verified_numbers || self.accepts_unverified_numbers
    }

    pub(super) fn availability(&self, network: Network, kind: Kind) -> Availability {
        if self.breaker(kind).is_open() { Availability::Down } else { self.operator.availability(network, kind) }
    }
}
