//! If a request has several faults, both database engines refuse it for the same one.
//!
//! Each table lists the faults of a request in the order in which they are checked. The test sends
//! the request with all of these faults, then without the first one, and so on, and at last without
//! any. It runs on both engines with the same tables.

mod decisions;
mod new_payments;
mod new_requests;
mod shop;

use std::fmt::Debug;

/// What is wrong with a request, or with the stored state when it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
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

/// The faults of a request, each with the name of its error.
type Refusals = &'static [(Fault, &'static str)];

/// A kind of request, which can have each fault of its table.
trait Scenario {
    /// Sends the request with these faults.
    ///
    /// # Errors
    /// The name of the error for which it is refused.
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String>;
}

/// The name of an error's variant.
fn variant_name(error: impl Debug) -> String {
    let text = format!("{error:?}");
    text.split(|character: char| !character.is_alphanumeric()).next().unwrap().to_owned()
}

/// Asserts that the faults of a request are checked in the order of its table.
async fn assert_order(mut scenario: impl Scenario, refusals: Refusals) {
    let mut found = Vec::new();
    let mut expected = Vec::new();
    for first in 0..=refusals.len() {
        let (faults, errors): (Vec<_>, Vec<_>) = refusals[first..].iter().copied().unzip();
        let refused = scenario.request(&faults).await.err();
        found.push((faults.clone(), refused));
        expected.push((faults, errors.first().map(|error| (*error).to_owned())));
    }
    assert_eq!(found, expected);
}

macro_rules! orders {
    ($($test:ident: $scenario:ty = [$(($fault:ident, $error:literal)),* $(,)?];)*) => {
        $(
            #[tokio::test]
            async fn $test() {
                let scenario = <$scenario>::start().await;
                assert_order(scenario, &[$((Fault::$fault, $error)),*]).await;
            }
        )*
    };
}

orders! {
    a_charge_is_refused_for_the_first_reason_that_applies:
        new_payments::Charge = [
            (Repeated, "Repeat"),
            (KeyRevoked, "KeyRevoked"),
            (Suspended, "AccountSuspended"),
            (SessionExpired, "Expired"),
            (LinkInUse, "LinkInUse"),
            (Limited, "Exceeded"),
        ];
    a_refund_is_refused_for_the_first_reason_that_applies:
        new_payments::Refund = [
            (Repeated, "Repeat"),
            (KeyRevoked, "KeyRevoked"),
            (Suspended, "AccountSuspended"),
            (MoreThanPaid, "Refund"),
            (AboveLimit, "LimitExceeded"),
        ];
    a_batch_is_refused_for_the_first_reason_that_applies:
        new_payments::Batch = [
            (Repeated, "Repeat"),
            (KeyRevoked, "KeyRevoked"),
            (Suspended, "AccountSuspended"),
            (AboveLimit, "LinesExceeded"),
            (AboveDailyLimit, "LimitExceeded"),
        ];
    a_session_is_refused_for_the_first_reason_that_applies:
        new_requests::Session = [
            (Repeated, "Repeat"),
            (KeyRevoked, "KeyRevoked"),
            (Suspended, "AccountSuspended"),
            (LinkClosed, "LinkNotOpen"),
        ];
    a_link_is_refused_for_the_first_reason_that_applies:
        new_requests::PaymentLink = [
            (Repeated, "Repeat"),
            (KeyRevoked, "KeyRevoked"),
            (Suspended, "AccountSuspended"),
            (CodeTaken, "CodeTaken"),
        ];
    a_code_is_refused_for_the_first_reason_that_applies:
        new_requests::CodeAttempt = [
            (Repeated, "Repeat"),
            (Ended, "NotExpected"),
            (Limited, "Exceeded"),
        ];
    an_approval_is_refused_for_the_first_reason_that_applies:
        decisions::Approval = [
            (Unknown, "NotFound"),
            (PartOfBatch, "PartOfBatch"),
            (Ended, "NotWaiting"),
            (WaitedTooLong, "Expired"),
            (Suspended, "AccountSuspended"),
            (Unroutable, "Unroutable"),
            (AboveLimit, "Exceeded"),
        ];
    an_approval_of_a_batch_is_refused_for_the_first_reason_that_applies:
        decisions::BatchApproval = [
            (Unknown, "NotFound"),
            (Ended, "NotWaiting"),
            (WaitedTooLong, "Expired"),
            (Suspended, "AccountSuspended"),
            (Unroutable, "Unroutable"),
            (AboveLimit, "Exceeded"),
            (AboveDailyLimit, "Exceeded"),
        ];
    a_review_is_refused_for_the_first_reason_that_applies:
        decisions::Review = [
            (Unknown, "NotFound"),
            (Ended, "AlreadyFinal"),
            (NotFlagged, "NotFlagged"),
            (SumUnexpected, "SumUnexpected"),
        ];
    the_end_of_a_session_is_refused_for_the_first_reason_that_applies:
        decisions::Closing = [
            (Unknown, "NotFound"),
            (ChargePending, "ChargeInProgress"),
        ];
}
