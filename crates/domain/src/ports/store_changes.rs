//! Changes that merchants and the command line make to accounts, keys and sessions.

use super::StoreError;
use crate::{
    Mode, Transaction, branding::BrandingChange, idempotency::RepeatError, overloaded::Overloaded,
};
use jiff::Timestamp;
use tua_contract::State;

/// A payout after a decision about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecidedPayout {
    /// The payout after the decision.
    pub transaction: Transaction,
    /// Its state before the decision; `None` if the decision changed nothing.
    pub before: Option<State>,
}

/// Why a session was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The key was revoked since it was checked.
    #[error("the key was revoked")]
    KeyRevoked,
    /// The account is suspended.
    #[error("this account is suspended")]
    AccountSuspended,
    /// The payment link that opens it takes no payment now.
    #[error("this payment link takes no payment")]
    LinkNotOpen,
    /// No operator that serves charges of this account works at present, so nobody could pay.
    #[error("no operator serves charges")]
    NetworkUnavailable,
    /// No operator is set up for charges of this account in this mode.
    #[error("no operator is set up for {} charges", .0.as_str())]
    NoOperator(Mode),
    /// The attempt's key is known already.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// There is more to do than can be done.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// The store failed. The variant of [`StoreError`] shows whether the session may have been
    /// opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a session was not closed.
#[derive(Debug, thiserror::Error)]
pub enum CloseError {
    /// There is no such session in this account and mode.
    #[error("there is no such checkout")]
    NotFound,
    /// A charge of the session is not decided yet.
    #[error("a charge of this checkout is in progress")]
    ChargeInProgress,
    /// The session is paid.
    #[error("this checkout has been paid")]
    AlreadyPaid,
    /// The store failed. The variant of [`StoreError`] shows whether the session may have been
    /// closed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a revocation does with the open sessions that the key created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenSessions {
    /// They are closed; one whose charge is pending, once that has failed.
    Close,
    /// They stay open until they expire, are paid or are closed.
    Keep,
}

/// A change to an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccountChange {
    /// No new payment or session begins from this moment on. Suspending twice keeps the first
    /// moment.
    Suspend(Timestamp),
    /// They can begin again. Payouts that were not sent before the suspension need an approval.
    Resume,
    /// Another name, as payers read it.
    Rename(String),
    /// Payers with an e-mail address get receipts, or do not.
    SendReceipts(bool),
    /// Another accent colour or logo.
    Brand(BrandingChange),
}
