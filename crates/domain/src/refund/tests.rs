use super::*;
use crate::{
    Event, TransactionId, TransactionOrder,
    finding::{Finding, Mismatch},
    tariff::Price,
    transaction::{Conflict, tests::new_order},
    transfer::OperatorDetails,
};
use proptest::prelude::*;
use std::sync::Arc;
use tua_contract::lifecycle::Observation;

fn charge(pesewas: i64) -> Transaction {
    let mut order = new_order();
    order.transfer.amount = Amount::from_pesewas(pesewas).unwrap();
    order.price = Price::without_tariff(order.transfer.amount);
    let mut charge = Transaction::begin(order, true, None, Timestamp::UNIX_EPOCH);
    charge.apply_event(&Event::moved(State::Successful), Timestamp::UNIX_EPOCH);
    charge
}

fn refund(charge: &Transaction, pesewas: i64, method: RefundMethod) -> Transaction {
    let mut order = TransactionOrder::clone(&charge.order);
    (order.id, order.transfer.kind) = (TransactionId::mint(), Kind::Payout);
    order.transfer.amount = Amount::from_pesewas(pesewas).unwrap();
    order.refund = Some(RefundOf { charge: charge.order.id.clone(), method });
    Transaction::begin(order, true, None, Timestamp::UNIX_EPOCH)
}

const FAILED: State = State::Failed(FailureCode::RecipientNotFound);

proptest! {
    /// Whatever ends how, the sums are those of the refunds, and no refund that is allowed exceeds
    /// the payment.
    #[test]
    fn sums_follow_every_change_of_every_refund(
        steps in prop::collection::vec(
            (1_i64..600, prop::sample::select(RefundMethod::ALL), 0_u8..3),
            0..12,
        ),
    ) {
        let mut charge = charge(1000);
        let mut all = Vec::new();
        let event = |charge: &mut Transaction, before, refund: &Transaction| {
            let sums = charge.refunds + RefundSums::of(refund) - before;
            charge.apply_event(&Event::RefundsChanged(sums), Timestamp::UNIX_EPOCH);
        };
        for (pesewas, method, end) in steps {
            let Ok(amount) = amount(&charge, Amount::from_pesewas(pesewas).ok()) else { continue };
            let mut refund = refund(&charge, amount.pesewas(), method);
            event(&mut charge, RefundSums::default(), &refund);
            let end = match end {
                0 => None,
                1 => Some(Event::moved(State::Successful)),
                _ => Some(Event::moved(FAILED)),
            };
            if let Some(end) = end {
                let before = RefundSums::of(&refund);
                refund.apply_event(&end, Timestamp::UNIX_EPOCH);
                event(&mut charge, before, &refund);
            }
            all.push(refund);
            let counted: i64 = all.iter().map(|refund| RefundSums::of(refund).counted).sum();
            prop_assert_eq!(charge.refunds.counted, counted);
            prop_assert!(counted <= 1000 && left(&charge).unwrap() == 1000 - counted);
        }
    }
}

#[test]
fn a_failed_refund_that_is_later_reported_successful_counts_again() {
    let charge = charge(1000);
    let mut refund = refund(&charge, 400, RefundMethod::Native);
    refund.apply_event(&Event::moved(FAILED), Timestamp::UNIX_EPOCH);
    assert_eq!(RefundSums::of(&refund), RefundSums::default());
    assert!(is_failed_by_operator(&refund));
    refund.apply_event(
        &Event::Contradicted(Status::Successful, None, OperatorDetails::NONE),
        Timestamp::UNIX_EPOCH,
    );
    assert_eq!(RefundSums::of(&refund), RefundSums { returned: 0, counted: 400, native: 400 });
    assert!(!is_failed_by_operator(&refund));
}

#[test]
fn what_is_left_never_falls_below_zero_and_is_bounded_by_what_was_received() {
    let mut charge = charge(1000);
    charge.settled_amount = Amount::from_pesewas(700).ok();
    assert_eq!(left(&charge), Ok(700));
    charge.refunds.counted = 900;
    assert_eq!(left(&charge), Ok(0));
    assert!(matches!(amount(&charge, None), Err(RefundRefused::ExceedsPayment { .. })));
    let conflict =
        |observed, decision| Some(Conflict { observed, at: Timestamp::UNIX_EPOCH, decision });
    charge.conflict = conflict(Status::Failed, None);
    assert_eq!(left(&charge), Err(NotRefundable::Contradicted));
    charge.conflict = conflict(Status::Failed, Some(Status::Successful));
    assert_eq!(left(&charge), Ok(0), "a review found that the charge stands");
    let paid_late = conflict(Status::Successful, None);
    charge = Transaction { state: FAILED, conflict: paid_late, settled_amount: None, ..charge };
    assert_eq!(left(&charge), Ok(100));
    charge.conflict = None;
    assert_eq!(left(&charge), Err(NotRefundable::Failed));
}

