//! Every fault of a response: a send becomes ambiguous and never fails, a read stays unanswered.

use super::{PAYSTACK, charge, connect, paid, payout};
use crate::connectors::rig::{Rig, amount, sent};
use std::time::Duration;
use tua_contract::{Code, Network, lifecycle::Observation};
use tua_emulator::{Call, Fault};
use tua_service::domain::ports::{Answer, CodeAnswer, Operator, Order, RefundOrder, SendResponse};

const SOON: Duration = Duration::from_secs(3);

/// Faults of a response, and whether the request had its effect.
const FAULTS: [(Fault, bool); 12] = [
    (Fault::ErrorBefore, false),
    (Fault::ErrorAfter, true),
    (Fault::Unavailable, false),
    (Fault::CloseBefore, false),
    (Fault::CloseAfter, true),
    (Fault::CloseInBody, true),
    (Fault::Html, true),
    (Fault::HalfJson, true),
    (Fault::UnknownStatus, true),
    (Fault::WrongReference, true),
    (Fault::TooManyRequests, false),
    (Fault::OffList, false),
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
        for (fault, has_effect) in FAULTS {
            let order = Order { reference: payout("0241234567").reference, ..order.clone() };
            rig.emulator.chaos().set_once(PAYSTACK, call, fault);
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
async fn a_timeout_of_a_send_is_ambiguous() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge(Network::Mtn, "0241230010");
    assert_eq!(operator.send(&order, &rig.permit()).await, Observation::Ambiguous.into());
    rig.advance(SOON);
    assert_eq!(observation(&*operator, &order).await, Some(Observation::Succeeded));
}

#[tokio::test]
async fn a_read_with_a_fault_is_unanswered() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for order in [charge(Network::Mtn, "0241230001"), payout("0241230006")] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        for (fault, _) in FAULTS {
            rig.emulator.chaos().set_once(PAYSTACK, Call::Status, fault);
            assert_eq!(operator.ask(&sent(&order)).await, Answer::Unanswered, "{fault:?}");
            rig.emulator.chaos().clear();
        }
        assert!(matches!(observation(&*operator, &order).await, Some(Observation::Failed(_))));
    }
}

#[tokio::test]
async fn a_success_for_something_else_is_a_mismatch() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for order in [charge(Network::Mtn, "0241234567"), payout("0241234567")] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        for fault in [Fault::WrongAmount, Fault::WrongCurrency, Fault::WrongReference] {
            rig.emulator.chaos().set_once(PAYSTACK, Call::Status, fault);
            assert_eq!(observation(&*operator, &order).await, Some(Observation::Mismatched), "{fault:?}");
        }
        assert_eq!(observation(&*operator, &order).await, Some(Observation::Succeeded));
    }
}

#[tokio::test]
async fn a_code_with_a_fault_is_unanswered_and_never_wrong() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (fault, has_effect) in FAULTS {
        let order = charge(Network::Telecel, "0201234567");
        operator.send(&order, &rig.permit()).await;
        rig.emulator.chaos().set_once(PAYSTACK, Call::Code, fault);
        let answer = operator.submit_code(&sent(&order), &Code::parse("123456").unwrap()).await;
        assert_eq!(answer, CodeAnswer::Unanswered, "{fault:?}");
        rig.emulator.chaos().clear();
        rig.advance(SOON);
        let is_paid = observation(&*operator, &order).await == Some(Observation::Succeeded);
        assert_eq!(is_paid, has_effect, "{fault:?}");
    }
}

#[tokio::test]
async fn a_refund_with_a_fault_is_ambiguous_and_is_found_before_it_is_sent_again() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let charge = paid(&rig, &operator, "0241234567").await;
    for (fault, has_effect) in FAULTS {
        // A refund names no reference of ours, except in the note that is compared.
        if fault == Fault::WrongReference {
            continue;
        }
        let refund =
            RefundOrder { reference: payout("0241234567").reference, charge: charge.clone(), amount: amount(10) };
        rig.emulator.chaos().set_once(PAYSTACK, Call::Refund, fault);
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

#[tokio::test]
async fn without_a_recipient_no_transfer_is_sent() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for fault in [Fault::ErrorBefore, Fault::CloseAfter, Fault::Html, Fault::HalfJson, Fault::TooManyRequests] {
        // Recipients and the list of refunds are calls of the kind `other`.
        rig.emulator.chaos().set_once(PAYSTACK, Call::Other, fault);
        let order = payout("0241234567");
        assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::NotSent, "{fault:?}");
        rig.emulator.chaos().clear();
        assert_eq!(operator.ask(&sent(&order)).await, Answer::NeverReceived);
    }
    assert!(rig.emulator.orders().is_empty());
}
