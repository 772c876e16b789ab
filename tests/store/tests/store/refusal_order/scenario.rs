//! A request that can have faults.

use std::fmt::Debug;

/// What is wrong with a request, or with the stored state when it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Its idempotency key was used before.
    Repeated,
    /// Its secret key is revoked.
    KeyRevoked,
    /// The account is suspended.
    Suspended,
    /// The session has expired.
    SessionExpired,
    /// The link for one payment is being paid.
    LinkInUse,
    /// The link is closed.
    LinkClosed,
    /// Another link has the code.
    CodeTaken,
    /// The refund is larger than the charge.
    MoreThanPaid,
    /// The payout is above the limit of one payout.
    AboveLimit,
    /// The payouts are above the limit of a day.
    AboveDailyLimit,
    /// No more prompts, or codes, are allowed now.
    Limited,
    /// It does not exist in this account and mode.
    Unknown,
    /// It is a line of a batch.
    PartOfBatch,
    /// It is final already, or does not expect this any more.
    Ended,
    /// It has waited for too long.
    WaitedTooLong,
    /// No operator takes it.
    Unroutable,
    /// A charge of the session is pending.
    ChargePending,
    /// Its operator is still queried.
    NotFlagged,
    /// The verdict contains a sum, but the operator has reported none.
    SumUnexpected,
}

/// A kind of request, which can have each fault of its table.
pub trait Scenario {
    /// Sends the request with these faults.
    ///
    /// # Errors
    /// The name of the error for which it is refused.
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String>;
}

/// The name of an error's variant.
pub fn variant_name(error: impl Debug) -> String {
    let text = format!("{error:?}");
    text.split(|character: char| !character.is_alphanumeric()).next().unwrap().to_owned()
}