#[test]
fn a_pending_charge_and_a_payout_are_not_refunded() {
    let pending = Transaction { state: State::NEW, ..charge(1000) };
    assert_eq!(left(&pending), Err(NotRefundable::Pending));
    let mut payout = charge(1000);
    Arc::make_mut(&mut payout.order).transfer.kind = Kind::Payout;
    assert_eq!(left(&payout), Err(NotRefundable::NoCharge));
}

#[test]
fn an_operator_that_refunds_whole_payments_only_does_not_refund_the_rest_of_one() {
    let full = RefundCapability::Full { within: None };
    let mut paid = charge(1000);
    paid.settled_amount = Amount::from_pesewas(400).ok();
    let rest = Amount::from_pesewas(400).unwrap();
    assert_eq!(method(full, &paid, rest, Timestamp::UNIX_EPOCH), RefundMethod::Native);
    paid.refunds.counted = 1;
    assert_eq!(method(full, &paid, rest, Timestamp::UNIX_EPOCH), RefundMethod::Payout);
}

#[test]
fn the_operator_refunds_what_it_documents_and_a_payout_the_rest() {
    let day = Duration::from_secs(86_400);
    let full = RefundCapability::Full { within: Some(day) };
    let partial = RefundCapability::Partial { within: Some(day) };
    let paid = charge(1000);
    let now = Timestamp::UNIX_EPOCH;
    let by = |capability, pesewas: i64, now| {
        method(capability, &paid, Amount::from_pesewas(pesewas).unwrap(), now)
    };
    assert_eq!(by(full, 1000, now), RefundMethod::Native);
    assert_eq!(by(full, 999, now), RefundMethod::Payout);
    assert_eq!(by(partial, 1, now), RefundMethod::Native);
    assert_eq!(by(partial, 1, now + day), RefundMethod::Payout);
    assert_eq!(by(RefundCapability::None, 1000, now), RefundMethod::Payout);

    let mut with_fee = paid.clone();
    Arc::make_mut(&mut with_fee.order).price =
        Price { payer_pays: Amount::from_pesewas(1010).unwrap(), fee_pesewas: Some(10) };
    assert_eq!(left(&with_fee), Ok(1000), "the fee that the payer bore is not returned");
    let all = Amount::from_pesewas(1000).unwrap();
    assert_eq!(
        method(full, &with_fee, all, now),
        RefundMethod::Payout,
        "it is not all that the payer paid"
    );
    assert_eq!(method(partial, &with_fee, all, now), RefundMethod::Native);
}

#[test]
fn a_failed_charge_that_was_paid_for_another_sum_is_refundable_for_that_sum() {
    let late = |received: Option<i64>| {
        let mut charge = charge(10_000);
        (charge.state, charge.version) = (FAILED, 3);
        let received = received.map(|pesewas| Amount::from_pesewas(pesewas).unwrap());
        let observation = Observation::Mismatched;
        let mismatch = Some(Mismatch { received });
        let finding = Finding { mismatch, ..observation.into() };
        let (_, charge) = charge.after(&finding, Timestamp::UNIX_EPOCH).unwrap();
        left(&charge)
    };
    assert_eq!(late(Some(100)), Ok(100));
    assert_eq!(late(Some(20_000)), Ok(10_000), "never more than the amount");
    assert_eq!(late(None), Ok(0), "the sum is not known");
}

#[test]
fn a_failed_charge_of_which_a_review_found_a_sum_is_refundable_for_that_sum() {
    let found = |pesewas| {
        let mut charge = Transaction::begin(new_order(), true, None, Timestamp::UNIX_EPOCH);
        for event in [
            Event::Mismatched(Mismatch { received: None }, OperatorDetails::NONE),
            Event::SumSettled(Amount::from_pesewas(pesewas).unwrap()),
            Event::moved(FAILED),
            Event::Contradicted(Status::Successful, None, OperatorDetails::NONE),
        ] {
            charge.apply_event(&event, Timestamp::UNIX_EPOCH);
        }
        (left(&charge), charge.order.transfer.amount.pesewas())
    };
    assert_eq!(found(5).0, Ok(5));
    let (left, amount) = found(20_000_000);
    assert_eq!(left, Ok(amount), "never more than the amount");
}

#[test]
fn a_lost_dispute_outweighs_a_conflict_that_was_decided_for_the_merchant() {
    let mut charge = charge(1000);
    let at = Timestamp::UNIX_EPOCH;
    for event in [
        Event::Contradicted(Status::Failed, None, OperatorDetails::NONE),
        Event::CaseDecided(Status::Successful),
        Event::Disputed,
        Event::CaseDecided(Status::Failed),
    ] {
        charge.apply_event(&event, at);
    }
    assert_eq!(left(&charge), Err(NotRefundable::Contradicted));
}

#[test]
fn nothing_is_refunded_while_a_dispute_is_open() {
    let mut charge = charge(1000);
    charge.apply_event(&Event::Disputed, Timestamp::UNIX_EPOCH);
    assert_eq!(left(&charge), Err(NotRefundable::Disputed));
    charge.apply_event(&Event::CaseDecided(Status::Successful), Timestamp::UNIX_EPOCH);
    assert_eq!(left(&charge), Ok(1000), "it was decided for the merchant");
}
