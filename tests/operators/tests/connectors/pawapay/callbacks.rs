//! Callbacks with right, wrong and missing signatures.

use super::{charge, connect_with, payout, settings};
use crate::connectors::{
    faults::observation,
    rig::{CallbackReceiver, Rig},
};
use std::time::Duration;
use tua_contract::{
    Network,
    lifecycle::{Observation, Step},
};
use tua_domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, Operator, Verification,
};
use tua_emulator::{
    Call, Decision, Fault, Operator as Emulated, PawapaySettings, PerOperator, SignatureEncoding,
};
use tua_operators::pawapay::{PawaPay, settings::Settings};
use tua_test_support::eventually;

async fn connected(
    emulated: tua_emulator::Settings,
    signed_callbacks: bool,
) -> (Rig, PawaPay, CallbackReceiver) {
    let rig = Rig::start_with(emulated).await;
    let callbacks = CallbackReceiver::start().await;
    rig.emulator.set_callback_url(Emulated::PAWAPAY, &callbacks.url);
    let operator = connect_with(&rig, Settings { signed_callbacks, ..settings() }, &callbacks.url);
    (rig, operator, callbacks)
}

/// A callback about a deposit that is completed.
async fn callback(
    rig: &Rig,
    operator: &PawaPay,
    callbacks: &mut CallbackReceiver,
) -> (String, CallbackRequest) {
    let order = charge(Network::Mtn, "0593456789");
    operator.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    (order.reference, callbacks.next().await)
}

#[tokio::test]
async fn a_signed_callback_is_verified_in_both_encodings() {
    for encoding in [SignatureEncoding::Der, SignatureEncoding::Raw] {
        let pawapay =
            PawapaySettings { signature_encoding: encoding, ..PawapaySettings::default() };
        let operators = PerOperator::default().with(pawapay);
        let emulated = tua_emulator::Settings { operators, ..tua_emulator::Settings::default() };
        let (rig, operator, mut callbacks) = connected(emulated, true).await;
        let (reference, request) = callback(&rig, &operator, &mut callbacks).await;
        // The keys are read when the first callback arrives.
        let verified = operator.verify_callback(&request).await.unwrap();
        assert!(matches!(verified.verification(), Verification::Signature(_)));
        assert_eq!(verified.into_subject(), CallbackSubject::Order { reference, claim: None });
        let body = String::from_utf8(request.body.clone()).unwrap();
        let forged = CallbackRequest {
            body: body.replace("COMPLETED", "FAILED").into_bytes(),
            ..request.clone()
        };
        let unsigned = CallbackRequest { headers: Vec::new(), ..request.clone() };
        let elsewhere = CallbackRequest { method: "PUT".to_owned(), ..request.clone() };
        for request in [forged, unsigned, elsewhere] {
            assert_eq!(
                operator.verify_callback(&request).await,
                Err(CallbackRefusal::WrongSignature)
            );
        }
        rig.clock.advance(Duration::from_secs(3600));
        assert_eq!(operator.verify_callback(&request).await, Err(CallbackRefusal::WrongSignature));
    }
}

#[tokio::test]
async fn callbacks_about_payouts_are_verified_too() {
    let (rig, operator, mut callbacks) = connected(tua_emulator::Settings::default(), true).await;
    let order = payout(Network::Mtn, "0593456089");
    operator.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(3));
    let verified = operator.verify_callback(&callbacks.next().await).await.unwrap();
    assert_eq!(
        verified.into_subject(),
        CallbackSubject::Order { reference: order.reference, claim: None }
    );
}

/// The callback says `PROCESSING` while the status is `IN_RECONCILIATION`. Neither is an outcome.
#[tokio::test]
async fn a_reconciliation_is_waited_for() {
    let (rig, operator, mut callbacks) = connected(tua_emulator::Settings::default(), true).await;
    let chaos = rig.emulator.chaos();
    for order in [charge(Network::Mtn, "0241234567"), payout(Network::Mtn, "0241234567")] {
        operator.send(&order, &rig.permit()).await;
        chaos.set_once(Emulated::PAWAPAY, Call::Callback, Fault::Status("PROCESSING"));
        chaos.set_once(Emulated::PAWAPAY, Call::Status, Fault::Status("IN_RECONCILIATION"));
        rig.advance(Duration::from_secs(3));
        for expected in [Observation::Awaits(Step::Wait), Observation::Succeeded] {
            let verified = operator.verify_callback(&callbacks.next().await).await.unwrap();
            let reference = order.reference.clone();
            assert_eq!(verified.into_subject(), CallbackSubject::Order { reference, claim: None });
            assert_eq!(observation(&operator, &order).await, Some(expected));
            let repeat = Decision::RepeatCallback;
            rig.emulator.decide(Emulated::PAWAPAY, &order.reference, repeat).unwrap();
        }
        callbacks.next().await;
    }
}

