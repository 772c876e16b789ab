//! Every fault of a response: a send becomes ambiguous and never fails, a read stays unanswered.

use super::{HUBTEL, charge, connect, payout};
use crate::connectors::rig::{Rig, amount, sent};
use std::time::Duration;
use tua_contract::{FailureCode, Network, lifecycle::Observation};
use tua_emulator::{Call, Fault};
use tua_service::domain::ports::{Answer, Operator, Order, RefundOrder, SendResponse};

const SOON: Duration = Duration::from_secs(3);

/// Faults of a response, and whether the request had its effect.
const FAULTS: [(Fault, bool); 10] = [
    (Fault::ErrorBefore, false),
    (Fault::ErrorAfter, true),
    (Fault::Unavailable, false),
    (Fault::CloseBefore, false),
    (Fault::CloseAfter, true),
    (Fault::CloseInBody, true),
    (Fault::Html, true),
    (Fault::HalfJson, true),
    (Fault::UnknownStatus, true),
    (Fault::TooManyRequests, false),
];

async fn observation(operator: &dyn Operator, order: &Order) -> Option<Observation> {
    match operator.ask(&sent(order)).await {
        Answer::Known(report) => Some(report.compare(order.transfer.amount).observation),
        Answer::NeverReceived => None,
        Answer::Unanswered => panic!("unanswered"),
    }
}

#[tokio::test]
async fn a_send_with_a_fault_is_ambiguous_and_asking_finds_what_became_of_it() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (call, order) in [(Call::Send, charge(Network::Mtn, "0241234567")), (Call::Payout, payout("0241234567"))] {
        for (fault, has_effect) in FAULTS.into_iter().chain([(Fault::WrongReference, true)]) {
            let order = Order { reference: payout("0241234567").reference, ..order.clone() };
            rig.emulator.chaos().set_once(HUBTEL, call, fault);
            let response = operator.send(&order, &rig.permit()).await;
            assert_eq!(response, Observation::Ambiguous.into(), "{call:?} {fault:?}");
            rig.emulator.chaos().clear();
            rig.advance(SOON);
            let expected = has_effect.then_some(Observation::Succeeded);
            assert_eq!(observation(&*operator, &order).await, expected, "{call:?} {fault:?}");
        }
    }
}

#[tokio::test]
async fn an_address_that_is_not_listed_accepts_nothing() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (call, order) in [(Call::Send, charge(Network::Mtn, "0241234567")), (Call::Payout, payout("0241234567"))] {
        rig.emulator.chaos().set_once(HUBTEL, call, Fault::OffList);
        let refused = Observation::Failed(FailureCode::NetworkUnavailable);
        assert_eq!(operator.send(&order, &rig.permit()).await, refused.into());
        rig.emulator.chaos().set_once(HUBTEL, Call::Status, Fault::OffList);
        assert_eq!(operator.ask(&sent(&order)).await, Answer::Unanswered);
    }
    assert!(rig.emulator.orders().is_empty());
}

#[tokio::test]
async fn an_answer_that_hides_the_acceptance_is_ambiguous() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for order in [charge(Network::Mtn, "0241230010"), payout("0241230010")] {
        assert_eq!(operator.send(&order, &rig.permit()).await, Observation::Ambiguous.into());
        rig.advance(SOON);
        assert_eq!(observation(&*operator, &order).await, Some(Observation::Succeeded));
    }
}

#[tokio::test]
async fn a_read_with_a_fault_is_unanswered_and_a_success_for_something_else_is_a_mismatch() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for order in [charge(Network::Mtn, "0241234567"), payout("0241234567")] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        for (fault, _) in FAULTS {
            rig.emulator.chaos().set_once(HUBTEL, Call::Status, fault);
            assert_eq!(operator.ask(&sent(&order)).await, Answer::Unanswered, "{fault:?}");
            rig.emulator.chaos().clear();
        }
        for fault in [Fault::WrongAmount, Fault::WrongReference] {
            rig.emulator.chaos().set_once(HUBTEL, Call::Status, fault);
            assert_eq!(observation(&*operator, &order).await, Some(Observation::Mismatched), "{fault:?}");
        }
        assert_eq!(observation(&*operator, &order).await, Some(Observation::Succeeded));
    }
}

#[tokio::test]
async fn a_refund_with_a_fault_is_ambiguous_and_is_found_in_the_charges_status() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (fault, has_effect) in FAULTS {
        let order = charge(Network::Mtn, "0241234567");
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        let refund =
            RefundOrder { reference: payout("0241234567").reference, charge: sent(&order), amount: amount(1250) };
        rig.emulator.chaos().set_once(HUBTEL, Call::Refund, fault);
        assert_eq!(operator.refund(&refund, &rig.permit()).await, Observation::Ambiguous.into(), "{fault:?}");
        rig.emulator.chaos().clear();
        rig.advance(SOON);
        let again = operator.refund(&refund, &rig.permit()).await;
        assert_eq!(again == SendResponse::Duplicate, has_effect, "{fault:?}");
        rig.advance(SOON);
        let Answer::Known(report) = operator.ask_refund(&refund).await else { panic!("{fault:?}") };
        assert_eq!(report.compare(refund.amount).observation, Observation::Succeeded, "{fault:?}");
    }
}
