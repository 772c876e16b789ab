//! What is needed to choose an operator, and the operator that was chosen.

use super::NetworkEnd;
use crate::{
    AccountId, Kind, Mode, TransactionOrder, capabilities::Availability,
    pinned_operator::PinnedOperator, tariff::Price, transfer::TransferTerms,
};
use jiff::civil::Date;
use std::ops::RangeInclusive;
use tua_contract::{Amount, Network};

/// A payment or payout that needs an operator.
#[derive(Clone, Copy, Debug)]
pub struct RouteRequest<'a> {
    /// The mode of the payment. Each mode has routes of its own.
    pub mode: Mode,
    /// The account of the payment.
    pub account: &'a AccountId,
    /// Direction, network and amount, which decide the operator and the price.
    pub terms: TransferTerms,
    /// Whether the payer typed the phone number, so that the merchant has not verified it.
    pub is_phone_typed_by_payer: bool,
    /// The operator that is tried first: that of the charge whose refund this is. One of the
    /// settings only if the route contains it.
    pub preferred: Option<&'a PinnedOperator>,
    /// The day, in UTC, by which tariffs apply.
    pub day: Date,
}

impl<'a> RouteRequest<'a> {
    /// The request for an order on this day, in UTC.
    #[must_use]
    pub fn for_order(order: &'a TransactionOrder, day: Date) -> Self {
        Self {
            mode: order.scope.mode,
            account: &order.scope.account,
            terms: order.transfer.terms(),
            is_phone_typed_by_payer: order.checkout.is_some(),
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
    /// The smallest and the largest amount of one payment through it, inclusive.
    pub permitted_range: RangeInclusive<Amount>,
}

/// A network and a direction whose service is looked up.
#[derive(Clone, Copy, Debug)]
pub struct NetworkServiceRequest<'a> {
    /// The mode of the payments. Each mode has routes of its own.
    pub mode: Mode,
    /// The account whose payments are to be served.
    pub account: &'a AccountId,
    /// The network that payers or recipients use.
    pub network: Network,
    /// Whether payers are charged, or recipients are paid.
    pub kind: Kind,
    /// Whether payers type the phone number, so that the merchant has not verified it.
    pub is_phone_typed_by_payer: bool,
}

/// The service of a network in a direction: whether payments are possible, and of which amounts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkService {
    /// How the network has ended; `None` if it has not.
    pub network_end: Option<NetworkEnd>,
    /// Whether it is served now.
    pub availability: Availability,
    /// The smallest and the largest amount of one payment, inclusive; `None` if no operator serves
    /// the network.
    pub permitted_range: Option<RangeInclusive<Amount>>,
}
