//! Every fault of a response: a send becomes ambiguous and never fails, a read stays unanswered.

use super::{PAWAPAY, charge, connect, connect_with, payout, settings};
use crate::connectors::{
    faults::{FAULTS, ambiguous_after, assert_sends_are_ambiguous_and_found},
    rig::{Rig, amount, sent},
};
use std::time::Duration;
use tua_contract::{FailureCode, Network, lifecycle::Observation};
use tua_domain::ports::{
    FailureScope, Operator, Order, RefundOrder, Report, SendResponse, StatusResponse,
};
use tua_emulator::{Call, Fault, PawapaySettings, PerOperator};

/// The faults of this operator's responses, and whether the request has its effect.
fn faults() -> impl Iterator<Item = (Fault, bool)> {
    let own = [(Fault::WrongReference, true), (Fault::OffList, false), (Fault::NotFound, false)];
    FAULTS.into_iter().chain(own)
}

#[tokio::test]
async fn a_send_with_a_fault_is_ambiguous_and_asking_finds_what_became_of_it() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let orders = [(charge as fn(Network, &str) -> Order, Call::Send), (payout, Call::Payout)];
    for (order, call) in orders {
        let order = order(Network::Mtn, "0593456789");
        assert_sends_are_ambiguous_and_found(&rig, &operator, (PAWAPAY, call), &order, faults())
            .await;
    }
}

#[tokio::test]
async fn a_refund_with_a_fault_is_ambiguous_and_asking_finds_what_became_of_it() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let deposit = charge(Network::Mtn, "0593456789");
    operator.send(&deposit, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    for (fault, has_effect) in faults() {
        let reference = charge(Network::Mtn, "0593456789").reference;
        let refund = RefundOrder { reference, charge: sent(&deposit), amount: amount(100) };
        rig.emulator.chaos().set_once(PAWAPAY, Call::Refund, fault);
        let response = operator.refund(&refund, &rig.permit()).await;
        assert_eq!(response, ambiguous_after(fault), "{fault:?}");
        rig.advance(Duration::from_secs(3));
        match operator.query_refund_status(&refund).await {
            StatusResponse::Known(report) => {
                assert!(has_effect, "{fault:?}");
                assert_eq!(report.compare(refund.amount).observation, Observation::Succeeded);
            }
            answer => assert_eq!(
                (answer, has_effect),
                (StatusResponse::NeverReceived, false),
                "{fault:?}"
            ),
        }
    }
}

#[tokio::test]
async fn an_accepted_order_whose_response_is_lost_is_found_by_asking() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge(Network::Mtn, "0241230010");
    assert_eq!(operator.send(&order, &rig.permit()).await, Observation::Ambiguous.into());
    assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::Duplicate);
    rig.advance(Duration::from_secs(3));
    let answer = operator.query_status(&sent(&order)).await;
    assert!(matches!(
        answer,
        StatusResponse::Known(report) if report.observation == Observation::Succeeded
    ));
}

#[tokio::test]
async fn a_status_read_with_a_fault_reveals_no_outcome() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for phone in ["0593456789", "0593456029"] {
        let order = charge(Network::Mtn, phone);
        operator.send(&order, &rig.permit()).await;
        rig.advance(Duration::from_secs(3));
        for (fault, answer) in [
            (Fault::ErrorBefore, StatusResponse::Unanswered),
            (Fault::ErrorAfter, StatusResponse::Unanswered),
            (Fault::Unavailable, StatusResponse::Unanswered),
            (Fault::CloseBefore, StatusResponse::Unanswered),
            (Fault::CloseAfter, StatusResponse::Unanswered),
            (Fault::CloseInBody, StatusResponse::Unanswered),
            (Fault::Html, StatusResponse::Unanswered),
            (Fault::HalfJson, StatusResponse::Unanswered),
            (Fault::UnknownStatus, StatusResponse::Unanswered),
            (Fault::TooManyRequests, StatusResponse::Unanswered),
            (Fault::OffList, StatusResponse::Unanswered),
            (Fault::NotFound, StatusResponse::NeverReceived),
        ] {
            rig.emulator.chaos().set_once(PAWAPAY, Call::Status, fault);
            assert_eq!(operator.query_status(&sent(&order)).await, answer, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn a_success_for_something_else_is_a_mismatch_and_another_orders_failure_is_not_believed() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for order in [charge(Network::Mtn, "0593456789"), payout(Network::Mtn, "0593456789")] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(Duration::from_secs(3));
        for (fault, received) in [
            (Fault::WrongAmount, amount(1350)),
            (Fault::WrongCurrency, amount(1250)),
            (Fault::WrongReference, amount(1250)),
        ] {
            rig.emulator.chaos().set_once(PAWAPAY, Call::Status, fault);
            let StatusResponse::Known(report) = operator.query_status(&sent(&order)).await else {
                panic!("{fault:?}")
            };
            let finding = report.compare(order.transfer.amount);
            assert_eq!(finding.observation, Observation::Mismatched, "{fault:?}");
            assert_eq!(
                finding.mismatch.and_then(|mismatch| mismatch.received),
                Some(received),
                "{fault:?}"
            );
        }
    }
    let order = charge(Network::Mtn, "0593456029");
    operator.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    rig.emulator.chaos().set_once(PAWAPAY, Call::Status, Fault::WrongReference);
    assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::Unanswered);
}

#[tokio::test]
async fn refused_credentials_and_signatures_send_nothing() {
    let pawapay = PawapaySettings { signed_requests_only: true, ..PawapaySettings::default() };
    let operators = PerOperator::default().with(pawapay);
    let emulated = tua_emulator::Settings { operators, ..tua_emulator::Settings::default() };
    let rig = Rig::start_with(emulated).await;
    let failed = Report::new(Observation::Failed(FailureCode::NetworkUnavailable));
    let failed = SendResponse::from(failed.with_failure_scope(FailureScope::Network));
    let unsigned = connect_with(
        &rig,
        tua_operators::pawapay::settings::Settings { signing_key: None, ..settings() },
        super::CALLBACK_URL,
    );
    assert_eq!(unsigned.send(&charge(Network::Mtn, "0593456789"), &rig.permit()).await, failed);
    let operator = connect(&rig);
    let order = charge(Network::Mtn, "0593456789");
    assert_ne!(operator.send(&order, &rig.permit()).await, failed);
    assert_eq!(rig.emulator.orders().len(), 1);
    rig.emulator.revoke_credentials(PAWAPAY);
    assert_eq!(operator.send(&charge(Network::Mtn, "0593456789"), &rig.permit()).await, failed);
    assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::Unanswered);
    rig.emulator.restore_credentials(PAWAPAY);
    assert!(matches!(operator.query_status(&sent(&order)).await, StatusResponse::Known(_)));
    // Ten minutes after the signature's end.
    rig.emulator.clock().advance(Duration::from_secs(660));
    assert!(matches!(operator.query_status(&sent(&order)).await, StatusResponse::Known(_)));
}
