//! In which order a request for something new is refused, where several refusals apply at once. The
//! stores read the facts in the database transaction that would begin it, and ask here, so that all
//! engines refuse in the same order.

use super::{
    CheckoutSummary, Transaction, TransactionOrder,
    checkout::ChargeWindow,
    idempotency::RepeatError,
    link::CreateLinkError,
    payout_controls::PayoutControls,
    ports::{BeginError, OpenError},
    refund, rules,
};
use jiff::Timestamp;

/// What refuses every request for something new, whatever it is for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NewRequest {
    /// Its idempotency key was used before.
    pub is_repeated: bool,
    /// Its key was revoked after the request was authenticated.
    pub is_key_revoked: bool,
    /// Its account is suspended.
    pub is_account_suspended: bool,
}

/// The first of [`NewRequest`] that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A repetition gets the first response, whatever refuses it by now.
    Repeated,
    /// The response to a revoked key shows nothing of the account.
    KeyRevoked,
    /// A suspended account begins no payment and opens no session or link.
    AccountSuspended,
}

impl NewRequest {
    /// Checks that nothing refuses the request.
    ///
    /// # Errors
    /// The first [`Obstacle`] that applies.
    pub fn check<E: From<Obstacle>>(self) -> Result<(), E> {
        let obstacle = match self {
            Self { is_repeated: true, .. } => Obstacle::Repeated,
            Self { is_key_revoked: true, .. } => Obstacle::KeyRevoked,
            Self { is_account_suspended: true, .. } => Obstacle::AccountSuspended,
            Self { is_repeated: false, is_key_revoked: false, is_account_suspended: false } => {
                return Ok(());
            }
        };
        Err(obstacle.into())
    }
}

/// What the beginning of a payment depends on.
#[derive(Debug)]
pub struct PaymentFacts<'a> {
    /// What refuses the request whatever it is for.
    pub request: NewRequest,
    /// The session that it charges, if any.
    pub session: Option<(ChargeWindow, CheckoutSummary)>,
    /// Whether the session's link can be paid once, and is paid or being paid.
    pub is_link_in_use: bool,
    /// The charge that it refunds, if any.
    pub refunded_charge: Option<&'a Transaction>,
    /// The limits of payouts.
    pub controls: PayoutControls,
    /// The sum of the payouts that count on this day, in pesewas.
    pub paid_pesewas: i64,
}

impl PaymentFacts<'_> {
    /// Checks that a payment may begin. Limits of prompts come after all of this, because refused
    /// requests use none up.
    ///
    /// # Errors
    /// [`BeginError`].
    pub fn check(&self, new: &TransactionOrder, now: Timestamp) -> Result<(), BeginError> {
        self.request.check::<BeginError>()?;
        if let Some((window, summary)) = &self.session {
            rules::may_charge(window, summary, new, now)?;
        }
        if self.is_link_in_use {
            return Err(BeginError::LinkInUse);
        }
        if let Some(charge) = self.refunded_charge {
            refund::amount(charge, Some(new.transfer.amount))?;
        }
        if new.counts_as_payout() {
            self.controls.check(new.transfer.amount, self.paid_pesewas)?;
        }
        Ok(())
    }
}

impl From<Obstacle> for BeginError {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Repeated => RepeatError::InProgress.into(),
            Obstacle::KeyRevoked => Self::KeyRevoked,
            Obstacle::AccountSuspended => Self::AccountSuspended,
        }
    }
}

impl From<Obstacle> for OpenError {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Repeated => RepeatError::InProgress.into(),
            Obstacle::KeyRevoked => Self::KeyRevoked,
            Obstacle::AccountSuspended => Self::AccountSuspended,
        }
    }
}

impl From<Obstacle> for CreateLinkError {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Repeated => RepeatError::InProgress.into(),
            Obstacle::KeyRevoked => Self::KeyRevoked,
            Obstacle::AccountSuspended => Self::AccountSuspended,
        }
    }
}
