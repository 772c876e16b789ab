//! Rules that every store applies inside its own transactions.

use super::{
    Checkout, CheckoutSummary, Event, Kind, Transaction, TransactionOrder,
    checkout::{ChargeWindow, CheckoutStatus, EndedCheckout, MAX_ATTEMPTS},
    key_revocation,
    known_orders::SendAge,
    payout_route::PayoutRoute,
    poll_schedule::PollSchedule,
    ports::{BeginError, CloseError, DueTransaction, ReviewError},
    review::ReviewVerdict,
    steady_time::WALL_CLOCK_TRUSTED_AFTER,
    transfer::OperatorDetails,
    webhook::{EventType, notice::Notice},
};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tua_contract::{FailureCode, Status, lifecycle::Observation};

/// After this time a pending transaction is reported as delayed (`docs/reference/webhooks.md`).
pub const DELAYED_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// How long the order of a payout may wait to be handed over.
pub const PAYOUT_MAX_WAIT: SignedDuration = SignedDuration::from_hours(72);

/// How long the order of a charge without a session may wait to be handed over. A session's charge
/// may wait until its session expires.
pub const CHARGE_MAX_WAIT: SignedDuration = SignedDuration::from_mins(10);

/// How long an order that never arrived may be sent again.
pub const MAX_REPEAT_AGE: SignedDuration = SignedDuration::from_mins(10);

/// How long after its hand-over a failure without a reason is not final yet, where a callback
/// usually gives the reason.
pub const REASON_WAIT: SignedDuration = SignedDuration::from_mins(1);

/// When to look again at an order that is held because its account is suspended, or because no
/// operator takes it now.
pub const HELD_RETRY: SignedDuration = SignedDuration::from_mins(1);

/// When to look again at an expired session whose last charge is still pending.
const EXPIRY_RETRY: SignedDuration = SignedDuration::from_mins(1);

/// A session has one charge at a time and five in all, and none after it has expired or is paid.
///
/// The expiry comes first, as at authentication: a request's body may arrive long after its head.
///
/// # Errors
/// [`BeginError::Expired`], [`BeginError::AlreadyPaid`], [`BeginError::ChargeInProgress`] or
/// [`BeginError::AttemptsExhausted`].
pub fn may_charge(
    window: &ChargeWindow,
    summary: &CheckoutSummary,
    charge: &TransactionOrder,
    now: Timestamp,
) -> Result<(), BeginError> {
    let is_pending =
        summary.latest.as_ref().is_some_and(|latest| latest.state.status() == Status::Pending);
    // A charge of a session has the session's reference.
    let ended = || {
        BeginError::Expired(EndedCheckout::new(summary, window.is_closed(now), &charge.reference))
    };
    if window.is_over(now) {
        Err(ended())
    } else if summary.paid {
        Err(BeginError::AlreadyPaid)
    } else if is_pending {
        Err(BeginError::ChargeInProgress)
    } else if window.is_closed(now) {
        Err(ended())
    } else if summary.attempts >= MAX_ATTEMPTS {
        Err(BeginError::AttemptsExhausted)
    } else {
        Ok(())
    }
}

/// A session whose key was revoked, closed: it takes no other charge. `None` if it has ended, is
/// paid or was closed before. [`expiry`] returns what follows: a session whose charge is pending
/// ends once the charge has failed.
#[must_use]
pub fn close(checkout: &Checkout, summary: &CheckoutSummary, now: Timestamp) -> Option<Checkout> {
    let is_open = match checkout.status(summary, now) {
        CheckoutStatus::Open => true,
        CheckoutStatus::Pending => !checkout.is_closed(now),
        CheckoutStatus::Paid | CheckoutStatus::Expired | CheckoutStatus::Closed => false,
    };
    is_open.then(|| Checkout { closed_at: Some(now), ..checkout.clone() })
}

/// A session that its merchant asks to close, closed. `None` if it has ended.
///
/// # Errors
/// [`CloseError::ChargeInProgress`] or [`CloseError::AlreadyPaid`].
pub fn may_close(
    checkout: &Checkout,
    summary: &CheckoutSummary,
    now: Timestamp,
) -> Result<Option<Checkout>, CloseError> {
    match checkout.status(summary, now) {
        CheckoutStatus::Pending => Err(CloseError::ChargeInProgress),
        CheckoutStatus::Paid => Err(CloseError::AlreadyPaid),
        CheckoutStatus::Open | CheckoutStatus::Expired | CheckoutStatus::Closed => {
            Ok(close(checkout, summary, now))
        }
    }
}

