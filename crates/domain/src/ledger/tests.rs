use super::*;
use crate::{
    Event, Kind, TransactionId, TransactionOrder,
    finding::{Finding, Mismatch},
    pinned_operator::{OperatorFingerprint, OperatorName, PinnedOperator},
    refund_values::{RefundMethod, RefundOf},
    tariff::Price,
    transaction::tests::new_order,
    transfer::OperatorDetails,
};
use jiff::Timestamp;
use proptest::prelude::*;
use tua_contract::{FailureCode, lifecycle::Observation};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;
const FAILED: State = State::Failed(FailureCode::Unspecified);

fn new(kind: TransactionType) -> TransactionOrder {
    let mut begun = new_order();
    if kind != TransactionType::Charge {
        begun.transfer.kind = Kind::Payout;
    }
    if kind == TransactionType::Refund {
        begun.refund =
            Some(RefundOf { charge: TransactionId::mint(), method: RefundMethod::Native });
    }
    begun
}

/// What is posted after these events, by account: float, in transit, fees, merchant, refunds,
/// suspense.
fn after(kind: TransactionType, events: &[Event]) -> [i64; 6] {
    let mut transaction = Transaction::begin(new(kind), true, None, NOW);
    events.iter().for_each(|event| transaction.apply_event(event, NOW));
    let postings = Postings::of(&transaction);
    assert!(postings.is_balanced(), "{postings:?}");
    postings.0
}

fn successful(fee: i64) -> Event {
    Event::Moved(
        State::Successful,
        OperatorDetails { fee_pesewas: Some(fee), ..OperatorDetails::NONE },
    )
}

fn contradicted(observed: Status) -> Event {
    Event::Contradicted(observed, None, OperatorDetails::NONE)
}

fn operator() -> PinnedOperator {
    PinnedOperator {
        name: OperatorName::of_row("mtn".to_owned()),
        fingerprint: OperatorFingerprint::of_row("a".to_owned()),
    }
}

/// How many of these events make the fee of a charge known.
fn makes_known_of(operator: Option<PinnedOperator>, events: &[Event]) -> u32 {
    let mut transaction = Transaction::begin(new(TransactionType::Charge), true, operator, NOW);
    let mut made_known = 0;
    for event in events {
        let before = PostedBefore::of(&transaction);
        transaction.apply_event(event, NOW);
        made_known += u32::from(before.makes_fee_known(&transaction));
    }
    made_known
}

#[test]
fn a_fee_is_made_known_once() {
    let unknown = Event::moved(State::Successful);
    let makes_known = |events: &[Event]| makes_known_of(Some(operator()), events);
    assert_eq!(makes_known(std::slice::from_ref(&unknown)), 0);
    assert_eq!(makes_known(&[successful(0)]), 1, "a fee of nought is known");
    assert_eq!(makes_known(&[successful(20), successful(25)]), 1);
    assert_eq!(makes_known(&[unknown, successful(20)]), 1);
    assert_eq!(makes_known(&[Event::moved(FAILED)]), 0);
    let decided = Event::CaseDecided(Status::Successful);
    assert_eq!(makes_known(&[successful(20), contradicted(Status::Failed), decided]), 1);
}

#[test]
fn the_sandbox_has_no_fee_that_could_become_known() {
    for operator in [None, Some(PinnedOperator::sandbox())] {
        let makes_known = |events: &[Event]| makes_known_of(operator.clone(), events);
        assert_eq!(makes_known(&[Event::moved(State::Successful)]), 1);
        assert_eq!(makes_known(&[Event::moved(FAILED)]), 0);
    }
}

#[test]
fn a_fee_that_moves_nothing_has_an_entry_once_it_is_known() {
    let begun = new(TransactionType::Charge);
    let mut charge = Transaction::begin(begun, true, Some(operator()), NOW);
    let mut entry = |event: &Event| {
        let before = PostedBefore::of(&charge);
        charge.apply_event(event, NOW);
        (before.entry_after(&charge).map(|entry| entry.0), before.makes_fee_known_late(&charge))
    };
    let unknown = Event::moved(State::Successful);
    assert_eq!(entry(&unknown), (Some([1050, 0, 0, -1050, 0, 0]), false));
    assert_eq!(entry(&successful(0)), (Some([0; 6]), true));
    assert_eq!(entry(&successful(0)), (None, false), "it was known");
}

#[test]
fn a_fee_that_a_contradiction_names_first_is_known_late() {
    let is_late = |first: Event| {
        let begun = new(TransactionType::Charge);
        let mut charge = Transaction::begin(begun, true, Some(operator()), NOW);
        charge.apply_event(&first, NOW);
        let before = PostedBefore::of(&charge);
        let details = OperatorDetails { fee_pesewas: Some(20), ..OperatorDetails::NONE };
        charge.apply_event(&Event::Contradicted(Status::Failed, None, details), NOW);
        before.makes_fee_known_late(&charge)
    };
    assert!(is_late(Event::moved(State::Successful)));
    assert!(!is_late(successful(20)), "it was known");
}

