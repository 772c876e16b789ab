//! Quotes: what a payment would cost if it began now (docs/reference/quotes.md).

use super::{operator_pin::OperatorName, tariff::Price, transfer::TransferTerms};
use jiff::{SignedDuration, Timestamp};
use std::ops::RangeInclusive;
use tua_contract::Amount;

/// How long a quote is valid.
pub const QUOTE_VALIDITY: SignedDuration = SignedDuration::from_mins(5);

/// What a payment would cost if it began now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quote {
    /// The payment that was asked about: direction, network and amount.
    pub terms: TransferTerms,
    /// What the payer would pay, and the operator's fee.
    pub price: Price,
    /// The operator that would be chosen; `None` for the sandbox.
    pub operator: Option<OperatorName>,
    /// The smallest and the largest amount that this operator moves in one payment, inclusive.
    pub permitted_range: RangeInclusive<Amount>,
    /// Until when it is valid.
    pub expires_at: Timestamp,
}
