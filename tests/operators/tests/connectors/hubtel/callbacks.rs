//! Hubtel's callbacks, as the emulator sends them.

use super::{HUBTEL, charge, connect_with, payout, settings};
use crate::connectors::{
    faults::SOON,
    rig::{CallbackReceiver, Rig, amount, sent},
};
use std::sync::Arc;
use tua_contract::{FailureCode, Network};
use tua_domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, FailureClaim, Operator, RefundOrder,
    Verification,
};
use tua_emulator::{Call, Fault};

async fn start() -> (Rig, CallbackReceiver, Arc<dyn Operator>) {
    let rig = Rig::start().await;
    let receiver = CallbackReceiver::start().await;
    let operator = connect_with(&rig, settings(), &receiver.url);
    (rig, receiver, operator)
}

async fn subject(operator: &dyn Operator, request: &CallbackRequest) -> CallbackSubject {
    let verified = operator.verify_callback(request).await.expect("verified");
    assert_eq!(verified.verification(), Verification::SecretPathAlone);
    verified.into_subject()
}

#[tokio::test]
async fn a_callback_of_a_failed_charge_claims_the_failure_and_its_amount() {
    let (rig, mut receiver, operator) = start().await;
    for (phone, code) in [
        ("0241234567", None),
        ("0241230001", Some(FailureCode::InsufficientFunds)),
        ("0241230002", Some(FailureCode::CustomerRejected)),
        ("0241230003", Some(FailureCode::ApprovalTimeout)),
        ("0241230004", Some(FailureCode::WrongPin)),
        ("0241230005", Some(FailureCode::PayerLimit)),
    ] {
        let order = charge(Network::Mtn, phone);
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        let claim = code.map(|code| FailureClaim { code, amount: amount(1250), is_decisive: true });
        let expected = CallbackSubject::Order { reference: order.reference, claim };
        assert_eq!(subject(&*operator, &receiver.next().await).await, expected, "{phone}");
    }
}

#[tokio::test]
async fn a_callback_of_a_failed_payout_gives_the_reason_that_its_status_lacks_and_decides_nothing()
{
    let (rig, mut receiver, operator) = start().await;
    for (phone, code) in [
        ("0241234567", None),
        ("0241230001", Some(FailureCode::InsufficientFunds)),
        ("0241230002", Some(FailureCode::OperatorRefused)),
        ("0241230005", Some(FailureCode::RecipientLimit)),
        ("0241230006", Some(FailureCode::RecipientNotFound)),
    ] {
        let order = payout(phone);
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        let claim =
            code.map(|code| FailureClaim { code, amount: amount(1250), is_decisive: false });
        let expected = CallbackSubject::Order { reference: order.reference, claim };
        assert_eq!(subject(&*operator, &receiver.next().await).await, expected);
    }
}

#[tokio::test]
async fn a_claim_for_another_amount_names_that_amount_and_an_unknown_code_claims_nothing() {
    let (rig, mut receiver, operator) = start().await;
    for (fault, expected) in
        [(Fault::WrongAmount, Some(amount(1350))), (Fault::UnknownStatus, None)]
    {
        rig.emulator.chaos().set_once(HUBTEL, Call::Callback, fault);
        operator.send(&charge(Network::Mtn, "0241230001"), &rig.permit()).await;
        rig.advance(SOON);
        let CallbackSubject::Order { claim, .. } =
            subject(&*operator, &receiver.next().await).await
        else {
            panic!("no order")
        };
        assert_eq!(claim.map(|claim| claim.amount), expected, "{fault:?}");
    }
}

#[tokio::test]
async fn a_refunds_callback_names_no_payment_and_other_bodies_are_unreadable() {
    let (rig, mut receiver, operator) = start().await;
    let order = charge(Network::Mtn, "0241234567");
    operator.send(&order, &rig.permit()).await;
    rig.advance(SOON);
    receiver.next().await;
    let refund = RefundOrder {
        reference: payout("0241234567").reference,
        charge: sent(&order),
        amount: amount(1250),
    };
    operator.refund(&refund, &rig.permit()).await;
    rig.advance(SOON);
    assert_eq!(subject(&*operator, &receiver.next().await).await, CallbackSubject::Nothing);
    for fault in [Fault::Html, Fault::HalfJson] {
        rig.emulator.chaos().set_once(HUBTEL, Call::Callback, fault);
        operator.send(&charge(Network::Mtn, "0241234567"), &rig.permit()).await;
        rig.advance(SOON);
        let request = receiver.next().await;
        assert_eq!(
            operator.verify_callback(&request).await,
            Err(CallbackRefusal::Unreadable),
            "{fault:?}"
        );
    }
}
