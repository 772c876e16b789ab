use super::*;
use crate::{
    AccountId, CheckoutId, Mode, Scope, branding::Branding, checkout::CheckoutTerms,
    finding::Mismatch, transaction::tests::new_order,
};
use tua_contract::{Amount, State};

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

/// A session that expires after half an hour.
fn session(closed_at: Option<Timestamp>) -> Checkout {
    Checkout {
        id: CheckoutId::mint(),
        scope: Scope { account: AccountId::mint(), mode: Mode::Test },
        merchant: "Adom Stores".to_owned(),
        branding: Branding::default(),
        seed: [0; 16],
        reference: "order-1".to_owned(),
        terms: CheckoutTerms {
            amount: Amount::from_pesewas(1050).unwrap(),
            email: None,
            metadata: None,
            answer: None,
            return_url: None,
        },
        created_at: START,
        expires_at: seconds(1_800),
        closed_at,
        created_by: None,
        link: None,
        sandbox_ahead: SignedDuration::ZERO,
    }
}

fn charge_in(state: State) -> Transaction {
    let mut charge = Transaction::begin(new_order(), true, None, START);
    if state.is_final() {
        charge.apply_event(&Event::moved(state), START);
    }
    charge
}

const FAILED: State = State::Failed(FailureCode::CustomerRejected);

#[test]
fn a_session_has_one_charge_at_a_time_five_in_all_and_none_once_it_has_ended() {
    let open = ChargeWindow { expires_at: seconds(1_800), is_decided: false, closed_at: None };
    let charge = |window: ChargeWindow, charges: &[State], now| {
        let charges = charges.iter().copied().map(charge_in).collect();
        may_charge(&window, &CheckoutSummary::of(charges), &new_order(), seconds(now))
    };
    assert!(charge(open, &[FAILED; 4], 1_799).is_ok());
    let full = charge(open, &[FAILED; 5], 60);
    assert!(matches!(full, Err(BeginError::AttemptsExhausted)), "{full:?}");
    let pending = charge(open, &[FAILED, State::NEW], 60);
    assert!(matches!(pending, Err(BeginError::ChargeInProgress)), "{pending:?}");
    let paid = charge(open, &[State::Successful], 60);
    assert!(matches!(paid, Err(BeginError::AlreadyPaid)), "{paid:?}");
    let decided = ChargeWindow { is_decided: true, ..open };
    let closed = ChargeWindow { closed_at: Some(seconds(60)), ..open };
    assert!(charge(closed, &[FAILED], 59).is_ok(), "it is closed later");
    for (window, now) in [(open, 1_800), (decided, 60), (closed, 60)] {
        let ended = charge(window, &[FAILED], now);
        assert!(matches!(ended, Err(BeginError::Expired(_))), "{window:?} {ended:?}");
    }
}

#[test]
fn a_session_is_closed_once_and_not_while_it_is_pending_or_paid() {
    let close = |checkout: &Checkout, charges: &[State]| {
        let charges = charges.iter().copied().map(charge_in).collect();
        may_close(checkout, &CheckoutSummary::of(charges), seconds(60))
    };
    let closed = close(&session(None), &[FAILED]).unwrap();
    assert_eq!(closed.and_then(|closed| closed.closed_at), Some(seconds(60)));
    assert_eq!(close(&session(Some(seconds(30))), &[]).unwrap(), None);
    let pending = close(&session(None), &[State::NEW]);
    assert!(matches!(pending, Err(CloseError::ChargeInProgress)), "{pending:?}");
    let paid = close(&session(None), &[State::Successful]);
    assert!(matches!(paid, Err(CloseError::AlreadyPaid)), "{paid:?}");
}

#[test]
fn a_person_decides_only_what_is_flagged_or_in_conflict() {
    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    let pending = charge_in(State::NEW);
    let early = review(&pending, verdict, false);
    assert!(matches!(early, Err(ReviewError::NotFlagged(_))), "{early:?}");
    assert!(review(&pending, verdict, true).is_ok());
    let mut paid = charge_in(State::Successful);
    let decided = review(&paid, verdict, true);
    assert!(matches!(decided, Err(ReviewError::AlreadyFinal(Status::Successful))), "{decided:?}");
    paid.apply_event(&Event::Contradicted(Status::Failed, None, OperatorDetails::NONE), START);
    assert_eq!(review(&paid, verdict, false).unwrap(), [Event::CaseDecided(Status::Failed)]);
}

#[test]
fn an_order_of_a_revoked_key_is_not_handed_over_unless_it_was_approved_since() {
    let decide = |transaction: &Transaction, is_key_revoked| {
        hand_over(transaction, None, is_key_revoked, seconds(60), Duration::ZERO)
    };
    let charge = Transaction::begin(new_order(), false, None, START);
    let order = charge.order.clone();
    let transfer = crate::Transfer { kind: Kind::Payout, ..order.transfer.clone() };
    let payout = TransactionOrder { transfer, ..TransactionOrder::clone(&order) };
    let mut payout = Transaction::begin(payout, false, None, START);
    for transaction in [&charge, &payout] {
        let stopped = decide(transaction, true);
        assert!(matches!(stopped, Some(HandOverDecision::Stop(_))), "{stopped:?}");
        assert_eq!(decide(transaction, false), Some(HandOverDecision::HandOver));
    }
    payout.is_approved_after_revocation = true;
    assert_eq!(decide(&payout, true), Some(HandOverDecision::HandOver));
}
