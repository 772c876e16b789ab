//! Every fault of a response: a send becomes ambiguous and never fails, a read stays unanswered.

use super::{MTN, charge, connect, payout};
use crate::connectors::{
    faults::ambiguous_after,
    rig::{Rig, amount, sent},
};
use std::time::Duration;
use tua_contract::{
    FailureCode,
    lifecycle::{Observation, Step},
};
use tua_domain::ports::{Operator, RefundOrder, SendResponse, StatusResponse};
use tua_emulator::{Call, Fault};

/// Faults of the response to a send, and whether the order is there nevertheless.
const FAULTS: [(Fault, bool); 11] = [
    (Fault::ErrorBefore, false),
    (Fault::ErrorAfter, true),
    (Fault::Unavailable, false),
    (Fault::CloseBefore, false),
    (Fault::CloseAfter, true),
    (Fault::CloseInBody, true),
    (Fault::Html, true),
    (Fault::TooManyRequests, false),
    (Fault::OffList, false),
    (Fault::NotFound, false),
    (Fault::HalfJson, true),
];

/// Whether the fault is in the body alone. MTN's response to a send is empty, so its status counts.
fn is_in_body(fault: Fault) -> bool {
    matches!(fault, Fault::HalfJson | Fault::CloseInBody)
}

#[tokio::test]
async fn a_send_with_a_fault_is_ambiguous_and_asking_finds_what_became_of_it() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (order, call) in [(charge as fn(&str) -> _, Call::Send), (payout, Call::Payout)] {
        for (fault, has_effect) in FAULTS {
            let order = order("0241234567");
            let response = {
                rig.emulator.chaos().set_once(MTN, call, fault);
                operator.send(&order, &rig.permit()).await
            };
            if !is_in_body(fault) {
                assert_eq!(response, ambiguous_after(fault), "{call:?} {fault:?}");
            }
            rig.advance(Duration::from_secs(3));
            match operator.query_status(&sent(&order)).await {
                StatusResponse::Known(report) => {
                    assert!(has_effect, "{fault:?}");
                    assert_eq!(
                        report.compare(order.transfer.amount).observation,
                        Observation::Succeeded
                    );
                }
                answer => {
                    assert_eq!(
                        (answer, has_effect),
                        (StatusResponse::NeverReceived, false),
                        "{fault:?}"
                    )
                }
            }
        }
    }
}

#[tokio::test]
async fn a_refund_with_a_fault_is_ambiguous_and_asking_finds_what_became_of_it() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let charge_order = charge("0241234567");
    operator.send(&charge_order, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    for (fault, has_effect) in FAULTS {
        let refund = RefundOrder {
            reference: charge("0241234567").reference,
            charge: sent(&charge_order),
            amount: amount(100),
        };
        rig.emulator.chaos().set_once(MTN, Call::Refund, fault);
        let response = operator.refund(&refund, &rig.permit()).await;
        if !is_in_body(fault) {
            assert_eq!(response, ambiguous_after(fault), "{fault:?}");
        }
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
    let order = charge("0241230010");
    assert_eq!(operator.send(&order, &rig.permit()).await, Observation::Ambiguous.into());
    assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::Duplicate);
    rig.advance(Duration::from_secs(3));
    assert!(matches!(
        operator.query_status(&sent(&order)).await,
        StatusResponse::Known(report) if report.observation == Observation::Succeeded
    ));
}

#[tokio::test]
async fn a_status_read_with_a_fault_reveals_no_outcome() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for phone in ["0241234567", "0241230001"] {
        let order = charge(phone);
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
            rig.emulator.chaos().set_once(MTN, Call::Status, fault);
            assert_eq!(operator.query_status(&sent(&order)).await, answer, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn a_success_for_something_else_is_a_mismatch() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for order in [charge("0241234567"), payout("0241234567")] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(Duration::from_secs(3));
        for (fault, received) in [
            (Fault::WrongAmount, amount(1350)),
            (Fault::WrongCurrency, amount(1250)),
            (Fault::WrongReference, amount(1250)),
        ] {
            rig.emulator.chaos().set_once(MTN, Call::Status, fault);
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
}

#[tokio::test]
async fn a_failure_of_another_order_is_not_believed() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge("0241230001");
    operator.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    rig.emulator.chaos().set_once(MTN, Call::Status, Fault::WrongReference);
    assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::Unanswered);
    let failed = Observation::Failed(FailureCode::InsufficientFunds);
    assert!(matches!(
        operator.query_status(&sent(&order)).await,
        StatusResponse::Known(report) if report.observation == failed
    ));
}

#[tokio::test]
async fn nothing_is_sent_without_a_permit() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let permit = rig.permit();
    rig.clock.advance(Duration::from_secs(30));
    assert_eq!(operator.send(&charge("0241234567"), &permit).await, SendResponse::NotSent);
    assert_eq!(super::requests(&rig, Call::Send), 0);
}

#[tokio::test]
async fn an_order_is_sent_without_a_callback_address_once_its_host_was_refused() {
    let mut settings = tua_emulator::Settings::default();
    settings.callback_urls.insert(MTN, "https://registered.example/".to_owned());
    let rig = Rig::start_with(settings).await;
    let operator = connect(&rig);
    let order = charge("0241234567");
    assert_eq!(operator.send(&order, &rig.permit()).await, Observation::Ambiguous.into());
    assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::NeverReceived);
    let awaits = Observation::Awaits(Step::ApproveOnPhone);
    assert_eq!(operator.send(&order, &rig.permit()).await, awaits.into());
    let callback = operator
        .check()
        .await
        .into_iter()
        .find(|result| result.name == "callback address")
        .unwrap();
    assert!(callback.outcome.unwrap_err().contains("refused its host"));
}
