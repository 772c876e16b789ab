//! Quotes: what a payment would cost if it began now (docs/reference/quotes.md), and how each
//! network is served for the payer of a checkout session.

use super::{
    capabilities::Availability, pinned_operator::OperatorName,
    prompt_instructions::PromptInstructions, routing::NetworkEnd, tariff::Price,
    transfer::TransferTerms,
};
use jiff::{SignedDuration, Timestamp};
use std::ops::RangeInclusive;
use tua_contract::{Amount, Network};

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

/// How a network is served for the charges of one checkout session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkForPayers {
    /// The network that the payer may choose.
    pub network: Network,
    /// What became of it, where it has ended.
    pub end: Option<NetworkEnd>,
    /// Whether it is served now.
    pub availability: Availability,
    /// What a charge costs now; `None` where none can begin.
    pub price: Option<Price>,
    /// The instructions for a payer who sees no prompt, of the operator that charges, or would
    /// charge.
    pub prompt_instructions: PromptInstructions,
}