/// The events that a review makes of a transaction. Where the operator reported a success for
/// something else than was asked, the sum that moved must be named, and a decision against the
/// operator is a conflict.
///
/// # Errors
/// [`ReviewError::AlreadyFinal`] where it is final, [`ReviewError::NotFlagged`] where its operator
/// is still queried, and [`ReviewError::SumMissing`] or [`ReviewError::SumUnexpected`].
pub fn review(
    transaction: &Transaction,
    verdict: ReviewVerdict,
    is_flagged: bool,
) -> Result<Vec<Event>, ReviewError> {
    if transaction.state.is_final() {
        return decide_case(transaction, verdict);
    }
    let Some(moved @ Event::Moved(..)) =
        transaction.weigh(&verdict.as_observation().into(), transaction.version)
    else {
        return Err(ReviewError::AlreadyFinal(transaction.state.status()));
    };
    if !is_flagged {
        return Err(ReviewError::NotFlagged(PollSchedule::review_at(transaction.pending_since())));
    }
    let contradicted = Event::Contradicted(Status::Successful, None, OperatorDetails::NONE);
    match (verdict, transaction.mismatch) {
        (ReviewVerdict::Successful | ReviewVerdict::Failed(_), Some(mismatch)) => {
            Err(ReviewError::SumMissing(mismatch.received))
        }
        (ReviewVerdict::SuccessfulFor(_) | ReviewVerdict::FailedDespite(..), None) => {
            Err(ReviewError::SumUnexpected)
        }
        (ReviewVerdict::SuccessfulFor(sum), Some(_)) => Ok(vec![Event::SumSettled(sum), moved]),
        (ReviewVerdict::FailedDespite(_, sum), Some(_)) => {
            Ok(vec![Event::SumSettled(sum), moved, contradicted])
        }
        (ReviewVerdict::Successful | ReviewVerdict::Failed(_), None) => Ok(vec![moved]),
    }
}

/// The events of a manual decision about the conflict or dispute of a final transaction.
fn decide_case(
    transaction: &Transaction,
    verdict: ReviewVerdict,
) -> Result<Vec<Event>, ReviewError> {
    if transaction.open_conflict().or(transaction.open_dispute()).is_none() {
        return Err(ReviewError::AlreadyFinal(transaction.state.status()));
    }
    match verdict {
        ReviewVerdict::SuccessfulFor(_) | ReviewVerdict::FailedDespite(..) => {
            Err(ReviewError::SumUnexpected)
        }
        ReviewVerdict::Successful | ReviewVerdict::Failed(_) => {
            Ok(vec![Event::CaseDecided(verdict.status())])
        }
    }
}

/// From when the wait of an order to be handed over counts.
fn waits_from(transaction: &Transaction) -> Timestamp {
    transaction.approved_at.unwrap_or(transaction.created_at)
}

/// Until when the order of a transaction may be handed over.
#[must_use]
pub fn hand_over_until(
    transaction: &Transaction,
    session_expires_at: Option<Timestamp>,
) -> Timestamp {
    let max_wait = match transaction.order.transfer.kind {
        Kind::Charge => CHARGE_MAX_WAIT,
        Kind::Payout => PAYOUT_MAX_WAIT,
    };
    session_expires_at.unwrap_or(waits_from(transaction) + max_wait)
}

/// What happens to an order that is due to be handed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HandOverDecision {
    /// It is handed over.
    HandOver,
    /// It has waited for too long. This event ends the transaction.
    End(Event),
    /// By the wall clock it has waited for too long, but this process has not known it for as long:
    /// the clock may be wrong. It is neither sent nor ended.
    Wait,
    /// Its key was revoked. This event ends a charge, and lets a payout wait for an approval
    /// ([`key_revocation::stop`]).
    Stop(Event),
}

/// What happens to a transaction whose order is due to be handed over. `None` where there is
/// nothing to hand over: it is handed over already, waits for an approval, or is final.
///
/// `session_expires_at` is the expiry of the session that it charges. `waited` is how long this
/// process has known that it waits ([`super::known_orders`]).
#[must_use]
pub fn hand_over(
    transaction: &Transaction,
    session_expires_at: Option<Timestamp>,
    is_key_revoked: bool,
    now: Timestamp,
    waited: Duration,
) -> Option<HandOverDecision> {
    if let Some(stopped) = key_revocation::stop(transaction).filter(|_| is_key_revoked) {
        return Some(HandOverDecision::Stop(stopped));
    }
    if !transaction.may_be_sent() {
        return None;
    }
    let until = hand_over_until(transaction, session_expires_at);
    let max_wait =
        Duration::try_from(until.duration_since(waits_from(transaction))).unwrap_or_default();
    let is_over_by_wall_clock = now >= until;
    if waited >= max_wait
        || is_over_by_wall_clock && waited >= max_wait.min(WALL_CLOCK_TRUSTED_AFTER)
    {
        let not_sent = Observation::Failed(FailureCode::NotSent).into();
        return transaction.weigh(&not_sent, transaction.version).map(HandOverDecision::End);
    }
    Some(if is_over_by_wall_clock { HandOverDecision::Wait } else { HandOverDecision::HandOver })
}

