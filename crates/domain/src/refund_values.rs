//! What a transaction and its events store of refunds: the refunded charge, the way by which the
//! money returns, and the sums of the refunds of a charge.

use crate::{TransactionId, string_enum};
use std::ops::{Add, Sub};

pub use tua_accounts::transaction_type::TransactionType;

string_enum! {
    /// How the money returns.
    pub enum RefundMethod {
        /// By the operator's own refund of the charge.
        Native = "NATIVE",
        /// By a payout to the wallet that paid.
        Payout = "PAYOUT",
    }
}

/// What a refund returns, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefundOf {
    /// The charge whose money returns to its payer.
    pub charge: TransactionId,
    /// Whether the charge's operator returns the money, or a payout does.
    pub method: RefundMethod,
}

/// The sums of the refunds of a charge, in pesewas.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RefundSums {
    /// Refunds that are SUCCESSFUL.
    pub returned: i64,
    /// Refunds that may move money or have moved it: all that are not FAILED, and those of the
    /// others that the operator later reported as successful.
    pub counted: i64,
    /// The part of `counted` that the operator itself returns.
    pub native: i64,
}

impl Add for RefundSums {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            returned: self.returned + other.returned,
            counted: self.counted + other.counted,
            native: self.native + other.native,
        }
    }
}

impl Sub for RefundSums {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            returned: self.returned - other.returned,
            counted: self.counted - other.counted,
            native: self.native - other.native,
        }
    }
}
