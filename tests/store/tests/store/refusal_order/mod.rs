//! If a request has several faults, both database engines refuse it for the same one.
//!
//! Each table lists the faults of a request in the order in which they are checked. The test sends
//! the request with all of these faults, then without the first one, and so on, and at last without
//! any. It runs on both engines with the same tables.

mod decisions;
mod new_payments;
mod new_requests;
mod scenario;
mod shop;

use scenario::{Fault, Scenario};

/// The faults of a request, each with the name of its error.
type Refusals = &'static [(Fault, &'static str)];

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