/// What happens to a transaction that looks unsent when an operator is found to have its order;
/// nothing where it does not look so any more. `approved` has what the lost approval chose, where
/// one was needed.
#[must_use]
pub fn found_at_operator(transaction: &Transaction, approved: Option<PayoutRoute>) -> Vec<Event> {
    if !transaction.is_unsent() {
        return Vec::new();
    }
    let approval = transaction.weigh(&Observation::Approved.into(), transaction.version);
    let approval = approval.filter(|_| transaction.state.is_unapproved());
    std::iter::once(Event::FoundAtOperator { approved }).chain(approval).collect()
}

/// What an operator documents about orders that it never received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperatorTerms {
    /// Whether it refuses a second order with the same reference.
    pub refuses_repeats: bool,
    /// How long a send takes at most.
    pub max_send_time: Duration,
    /// When "never received" is final, counted from the deadline of the last send.
    pub never_received_is_final_after: Option<Duration>,
    /// Whether the order may have been sent with earlier credentials than those that it was asked
    /// with: another account at the operator never received it.
    pub may_have_earlier_credentials: bool,
}

/// What follows where an operator reports that it never received an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterNeverReceived {
    /// The same order is sent again, with the same reference.
    SendAgain,
    /// The order was never sent, and will not be executed.
    NotSent,
    /// The outcome is unknown. The order is never sent again.
    Wait,
}

/// What follows where an operator reports that it never received an order
/// (docs/reference/lifecycle.md, Sending again).
///
/// `age` was taken before the operator was asked. The wall clock only shortens the time in which an
/// order is repeated.
#[must_use]
pub fn after_never_received(
    due: &DueTransaction,
    session_expires_at: Option<Timestamp>,
    terms: OperatorTerms,
    now: Timestamp,
    age: SendAge,
) -> AfterNeverReceived {
    let (transaction, Some(handed_over_at)) = (&due.transaction, due.transaction.handed_over_at)
    else {
        return AfterNeverReceived::Wait;
    };
    // It contradicts itself, so it may still execute the order; or another account may have it.
    if due.is_acknowledged || transaction.state.is_final() || terms.may_have_earlier_credentials {
        return AfterNeverReceived::Wait;
    }
    // The last send may still be under way, on this node or another.
    let Some(since_last_deadline) = age.last.checked_sub(terms.max_send_time) else {
        return AfterNeverReceived::Wait;
    };
    let is_young = age.first < MAX_REPEAT_AGE.unsigned_abs()
        && now < handed_over_at + MAX_REPEAT_AGE
        && session_expires_at.is_none_or(|expires_at| now < expires_at);
    if terms.refuses_repeats && is_young && !due.is_flagged {
        return AfterNeverReceived::SendAgain;
    }
    match terms.never_received_is_final_after {
        Some(after) if since_last_deadline >= after => AfterNeverReceived::NotSent,
        _ => AfterNeverReceived::Wait,
    }
}

/// What happens to a session whose token has expired, or that was closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expiry {
    /// It is paid. The merchant is sent nothing.
    Paid,
    /// Its last charge is pending. Whether the session ends unpaid is decided later: look again at
    /// this time.
    Later(Timestamp),
    /// It ends unpaid after at least one charge. The merchant is sent this notice.
    Unpaid(Notice),
    /// It ends, and it never had a charge.
    Unused(Notice),
}

/// What happens to such a session, by its charges so far.
#[must_use]
pub fn expiry(checkout: &Checkout, summary: &CheckoutSummary, now: Timestamp) -> Expiry {
    match summary.status() {
        CheckoutStatus::Paid => Expiry::Paid,
        CheckoutStatus::Pending => Expiry::Later(now + EXPIRY_RETRY),
        _ => {
            let event_type = match checkout.closed_at {
                Some(_) => EventType::CheckoutClosed,
                None => EventType::CheckoutExpired,
            };
            let notice = Notice::of_checkout(&checkout.id, event_type);
            if summary.attempts == 0 { Expiry::Unused(notice) } else { Expiry::Unpaid(notice) }
        }
    }
}

#[cfg(test)]
mod tests;
