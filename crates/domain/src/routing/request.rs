//! The questions about routes, and their answers.

use super::NetworkEnd;
use crate::{
    AccountId, Kind, Mode, TransactionOrder, capabilities::Availability,
    pinned_operator::PinnedOperator, tariff::Price, transfer::TransferTerms,
};
use jiff::civil::Date;
use std::ops::RangeInclusive;
use tua_contract::{Amount, Network};

/// A payment that needs an operator.
#[derive(Clone, Copy, Debug)]
pub struct RouteRequest<'a> {
    /// Whether it is a test, or moves real money: each mode has routes of its own.
    pub mode: Mode,
    /// Whose payment it is.
    pub account: &'a AccountId,
    /// Direction, network and amount, which decide the operator and the price.
    pub terms: TransferTerms,
    /// Whether the payer typed the number, so that the merchant has not verified it.
    pub is_by_payer: bool,
    /// The operator that is taken before all others of the route, if it is among them.
    pub preferred: Option<&'a PinnedOperator>,
    /// The day, in UTC, by which tariffs apply.
    pub day: Date,
}

impl<'a> RouteRequest<'a> {
    /// The request of a payment or payout on this day, in UTC.
    #[must_use]
    pub fn of(new: &'a TransactionOrder, day: Date) -> Self {
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
pub struct ChosenRoute {
    /// The operator; `None` for the sandbox.
    pub operator: Option<PinnedOperator>,
    /// What the payment costs through it.
    pub price: Price,
    /// The smallest and the largest amount that it moves in one payment, inclusive.
    pub permitted_range: RangeInclusive<Amount>,
}

/// The question how a network is served.
#[derive(Clone, Copy, Debug)]
pub struct ServiceRequest<'a> {
    /// Whether they are tests, or move real money: each mode has routes of its own.
    pub mode: Mode,
    /// The account whose payments are to be served.
    pub account: &'a AccountId,
    /// The network that payers or recipients use.
    pub network: Network,
    /// Whether payers are charged, or recipients are paid.
    pub kind: Kind,
    /// Whether payers type the number, so that the merchant has not verified it.
    pub is_by_payer: bool,
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
