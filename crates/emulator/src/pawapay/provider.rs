//! The providers of wallets in Ghana, and what they offer.

use crate::{operator::Operator, phase::Kind};
use tua_contract::{Amount, Network};

impl Operator {
    /// pawaPay Merchant API, version 2.
    pub const PAWAPAY: Self = Self::new("pawapay");
}

/// The first segment of the paths.
pub(super) const PLATFORM: &str = Operator::PAWAPAY.as_str();

/// The JSON field of an order's id.
pub(super) const fn id_field(kind: Kind) -> &'static str {
    match kind {
        Kind::Charge => "depositId",
        Kind::Payout => "payoutId",
        Kind::Refund => "refundId",
    }
}

/// An operation that a provider offers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Money from a customer.
    Deposit,
    /// Money to a customer.
    Payout,
    /// A deposit's money back to its payer.
    Refund,
}

impl Operation {
    /// All operations, in the order of the responses.
    pub const ALL: [Self; 3] = [Self::Deposit, Self::Payout, Self::Refund];

    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deposit => "DEPOSIT",
            Self::Payout => "PAYOUT",
            Self::Refund => "REFUND",
        }
    }

    pub(super) const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Charge => Self::Deposit,
            Kind::Payout => Self::Payout,
            Kind::Refund => Self::Refund,
        }
    }
}

/// How a provider works at present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProviderStatus {
    /// It takes every operation at once.
    Operational,
    /// Deposits are rejected; payouts and refunds wait until it is operational.
    Delayed,
    /// Every operation is rejected.
    Closed,
}

impl ProviderStatus {
    /// All statuses, in the order of the page.
    pub const ALL: [Self; 3] = [Self::Operational, Self::Delayed, Self::Closed];

    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operational => "OPERATIONAL",
            Self::Delayed => "DELAYED",
            Self::Closed => "CLOSED",
        }
    }
}

/// pawaPay's code of a network in Ghana.
pub(super) const fn provider_code(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN_MOMO_GHA",
        Network::Telecel => "VODAFONE_GHA",
        Network::AirtelTigo => "AIRTELTIGO_GHA",
    }
}

/// The network that has this code of pawaPay; `None` for an unknown code.
pub(super) fn network_of_provider(code: &str) -> Option<Network> {
    Network::ALL.into_iter().find(|network| provider_code(*network) == code)
}

/// The smallest amount of an operation, in cedis.
pub(super) const MIN_AMOUNT: &str = "1";

/// The largest amount of an operation, in cedis.
pub(super) const MAX_AMOUNT: &str = "15000";

/// Whether an amount is within the provider's limits.
pub(super) fn is_within_limits(amount: Amount) -> bool {
    let limit = |text| Amount::parse(text).map_or(0, Amount::pesewas);
    (limit(MIN_AMOUNT)..=limit(MAX_AMOUNT)).contains(&amount.pesewas())
}