#[tokio::test]
async fn an_unsigned_callback_is_refused_where_signatures_are_set() {
    let unsigned = || {
        let pawapay = PawapaySettings { signed_callbacks: false, ..PawapaySettings::default() };
        let operators = PerOperator::default().with(pawapay);
        tua_emulator::Settings { operators, ..tua_emulator::Settings::default() }
    };
    let (rig, operator, mut callbacks) = connected(unsigned(), true).await;
    let (_, request) = callback(&rig, &operator, &mut callbacks).await;
    assert_eq!(operator.verify_callback(&request).await, Err(CallbackRefusal::WrongSignature));
    let (rig, operator, mut callbacks) = connected(unsigned(), false).await;
    let (reference, request) = callback(&rig, &operator, &mut callbacks).await;
    let verified = operator.verify_callback(&request).await.unwrap();
    assert_eq!(verified.verification(), Verification::SecretPathAlone);
    assert_eq!(verified.into_subject(), CallbackSubject::Order { reference, claim: None });
    for (method, body) in [("PUT", &request.body), ("POST", &b"<html>".to_vec())] {
        let request =
            CallbackRequest { method: method.to_owned(), body: body.clone(), ..request.clone() };
        assert_eq!(operator.verify_callback(&request).await, Err(CallbackRefusal::Unreadable));
    }
}

#[tokio::test]
async fn callbacks_that_come_while_the_keys_are_read_wait_for_them() {
    let (rig, operator, mut callbacks) = connected(tua_emulator::Settings::default(), true).await;
    let (_, request) = callback(&rig, &operator, &mut callbacks).await;
    let verified =
        futures_util::future::join_all((0..8).map(|_| operator.verify_callback(&request))).await;
    assert!(verified.iter().all(Result::is_ok), "{verified:?}");
    assert_eq!(rig.emulator.requests().of_route("GET /pawapay/v2/public-key/http"), 1);
}

#[tokio::test]
async fn a_callback_does_not_wait_for_slow_keys_which_are_there_when_it_is_sent_again() {
    let (rig, operator, mut callbacks) = connected(tua_emulator::Settings::default(), true).await;
    let (_, request) = callback(&rig, &operator, &mut callbacks).await;
    let latency = Fault::Latency(Duration::from_millis(2_500));
    rig.emulator.chaos().set_once(Emulated::PAWAPAY, Call::Other, latency);
    // Far above the limit of a callback's wait, and far below the time that the keys take.
    let answer =
        tokio::time::timeout(Duration::from_secs(2), operator.verify_callback(&request)).await;
    assert_eq!(
        answer.expect("the callback waited for the keys"),
        Err(CallbackRefusal::WrongSignature)
    );
    eventually("the read has gone on", async || operator.verify_callback(&request).await.is_ok())
        .await;
    assert_eq!(rig.emulator.requests().of_route("GET /pawapay/v2/public-key/http"), 1);
}

#[tokio::test]
async fn an_unknown_key_is_looked_up_at_most_once_a_minute() {
    let (rig, operator, mut callbacks) = connected(tua_emulator::Settings::default(), true).await;
    let (_, mut request) = callback(&rig, &operator, &mut callbacks).await;
    for (name, value) in &mut request.headers {
        if name == "signature-input" {
            *value = String::from_utf8(value.clone())
                .unwrap()
                .replace("HTTP_EC_P256_KEY:1", "OTHER:1")
                .into_bytes();
        }
    }
    let reads = || rig.emulator.requests().of_route("GET /pawapay/v2/public-key/http");
    for _ in 0..10 {
        assert_eq!(operator.verify_callback(&request).await, Err(CallbackRefusal::WrongSignature));
    }
    assert_eq!(reads(), 1);
    rig.clock.advance(Duration::from_secs(60));
    assert_eq!(operator.verify_callback(&request).await, Err(CallbackRefusal::WrongSignature));
    assert_eq!(reads(), 2);
}