#[test]
fn a_charge_posts_when_its_outcome_is_known() {
    use TransactionType::Charge;
    assert_eq!(after(Charge, &[]), [0; 6]);
    assert_eq!(after(Charge, &[Event::moved(FAILED)]), [0; 6]);
    assert_eq!(after(Charge, &[successful(0)]), [1050, 0, 0, -1050, 0, 0]);
    assert_eq!(after(Charge, &[successful(20)]), [1030, 0, 20, -1050, 0, 0]);
    let settled = Event::SumSettled(Amount::from_pesewas(1000).unwrap());
    assert_eq!(after(Charge, &[settled, successful(0)]), [1000, 0, 0, -1000, 0, 0]);
}

/// What is posted for a charge of GHS 10.50 whose payer bears a fee of 0.50, after these events.
fn with_payers_fee(events: &[Event]) -> (Transaction, [i64; 6]) {
    let mut begun = new(TransactionType::Charge);
    begun.price = Price { payer_pays: Amount::from_pesewas(1100).unwrap(), fee_pesewas: Some(50) };
    let mut charge = Transaction::begin(begun, true, None, NOW);
    events.iter().for_each(|event| charge.apply_event(event, NOW));
    let postings = Postings::of(&charge);
    assert!(postings.is_balanced(), "{postings:?}");
    (charge, postings.0)
}

#[test]
fn the_fee_that_a_payer_bears_is_neither_earned_nor_spent() {
    use Status::{Failed, Successful};
    let moved = |events: &[Event]| {
        let (charge, posted) = with_payers_fee(events);
        (moved_pesewas(&charge), posted)
    };
    let unreported = Event::moved(State::Successful);
    assert_eq!(
        moved(&[unreported]),
        (Some(1100), [1050, 0, 0, -1050, 0, 0]),
        "the operator keeps what the tariff says"
    );
    assert_eq!(moved(&[successful(50)]), (Some(1100), [1050, 0, 0, -1050, 0, 0]));
    assert_eq!(
        moved(&[successful(62)]),
        (Some(1100), [1038, 0, 12, -1050, 0, 0]),
        "the merchant bears the rest"
    );
    assert_eq!(moved(&[successful(30)]), (Some(1100), [1070, 0, -20, -1050, 0, 0]));
    assert_eq!(moved(&[Event::moved(FAILED)]), (None, [0; 6]));
    let lost = [successful(62), contradicted(Failed)];
    assert_eq!(moved(&lost), (None, [0, 0, 0, -1050, 0, 1050]));
    let found = [Event::moved(FAILED), contradicted(Successful)];
    assert_eq!(moved(&found), (Some(1100), [1050, 0, 0, 0, 0, -1050]));
    for (sum, posted) in [(1000, [1000, 0, 0, -1000, 0, 0]), (1080, [1050, 0, 0, -1050, 0, 0])] {
        let settled = Event::SumSettled(Amount::from_pesewas(sum).unwrap());
        assert_eq!(
            moved(&[settled, Event::moved(State::Successful)]),
            (Some(sum), posted),
            "{sum} were received"
        );
    }
}

#[test]
fn payouts_and_refunds_are_in_transit_from_the_hand_over_on() {
    use TransactionType::{Payout, Refund};
    for kind in [Payout, Refund] {
        assert_eq!(after(kind, &[]), [-1050, 1050, 0, 0, 0, 0]);
        assert_eq!(after(kind, &[Event::HandOverWithdrawn]), [0; 6]);
        assert_eq!(after(kind, &[Event::moved(FAILED)]), [0; 6]);
    }
    assert_eq!(after(Payout, &[successful(10)]), [-1060, 0, 10, 1050, 0, 0]);
    assert_eq!(
        after(Payout, &[successful(10), Event::Reversed(OperatorDetails::NONE)]),
        [-10, 0, 10, 0, 0, 0]
    );
    assert_eq!(after(Refund, &[successful(0)]), [-1050, 0, 0, 0, 1050, 0]);
}

