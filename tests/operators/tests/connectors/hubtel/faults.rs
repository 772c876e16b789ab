//! Every fault of a response: a send becomes ambiguous and never fails, a read stays unanswered.

use super::{HUBTEL, charge, connect, payout};
use crate::connectors::{
    faults::{
        FAULTS, SOON, assert_refund_is_ambiguous_and_not_repeated,
        assert_sends_are_ambiguous_and_found, observation,
    },
    rig::{Rig, sent},
};
use tua_contract::{FailureCode, Network, lifecycle::Observation};
use tua_domain::ports::{FailureScope, Report, StatusResponse};
use tua_emulator::{Call, Fault};

#[tokio::test]
async fn a_send_with_a_fault_is_ambiguous_and_asking_finds_what_became_of_it() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (call, order) in
        [(Call::Send, charge(Network::Mtn, "0241234567")), (Call::Payout, payout("0241234567"))]
    {
        let faults = FAULTS.into_iter().chain([(Fault::WrongReference, true)]);
        assert_sends_are_ambiguous_and_found(&rig, &*operator, (HUBTEL, call), &order, faults)
            .await;
    }
}

#[tokio::test]
async fn an_address_that_is_not_listed_accepts_nothing() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (call, order) in
        [(Call::Send, charge(Network::Mtn, "0241234567")), (Call::Payout, payout("0241234567"))]
    {
        rig.emulator.chaos().set_once(HUBTEL, call, Fault::OffList);
        let refused = Report::new(Observation::Failed(FailureCode::NetworkUnavailable));
        let refused = refused.with_failure_scope(FailureScope::Network);
        assert_eq!(operator.send(&order, &rig.permit()).await, refused.into());
        rig.emulator.chaos().set_once(HUBTEL, Call::Status, Fault::OffList);
        assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::Unanswered);
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
            assert_eq!(
                operator.query_status(&sent(&order)).await,
                StatusResponse::Unanswered,
                "{fault:?}"
            );
            rig.emulator.chaos().clear();
        }
        for fault in [Fault::WrongAmount, Fault::WrongReference] {
            rig.emulator.chaos().set_once(HUBTEL, Call::Status, fault);
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
async fn a_refund_with_a_fault_is_ambiguous_and_is_found_in_the_charges_status() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for fault in FAULTS {
        let order = charge(Network::Mtn, "0241234567");
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        let whole = (sent(&order), 1250);
        assert_refund_is_ambiguous_and_not_repeated(&rig, &*operator, HUBTEL, whole, fault).await;
    }
}
