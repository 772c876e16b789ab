//! Rules that every store applies inside its own transactions.

use super::{
    Checkout, CheckoutSummary, Event, Transaction,
    checkout::MAX_ATTEMPTS,
    poll_schedule::PollSchedule,
    ports::{BeginError, ReviewError},
    review::Verdict,
    webhook::{EventType, notice::Notice},
};
use jiff::{SignedDuration, Timestamp};
use tua_contract::Status;

/// After this time a pending transaction is reported as delayed (`docs/reference/webhooks.md`).
pub const DELAYED_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// When to look again at an expired session whose last charge is still pending.
const EXPIRY_RETRY: SignedDuration = SignedDuration::from_mins(1);

/// A session has one charge at a time and five in all, and none after it is paid.
///
/// # Errors
/// [`BeginError::AlreadyPaid`], [`BeginError::ChargeInProgress`] or [`BeginError::AttemptsExhausted`].
pub fn may_charge(summary: &CheckoutSummary) -> Result<(), BeginError> {
    let is_pending = summary.latest.as_ref().is_some_and(|latest| latest.state.status() == Status::Pending);
    if summary.paid {
        Err(BeginError::AlreadyPaid)
    } else if is_pending {
        Err(BeginError::ChargeInProgress)
    } else if summary.attempts >= MAX_ATTEMPTS {
        Err(BeginError::AttemptsExhausted)
    } else {
        Ok(())
    }
}

/// The event that a review makes of a transaction.
///
/// # Errors
/// [`ReviewError::Decided`] where it is final, and [`ReviewError::NotFlagged`] where its operator is still asked.
pub fn may_review(transaction: &Transaction, verdict: Verdict, is_flagged: bool) -> Result<Event, ReviewError> {
    let Some(moved @ Event::Moved(_)) = transaction.weigh(verdict.as_observation(), transaction.version) else {
        return Err(ReviewError::Decided(transaction.state.status()));
    };
    match is_flagged {
        true => Ok(moved),
        false => Err(ReviewError::NotFlagged(PollSchedule::review_at(transaction.created_at))),
    }
}

/// What happens to a session whose token has expired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expiry {
    /// It is paid. The merchant is sent nothing.
    Paid,
    /// Its last charge is pending. Whether the session ends unpaid is decided later: look again at this time.
    Later(Timestamp),
    /// It ends unpaid.
    Unpaid(Notice),
    /// It ends, and it never had a charge.
    Unused(Notice),
}

/// What happens to a session whose token has expired, by its charges so far.
#[must_use]
pub fn expiry(checkout: &Checkout, summary: &CheckoutSummary, now: Timestamp) -> Expiry {
    match summary.as_str() {
        "PAID" => Expiry::Paid,
        "PENDING" => Expiry::Later(now + EXPIRY_RETRY),
        _ => {
            let notice = Notice::of_checkout(&checkout.id, EventType::CheckoutExpired);
            if summary.attempts == 0 { Expiry::Unused(notice) } else { Expiry::Unpaid(notice) }
        }
    }
}
