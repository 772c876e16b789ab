//! Paystack's callbacks, as the emulator sends them.

use super::{PAYSTACK, charge, connect, connect_with, paid, payout, settings};
use crate::connectors::{
    faults::SOON,
    rig::{CallbackReceiver, Rig, amount},
};
use std::collections::HashMap;
use tua_contract::Network;
use tua_domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, Operator, QuestionedRecipient, RefundOrder,
    TransferQuestion, Verification,
};
use tua_emulator::{
    Call, Decision, DisputeEvent, Fault, PaystackSettings, PerOperator,
    Settings as EmulatorSettings,
};
use tua_operators::paystack::settings::Settings;

async fn subject(operator: &dyn Operator, request: &CallbackRequest) -> CallbackSubject {
    let verified = operator.verify_callback(request).await.expect("verified");
    assert!(matches!(verified.verification(), Verification::Signature(_)));
    verified.into_subject()
}

fn about(reference: &str) -> CallbackSubject {
    CallbackSubject::Order { reference: reference.to_owned(), claim: None }
}

async fn start() -> (Rig, CallbackReceiver) {
    let receiver = CallbackReceiver::start().await;
    let callback_urls = HashMap::from([(PAYSTACK, receiver.url.clone())]);
    (
        Rig::start_with(EmulatorSettings { callback_urls, ..EmulatorSettings::default() }).await,
        receiver,
    )
}

#[tokio::test]
async fn each_callback_is_about_its_payment() {
    let (rig, mut receiver) = start().await;
    let operator = connect(&rig);
    let charge = charge(Network::Mtn, "0241234567");
    let payout = payout("0241234567");
    for order in [&charge, &payout] {
        operator.send(order, &rig.permit()).await;
        rig.advance(SOON);
        assert_eq!(subject(&*operator, &receiver.next().await).await, about(&order.reference));
    }
    rig.emulator.decide(PAYSTACK, &payout.reference, Decision::Reverse).unwrap();
    assert_eq!(subject(&*operator, &receiver.next().await).await, about(&payout.reference));
    let dispute = CallbackSubject::Dispute { reference: charge.reference.clone() };
    for event in [DisputeEvent::Create, DisputeEvent::Remind, DisputeEvent::Resolve] {
        rig.emulator.decide(PAYSTACK, &charge.reference, Decision::Dispute(event)).unwrap();
        assert_eq!(subject(&*operator, &receiver.next().await).await, dispute);
    }
}

#[tokio::test]
async fn a_refunds_callback_is_about_its_charge() {
    let (rig, mut receiver) = start().await;
    let operator = connect(&rig);
    let charge = paid(&rig, &operator, "0241234567").await;
    receiver.next().await;
    let refund = RefundOrder {
        reference: payout("0241234567").reference,
        charge: charge.clone(),
        amount: amount(500),
    };
    operator.refund(&refund, &rig.permit()).await;
    rig.advance(SOON);
    assert_eq!(subject(&*operator, &receiver.next().await).await, about(&charge.reference));
}

#[tokio::test]
async fn a_callback_without_the_right_signature_is_refused() {
    let (rig, mut receiver) = start().await;
    let operator = connect(&rig);
    rig.emulator.chaos().set_once(PAYSTACK, Call::Callback, Fault::Forged);
    operator.send(&charge(Network::Mtn, "0241234567"), &rig.permit()).await;
    let refused = Err(CallbackRefusal::WrongSignature);
    assert_eq!(operator.verify_callback(&receiver.next().await).await, refused);
    rig.advance(SOON);
    let right = receiver.next().await;
    assert!(operator.verify_callback(&right).await.is_ok());

    let mut unsigned = right.clone();
    unsigned.headers.retain(|(name, _)| name != "x-paystack-signature");
    let mut changed = right.clone();
    changed.body.push(b' ');
    let mut no_digits = right.clone();
    for (name, value) in &mut no_digits.headers {
        if name == "x-paystack-signature" {
            *value = b"signature".to_vec();
        }
    }
    for request in [unsigned, changed, no_digits] {
        assert_eq!(operator.verify_callback(&request).await, refused);
    }
    let other_key = Settings { secret_key: "sk_live_other".to_owned().into(), ..settings() };
    assert_eq!(connect_with(&rig, other_key).verify_callback(&right).await, refused);
}

#[tokio::test]
async fn a_signed_body_that_is_no_event_may_be_a_question() {
    let (rig, mut receiver) = start().await;
    let operator = connect(&rig);
    for fault in [Fault::Html, Fault::HalfJson] {
        rig.emulator.chaos().set_once(PAYSTACK, Call::Callback, fault);
        operator.send(&charge(Network::Mtn, "0241234567"), &rig.permit()).await;
        rig.advance(SOON);
        let request = receiver.next().await;
        assert_eq!(
            operator.verify_callback(&request).await,
            Err(CallbackRefusal::UnclearQuestion),
            "{fault:?}"
        );
    }
}

#[tokio::test]
async fn paystack_asks_whether_a_transfer_is_approved() {
    let mut receiver = CallbackReceiver::start().await;
    let settings = PaystackSettings { approval_url: Some(receiver.url.clone()) };
    let operators = PerOperator::default().with(settings);
    let rig = Rig::start_with(EmulatorSettings { operators, ..EmulatorSettings::default() }).await;
    let operator = connect(&rig);
    let order = payout("0241234567");
    operator.send(&order, &rig.permit()).await;
    let question = CallbackSubject::Approval(TransferQuestion {
        reference: order.reference.clone(),
        amount: Some(amount(1250)),
        recipient: QuestionedRecipient::Wallet {
            phone: order.transfer.phone.clone(),
            network: Some(order.transfer.network),
        },
    });
    let request = receiver.next().await;
    assert_eq!(subject(&*operator, &request).await, question);
    let mut forged = request;
    forged.body = String::from_utf8(forged.body).unwrap().replace("125", "900").into_bytes();
    assert_eq!(operator.verify_callback(&forged).await, Err(CallbackRefusal::WrongSignature));
}
