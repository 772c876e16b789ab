//! Every fault of a response: a send becomes ambiguous and never fails, a read stays unanswered.

use super::{PAYSTACK, charge, connect, paid, payout};
use crate::connectors::{
    faults::{
        FAULTS, SOON, assert_refund_is_ambiguous_and_not_repeated,
        assert_sends_are_ambiguous_and_found, observation,
    },
    rig::{Rig, sent},
};
use tua_contract::{Code, Network, lifecycle::Observation};
use tua_domain::ports::{CodeResponse, SendResponse, StatusResponse};
use tua_emulator::{Call, Fault};

/// The faults of this operator's responses, and whether the request has its effect.
fn faults() -> impl Iterator<Item = (Fault, bool)> {
    FAULTS.into_iter().chain([(Fault::WrongReference, true), (Fault::OffList, false)])
}

#[tokio::test]
async fn a_send_with_a_fault_is_ambiguous_and_asking_finds_what_became_of_it() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (call, order) in
        [(Call::Send, charge(Network::Mtn, "0241234567")), (Call::Payout, payout("0241234567"))]
    {
        assert_sends_are_ambiguous_and_found(&rig, &*operator, (PAYSTACK, call), &order, faults())
            .await;
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
        for (fault, _) in faults() {
            rig.emulator.chaos().set_once(PAYSTACK, Call::Status, fault);
            assert_eq!(
                operator.query_status(&sent(&order)).await,
                StatusResponse::Unanswered,
                "{fault:?}"
            );
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
            assert_eq!(
                observation(&*operator, &order).await,
                Some(Observation::Mismatched),
                "{fault:?}"
            );
        }
        assert_eq!(observation(&*operator, &order).await, Some(Observation::Succeeded));
    }
}

#[tokio::test]
async fn a_code_with_a_fault_is_unanswered_and_never_wrong() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (fault, has_effect) in faults() {
        let order = charge(Network::Telecel, "0201234567");
        operator.send(&order, &rig.permit()).await;
        rig.emulator.chaos().set_once(PAYSTACK, Call::Code, fault);
        let answer = operator.submit_code(&sent(&order), &Code::parse("123456").unwrap()).await;
        assert_eq!(answer, CodeResponse::Unanswered, "{fault:?}");
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
    // A refund names no reference of ours, except in the note that is compared.
    for fault in faults().filter(|(fault, _)| *fault != Fault::WrongReference) {
        let part = (charge.clone(), 10);
        assert_refund_is_ambiguous_and_not_repeated(&rig, &*operator, PAYSTACK, part, fault).await;
    }
}

#[tokio::test]
async fn without_a_recipient_no_transfer_is_sent() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for fault in [
        Fault::ErrorBefore,
        Fault::CloseAfter,
        Fault::Html,
        Fault::HalfJson,
        Fault::TooManyRequests,
    ] {
        // Recipients and the list of refunds are calls of the kind `other`.
        rig.emulator.chaos().set_once(PAYSTACK, Call::Other, fault);
        let order = payout("0241234567");
        assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::NotSent, "{fault:?}");
        rig.emulator.chaos().clear();
        assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::NeverReceived);
    }
    assert!(rig.emulator.orders().is_empty());
}
