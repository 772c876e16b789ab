use super::*;
use crate::{finding::Mismatch, transaction::tests::new_order};
use tua_contract::Amount;

const START: Timestamp = Timestamp::UNIX_EPOCH;

const DOCUMENTED: OperatorTerms = OperatorTerms {
    refuses_repeats: true,
    max_send_time: Duration::from_secs(30),
    never_received_is_final_after: Some(Duration::from_secs(600)),
    may_have_earlier_credentials: false,
};

fn due() -> DueTransaction {
    DueTransaction {
        transaction: Transaction::begin(new_order(), true, None, START),
        query_count: 1,
        leased_until: START,
        is_acknowledged: false,
        is_flagged: false,
        send_deadline: None,
        clock_advance: SignedDuration::ZERO,
    }
}

fn seconds(seconds: i64) -> Timestamp {
    START + SignedDuration::from_secs(seconds)
}

/// What follows for an order that was sent once, as many seconds ago.
fn after(due: &DueTransaction, terms: OperatorTerms, sent_ago: u64) -> AfterNeverReceived {
    let age = SendAge { first: Duration::from_secs(sent_ago), last: Duration::from_secs(sent_ago) };
    let now = seconds(i64::try_from(sent_ago).unwrap());
    after_never_received(due, None, terms, now, age)
}

#[test]
fn an_order_is_sent_again_after_its_deadline_for_ten_minutes_and_then_never() {
    use AfterNeverReceived::{NotSent, SendAgain, Wait};
    let at = |sent_ago| after(&due(), DOCUMENTED, sent_ago);
    assert_eq!(
        [29, 30, 599, 600, 629, 630].map(at),
        [Wait, SendAgain, SendAgain, Wait, Wait, NotSent]
    );
}

#[test]
fn each_clock_alone_ends_the_time_in_which_an_order_is_sent_again() {
    use AfterNeverReceived::{SendAgain, Wait};
    let next = |(now, first)| {
        let age = SendAge { first: Duration::from_secs(first), last: Duration::from_secs(60) };
        after_never_received(&due(), None, DOCUMENTED, seconds(now), age)
    };
    assert_eq!([(599, 599), (600, 60), (60, 600)].map(next), [SendAgain, Wait, Wait]);
}

#[test]
fn a_send_that_came_later_has_a_deadline_of_its_own() {
    let age = SendAge { first: Duration::from_secs(100), last: Duration::from_secs(29) };
    let next = after_never_received(&due(), None, DOCUMENTED, seconds(100), age);
    assert_eq!(next, AfterNeverReceived::Wait);
}

#[test]
fn what_an_operator_does_not_document_is_not_assumed() {
    let undocumented =
        OperatorTerms { refuses_repeats: false, never_received_is_final_after: None, ..DOCUMENTED };
    for sent_ago in [60, 700, 100_000] {
        assert_eq!(after(&due(), undocumented, sent_ago), AfterNeverReceived::Wait);
    }
}

#[test]
fn an_order_that_may_be_at_the_operator_is_neither_sent_again_nor_ended() {
    let acknowledged = DueTransaction { is_acknowledged: true, ..due() };
    let earlier = OperatorTerms { may_have_earlier_credentials: true, ..DOCUMENTED };
    for sent_ago in [60, 700] {
        assert_eq!(after(&acknowledged, DOCUMENTED, sent_ago), AfterNeverReceived::Wait);
        assert_eq!(after(&due(), earlier, sent_ago), AfterNeverReceived::Wait);
    }
}

#[test]
fn an_order_of_an_ended_session_or_one_that_people_look_at_is_not_sent_again() {
    let age = SendAge { first: Duration::from_secs(60), last: Duration::from_secs(60) };
    let next = |due: &DueTransaction, ends_at| {
        after_never_received(due, Some(seconds(ends_at)), DOCUMENTED, seconds(60), age)
    };
    assert_eq!(next(&due(), 61), AfterNeverReceived::SendAgain);
    assert_eq!(next(&due(), 60), AfterNeverReceived::Wait);
    let flagged = DueTransaction { is_flagged: true, ..due() };
    assert_eq!(next(&flagged, 61), AfterNeverReceived::Wait);
}

#[test]
fn an_order_is_handed_over_once_and_within_its_time() {
    let unsent = Transaction::begin(new_order(), false, None, START);
    let decide = |transaction: &Transaction, now, waited| {
        hand_over(transaction, None, false, seconds(now), Duration::from_secs(waited))
    };
    assert_eq!(decide(&unsent, 599, 599), Some(HandOverDecision::HandOver));
    assert!(matches!(decide(&unsent, 600, 600), Some(HandOverDecision::End(_))));
    assert_eq!(decide(&unsent, 600, 0), Some(HandOverDecision::Wait), "the clock may be wrong");
    assert!(matches!(decide(&unsent, 1, 600), Some(HandOverDecision::End(_))));
    let mut sent = unsent.clone();
    sent.apply_event(&Event::HandedOver, START);
    assert_eq!(decide(&sent, 1, 1), None);
}

#[test]
fn a_mismatch_is_decided_with_the_sum_that_moved_and_nothing_else_is() {
    let sum = Amount::from_pesewas(500).unwrap();
    let failed = FailureCode::Unspecified;
    let plain = Transaction::begin(new_order(), true, None, START);
    let mut mismatched = plain.clone();
    let named = Amount::from_pesewas(450).unwrap();
    let reported = Mismatch { received: Some(named) };
    mismatched.apply_event(&Event::Mismatched(reported, OperatorDetails::NONE), START);
    let decide = |transaction: &Transaction, verdict| {
        let mut decided = transaction.clone();
        let events = review(transaction, verdict, true)?;
        events.iter().for_each(|event| decided.apply_event(event, START));
        let observed = decided.conflict.map(|conflict| conflict.observed);
        Ok::<_, ReviewError>((decided.state.status(), decided.settled_amount, observed))
    };
    for (verdict, expected) in [
        (ReviewVerdict::SuccessfulFor(sum), (Status::Successful, Some(sum), None)),
        (
            ReviewVerdict::FailedDespite(failed, sum),
            (Status::Failed, Some(sum), Some(Status::Successful)),
        ),
    ] {
        assert_eq!(decide(&mismatched, verdict).unwrap(), expected, "{verdict:?}");
    }
    for verdict in [ReviewVerdict::Successful, ReviewVerdict::Failed(failed)] {
        let missing = decide(&mismatched, verdict);
        let sum = matches!(missing, Err(ReviewError::SumMissing(sum)) if sum == Some(named));
        assert!(sum, "{missing:?}");
    }
    for verdict in [ReviewVerdict::SuccessfulFor(sum), ReviewVerdict::FailedDespite(failed, sum)] {
        let refused = decide(&plain, verdict);
        assert!(matches!(refused, Err(ReviewError::SumUnexpected)), "{refused:?}");
    }
}
