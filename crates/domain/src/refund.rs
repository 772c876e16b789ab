//! Refunds: the money of a charge returns to its payer (docs/reference/refunds.md).
//!
//! A refund is a transaction of its own: money moves from the merchant to a wallet, as in a payout.
//! It names its charge, and the charge counts its refunds ([`RefundSums`]).

use super::{Kind, Transaction, capabilities::RefundCapability, payout_controls::Ceiling};
use jiff::Timestamp;
use std::time::Duration;
use tua_contract::{Amount, FailureCode, State, Status};

pub use super::refund_values::{RefundMethod, RefundOf, RefundSums, TransactionType};

/// Why a charge cannot be refunded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotRefundable {
    /// It is a payout.
    #[error("only a charge can be refunded")]
    NoCharge,
    /// It is not final.
    #[error("the charge is pending")]
    Pending,
    /// It failed, so there is nothing to return.
    #[error("the charge failed, and no money moved")]
    Failed,
    /// Its operator later reported that it failed or was reversed, and no review found otherwise.
    #[error(
        "the operator contradicted the success of the charge, and no review found that it stands"
    )]
    Contradicted,
    /// The payer disputes it at the operator, and no review has decided. The operator may return
    /// the money by itself.
    #[error("the payer disputes the charge at the operator, and no review has decided the dispute")]
    Disputed,
    /// The caller asks for a payout, but no refund by the operator failed.
    #[error("a refund by payout can be asked for only after a refund by the operator failed")]
    NoFailedRefund,
}

/// Why a refund is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RefundRefused {
    /// The charge cannot be refunded.
    #[error(transparent)]
    NotRefundable(#[from] NotRefundable),
    /// The refunds would be larger than the payment.
    #[error("GHS {left} of the payment are left to refund")]
    ExceedsPayment {
        /// The part of the payment that no refund counts against; it may be 0.
        left: Ceiling,
    },
}

/// A refund as the payer of its charge may see it. Failed ones are not shown: the merchant tries
/// again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefundForPayer {
    /// What returns to the payer by this refund.
    pub amount: Amount,
    /// Whether it returns all that the payer paid for.
    pub is_whole: bool,
    /// When it was found that the money was returned; `None` while it is under way, or while that
    /// is in doubt.
    pub returned_at: Option<Timestamp>,
}

impl RefundForPayer {
    /// What the payer sees of this refund of the charge; `None` where no money moves.
    #[must_use]
    pub fn of(refund: &Transaction, charge: &Transaction) -> Option<Self> {
        let sums = RefundSums::of(refund);
        let amount = Amount::from_pesewas(sums.counted).ok()?;
        let returned_at = (sums.returned > 0).then_some(refund.updated_at);
        Some(Self { amount, is_whole: amount == charge.order.transfer.amount, returned_at })
    }
}

impl RefundSums {
    /// What one refund adds to the sums of its charge. Nothing for a charge or a payout.
    #[must_use]
    pub fn of(refund: &Transaction) -> Self {
        let Some(RefundOf { method, .. }) = &refund.order.refund else { return Self::default() };
        let sum = refund.settled_amount.unwrap_or(refund.order.transfer.amount).pesewas();
        let native = if *method == RefundMethod::Native { sum } else { 0 };
        match (refund.state, refund.decision()) {
            // A review found that the money did not go, whatever the operator reported.
            (_, Some(Status::Failed)) => Self::default(),
            (State::Successful, _) => Self { returned: sum, counted: sum, native },
            (State::Failed(_), _) if !refund.is_paid() => Self::default(),
            (State::Pending(_) | State::Failed(_), _) => Self { returned: 0, counted: sum, native },
        }
    }
}

/// What is left of a charge to refund, in pesewas.
///
/// # Errors
/// [`NotRefundable`].
pub fn left(charge: &Transaction) -> Result<i64, NotRefundable> {
    if charge.order.transfer.kind != Kind::Charge {
        return Err(NotRefundable::NoCharge);
    }
    let observed = charge.conflict.map(|conflict| conflict.observed);
    let amount = charge.order.transfer.amount.pesewas();
    // The fee that the payer bore is the operator's: it is not returned.
    let received = match (charge.state, charge.decision().or(observed)) {
        (State::Pending(_), _) => return Err(NotRefundable::Pending),
        (State::Successful, None | Some(Status::Successful)) => {
            charge.settled_amount.map_or(amount, Amount::pesewas)
        }
        // A sum that neither a review nor the operator names may be in another currency.
        (State::Failed(_), Some(Status::Successful)) => {
            match (charge.settled_amount, charge.mismatch) {
                (Some(settled), _) => settled.pesewas(),
                (None, Some(mismatch)) => mismatch.received.map_or(0, Amount::pesewas),
                (None, None) => amount,
            }
        }
        (State::Successful, Some(_)) => return Err(NotRefundable::Contradicted),
        (State::Failed(_), _) => return Err(NotRefundable::Failed),
    };
    if charge.open_dispute().is_some() {
        return Err(NotRefundable::Disputed);
    }
    Ok((received.min(amount) - charge.refunds.counted).max(0))
}

/// The amount of a refund: the one that is asked for, or all that is left.
///
/// # Errors
/// [`RefundRefused`].
pub fn amount(charge: &Transaction, asked: Option<Amount>) -> Result<Amount, RefundRefused> {
    let left = left(charge)?;
    let exceeds =
        || RefundRefused::ExceedsPayment { left: Ceiling::from_pesewas(left).unwrap_or_default() };
    let amount = asked.or_else(|| Amount::from_pesewas(left).ok()).ok_or_else(exceeds)?;
    if amount.pesewas() <= left { Ok(amount) } else { Err(exceeds()) }
}

/// How the money returns, by what the operator of the charge can do.
#[must_use]
pub fn method(
    capability: RefundCapability,
    charge: &Transaction,
    amount: Amount,
    now: Timestamp,
) -> RefundMethod {
    let is_in_time =
        |within: Option<Duration>| within.is_none_or(|within| now < charge.created_at + within);
    let paid = charge.settled_amount.unwrap_or(charge.order.price.payer_pays);
    let is_native = match capability {
        RefundCapability::None => false,
        RefundCapability::Full { within } => {
            amount == paid && charge.refunds.counted == 0 && is_in_time(within)
        }
        RefundCapability::Partial { within } => is_in_time(within),
    };
    if is_native { RefundMethod::Native } else { RefundMethod::Payout }
}

/// Whether a refund by the operator ended by the operator's explicit failure, so that a payout may
/// be asked for.
#[must_use]
pub fn is_failed_by_operator(refund: &Transaction) -> bool {
    let is_native =
        refund.order.refund.as_ref().is_some_and(|of| of.method == RefundMethod::Native);
    let ours = [FailureCode::NotSent, FailureCode::ApprovalRefused, FailureCode::Cancelled];
    is_native
        && RefundSums::of(refund).counted == 0
        && matches!(refund.state, State::Failed(code) if !ours.contains(&code))
}

#[cfg(test)]
mod tests;