#[test]
fn a_conflict_is_in_suspense_until_a_review_decides() {
    use Status::{Failed, Successful};
    use TransactionType::{Charge, Payout};
    let lost = [successful(20), contradicted(Failed)];
    assert_eq!(after(Charge, &lost), [0, 0, 0, -1050, 0, 1050]);
    let decided = |events: &[Event], status| [events, &[Event::CaseDecided(status)]].concat();
    assert_eq!(after(Charge, &decided(&lost, Failed)), [0; 6]);
    assert_eq!(after(Charge, &decided(&lost, Successful)), [1030, 0, 20, -1050, 0, 0]);

    let found = [Event::moved(FAILED), contradicted(Successful)];
    assert_eq!(after(Charge, &found), [1050, 0, 0, 0, 0, -1050]);
    assert_eq!(after(Charge, &decided(&found, Successful)), [1050, 0, 0, -1050, 0, 0]);
    assert_eq!(after(Charge, &decided(&found, Failed)), [0; 6]);
    assert_eq!(after(Payout, &found), [-1050, 0, 0, 0, 0, 1050]);

    let after_a_dispute =
        [successful(20), Event::Disputed, Event::CaseDecided(Successful), contradicted(Failed)];
    assert_eq!(
        after(Charge, &after_a_dispute),
        [0, 0, 0, -1050, 0, 1050],
        "the dispute's decision is an earlier one"
    );

    let of = |received| {
        Event::Contradicted(Successful, Some(Mismatch { received }), OperatorDetails::NONE)
    };
    let other = Amount::from_pesewas(900).ok();
    assert_eq!(after(Charge, &[Event::moved(FAILED), of(other)]), [900, 0, 0, 0, 0, -900]);
    assert_eq!(after(Charge, &[Event::moved(FAILED), of(None)]), [0; 6], "no sum is named");
    let flagged = Event::Mismatched(Mismatch { received: other }, OperatorDetails::NONE);
    let whole = [flagged, Event::moved(FAILED), contradicted(Successful)];
    assert_eq!(
        after(Charge, &whole),
        [1050, 0, 0, 0, 0, -1050],
        "the last report names the whole sum"
    );
}

#[test]
fn a_dispute_moves_nothing_until_the_money_went_back() {
    let disputed = [successful(20), Event::Disputed];
    assert_eq!(after(TransactionType::Charge, &disputed), [1030, 0, 20, -1050, 0, 0]);
    let lost = [&disputed[..], &[Event::CaseDecided(Status::Failed)]].concat();
    assert_eq!(after(TransactionType::Charge, &lost), [0; 6]);
}

fn findings() -> impl Strategy<Value = Finding> {
    let observations = prop_oneof![
        prop::sample::select(&FailureCode::ALL[..]).prop_map(Observation::Failed),
        Just(Observation::StillPending),
        Just(Observation::Ambiguous),
        Just(Observation::Succeeded),
        Just(Observation::Mismatched),
        Just(Observation::Reversed),
        Just(Observation::Disputed),
    ];
    (observations, prop::option::of(0_i64..500), prop::option::of(1_i64..5_000)).prop_map(
        |(observation, fee, sum)| {
            let received = sum.and_then(|sum| Amount::from_pesewas(sum).ok());
            let mismatch =
                (observation == Observation::Mismatched).then_some(Mismatch { received });
            let details = OperatorDetails { fee_pesewas: fee, ..OperatorDetails::NONE };
            Finding { mismatch, details, ..observation.into() }
        },
    )
}

proptest! {
    /// Whatever happens to a transaction: each event posts a balanced entry, and all entries sum up
    /// to what the state requires.
    #[test]
    fn entries_are_balanced_and_sum_up_to_the_state(
        kind in prop::sample::select(TransactionType::ALL),
        is_handed_over in any::<bool>(),
        payers_fee in 0_i64..100,
        steps in prop::collection::vec((findings(), 0_u8..8), 0..16),
    ) {
        let mut begun = new(kind);
        if kind == TransactionType::Charge {
            begun.price.payer_pays = Amount::from_pesewas(1050 + payers_fee).unwrap();
        }
        let mut transaction = Transaction::begin(begun, is_handed_over, None, NOW);
        let mut posted = Postings::default();
        let mut post = |before: PostedBefore, after: &Transaction| {
            let Some(entry) = before.entry_after(after) else { return true };
            posted = posted.minus(Postings::default().minus(entry));
            entry.is_balanced() && posted == Postings::of(after)
        };
        prop_assert!(post(PostedBefore::default(), &transaction));
        for (finding, step) in steps {
            let event = match step {
                0 if transaction.is_unsent() => Some(Event::HandedOver),
                1 if transaction.handed_over_at.is_some() && !transaction.state.is_final() =>
                    Some(Event::HandOverWithdrawn),
                2 if transaction.state.is_final() => Some(Event::CaseDecided(Status::Successful)),
                3 if transaction.state.is_final() => Some(Event::CaseDecided(Status::Failed)),
                4 if transaction.mismatch.is_some() && !transaction.state.is_final() =>
                    Some(Event::SumSettled(transaction.order.transfer.amount)),
                _ => transaction.weigh(&finding, transaction.version),
            };
            if let Some(event) = event {
                let before = PostedBefore::of(&transaction);
                transaction.apply_event(&event, NOW);
                prop_assert!(post(before, &transaction), "{event:?}");
                let of = |account| Postings::of(&transaction).amount(account);
                let is_final = transaction.state.is_final();
                prop_assert!(!is_final || of(LedgerAccount::InTransit) == 0, "{event:?}");
                prop_assert!(
                    transaction.open_conflict().is_some() || of(LedgerAccount::Suspense) == 0,
                    "{event:?}"
                );
                let is_paid = is_final && transaction.is_paid()
                    || transaction.decision() == Some(Status::Successful);
                prop_assert!(is_paid || of(LedgerAccount::Fees) == 0, "{event:?}");
            }
        }
    }
}
