//! What becomes of charges, payouts and refunds.

use super::{charge, connect, connect_with, payout, requests, settings};
use crate::connectors::rig::{CallbackReceiver, Rig, amount, sent};
use std::time::Duration;
use tua_contract::{
    FailureCode, Network, Phone,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    capabilities::RefundCapability,
    ports::{
        CallbackSubject, CancelResponse, CodeResponse, Operator, Order, ReadError, RefundOrder,
        SendResponse, StatusResponse, Verification,
    },
};
use tua_emulator::{
    Call, Decision, Failure, MtnCredentials, MtnProfile, MtnSettings, Operator as Emulated,
    PerOperator, Settings, State,
};
use tua_operators::{Environment, mtn_momo::MtnMomo};

const SOON: Duration = Duration::from_secs(3);

async fn observe(operator: &MtnMomo, order: &Order) -> Observation {
    match operator.query_status(&sent(order)).await {
        StatusResponse::Known(report) => report.compare(order.transfer.amount).observation,
        answer => panic!("{answer:?}"),
    }
}

#[tokio::test]
async fn a_charge_and_a_payout_succeed_with_the_id_of_the_sms() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (order, pending) in [
        (charge("0241234567"), Observation::Awaits(Step::ApproveOnPhone)),
        (payout("0241234567"), Observation::StillPending),
    ] {
        assert_eq!(operator.send(&order, &rig.permit()).await, pending.into());
        assert_eq!(observe(&operator, &order).await, pending);
        rig.advance(SOON);
        let StatusResponse::Known(report) = operator.query_status(&sent(&order)).await else {
            panic!("not known")
        };
        assert!(report.details.transaction_id.is_some());
        assert_eq!(report.compare(amount(1250)).observation, Observation::Succeeded);
    }
    assert!(rig.emulator.orders().iter().all(|row| row.state == State::Successful));
}

#[tokio::test]
async fn each_reason_becomes_a_failure_code() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (order, code) in [
        (charge("0241230001"), FailureCode::InsufficientFunds),
        (charge("0241230002"), FailureCode::CustomerRejected),
        (charge("0241230003"), FailureCode::ApprovalTimeout),
        (charge("0241230004"), FailureCode::WrongPin),
        (charge("0241230005"), FailureCode::PayerLimit),
        (charge("0241230006"), FailureCode::PayerNotFound),
        (payout("0241230001"), FailureCode::MerchantFloatLow),
        (payout("0241230002"), FailureCode::OperatorRefused),
        (payout("0241230005"), FailureCode::RecipientLimit),
        (payout("0241230006"), FailureCode::RecipientNotFound),
    ] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        let phone = order.transfer.phone.as_str();
        assert_eq!(observe(&operator, &order).await, Observation::Failed(code), "{phone}");
    }
}

/// The reasons of MTN's test numbers, which are no Ghanaian numbers, decided by hand.
#[tokio::test]
async fn a_failure_with_a_pending_reason_stays_pending() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (code, observation) in [
        ("ONGOING", Observation::StillPending),
        ("PAYER_DELAYED", Observation::StillPending),
        ("COULD_NOT_PERFORM_TRANSACTION", Observation::Failed(FailureCode::ApprovalTimeout)),
        ("SERVICE_UNAVAILABLE", Observation::Failed(FailureCode::NetworkUnavailable)),
        ("INVALID_CURRENCY", Observation::Failed(FailureCode::OperatorRefused)),
        ("NEVER_DOCUMENTED", Observation::Failed(FailureCode::Unspecified)),
    ] {
        // Twice, because the reason is an object or a text by the reference.
        for _ in 0..4 {
            let order = charge("0241230007");
            operator.send(&order, &rig.permit()).await;
            let decision = Decision::Decline(Failure::Code(code));
            rig.emulator.decide(Emulated::MTN_MOMO, &order.reference, decision).unwrap();
            assert_eq!(observe(&operator, &order).await, observation, "{code}");
        }
    }
}

#[tokio::test]
async fn the_sandbox_takes_euros() {
    let profile = MtnProfile::Measured202609;
    let operators = PerOperator::default().with(MtnSettings { profile, ..MtnSettings::default() });
    let rig = Rig::start_with(Settings { operators, ..Settings::default() }).await;
    let connection = rig.connection(&rig.emulator.base_url(Emulated::MTN_MOMO));
    let operator = MtnMomo::new(
        settings("sandbox"),
        Environment::Sandbox,
        connection,
        super::CALLBACK_URL.to_owned(),
    );
    let order = charge("0241234567");
    let awaits = Observation::Awaits(Step::ApproveOnPhone);
    assert_eq!(operator.send(&order, &rig.permit()).await, awaits.into());
    rig.advance(SOON);
    assert_eq!(observe(&operator, &order).await, Observation::Succeeded);
    assert_eq!(operator.balances().await.unwrap()[0].currency, "EUR");
}

#[tokio::test]
async fn a_second_order_with_the_same_reference_is_refused() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert!(operator.capabilities().refuses_repeats);
    assert_eq!(operator.capabilities().never_received_is_final_after, None);
    for order in [charge("0241234567"), payout("0241234567")] {
        operator.send(&order, &rig.permit()).await;
        assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::Duplicate);
    }
    assert_eq!(rig.emulator.orders().len(), 2);
    assert_eq!(
        operator.query_status(&sent(&charge("0241234567"))).await,
        StatusResponse::NeverReceived
    );
}

#[tokio::test]
async fn what_mtn_does_not_offer_changes_nothing() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge("0241230007");
    operator.send(&order, &rig.permit()).await;
    let capabilities = operator.capabilities();
    assert!(
        !capabilities.has_codes && capabilities.cancels.is_empty() && !capabilities.has_statements
    );
    assert_eq!(operator.cancel(&sent(&order)).await, CancelResponse::NotConfirmed);
    let code = tua_contract::Code::parse("123456").unwrap();
    assert_eq!(operator.submit_code(&sent(&order), &code).await, CodeResponse::Unanswered);
    assert_eq!(observe(&operator, &order).await, Observation::Awaits(Step::ApproveOnPhone));
}

#[tokio::test]
async fn a_merchant_with_one_product_has_one_direction() {
    let rig = Rig::start().await;
    let collection = settings::Settings { disbursement: None, ..settings("mtnghana") };
    let operator = connect_with(&rig, collection, super::CALLBACK_URL);
    let capabilities = operator.capabilities();
    assert_eq!(capabilities.services.len(), 1);
    assert_eq!(capabilities.refunds, RefundCapability::None);
    assert_eq!(operator.send(&payout("0241234567"), &rig.permit()).await, SendResponse::NotSent);
    assert_eq!(requests(&rig, Call::Payout), 0);
}

#[tokio::test]
async fn refunds_are_partial_or_whole_and_have_a_status_of_their_own() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert_eq!(operator.capabilities().refunds, RefundCapability::Partial { within: None });
    let order = charge("0241234567");
    operator.send(&order, &rig.permit()).await;
    rig.advance(SOON);
    let refund = |pesewas| RefundOrder {
        reference: charge("0241234567").reference,
        charge: sent(&order),
        amount: amount(pesewas),
    };
    for (refund, expected) in [
        (refund(250), Observation::Succeeded),
        (refund(1000), Observation::Succeeded),
        // Nothing is left of the charge. The code is NOT_ALLOWED, which does not prove whether the
        // money has returned.
        (refund(1), Observation::StillPending),
    ] {
        assert_eq!(operator.refund(&refund, &rig.permit()).await, Observation::StillPending.into());
        assert_eq!(operator.refund(&refund, &rig.permit()).await, SendResponse::Duplicate);
        rig.advance(SOON);
        let StatusResponse::Known(report) = operator.query_refund_status(&refund).await else {
            panic!("not known")
        };
        assert_eq!(report.compare(refund.amount).observation, expected);
    }
    let unknown = RefundOrder { charge: sent(&charge("0241234567")), ..refund(1) };
    assert_eq!(operator.refund(&unknown, &rig.permit()).await, Observation::Ambiguous.into());
    assert_eq!(operator.query_refund_status(&unknown).await, StatusResponse::NeverReceived);
}

#[tokio::test]
async fn balances_and_names_are_read() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let balances = operator.balances().await.unwrap();
    let accounts: Vec<_> = balances.iter().map(|balance| balance.account.as_str()).collect();
    assert_eq!(accounts, ["collection", "disbursement"]);
    assert!(balances.iter().all(|balance| balance.currency == "GHS" && balance.minor_units > 0));
    let name =
        async |network, phone| operator.account_name(network, &Phone::parse(phone).unwrap()).await;
    assert_eq!(name(Network::Mtn, "0241234567").await, Ok(Some("Ama Mensah".to_owned())));
    assert_eq!(name(Network::Mtn, "0241230006").await, Ok(None));
    assert_eq!(name(Network::Telecel, "0201234567").await, Err(ReadError::Unsupported));
}

#[tokio::test]
async fn callbacks_name_the_order_and_nothing_more_is_believed() {
    let rig = Rig::start().await;
    let mut callbacks = CallbackReceiver::start().await;
    let operator = connect_with(&rig, settings("mtnghana"), &callbacks.url);
    for order in [charge("0241234567"), payout("0241230006")] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        let mut request = callbacks.next().await;
        for method in ["PUT", "POST"] {
            method.clone_into(&mut request.method);
            let verified = operator.verify_callback(&request).await.unwrap();
            assert_eq!(verified.verification(), Verification::SecretPathAlone);
            let expected =
                CallbackSubject::Order { reference: order.reference.clone(), claim: None };
            assert_eq!(verified.into_subject(), expected);
        }
    }
}

/// An order can be read only on the platform that took it.
#[tokio::test]
async fn the_other_platform_does_not_have_the_order() {
    let rig = Rig::start().await;
    let legacy = connect(&rig);
    let order = charge("0241234567");
    legacy.send(&order, &rig.permit()).await;
    let (user, key) = MtnCredentials::default().new_platform;
    let mut settings = settings("mtnghana");
    for product in settings.collection.iter_mut().chain(&mut settings.disbursement) {
        product.user.clone_from(&user);
        product.key = key.as_str().into();
    }
    let connection = rig.connection(&rig.emulator.new_mtn_platform_url());
    let new =
        MtnMomo::new(settings, Environment::Production, connection, super::CALLBACK_URL.to_owned());
    assert_eq!(new.query_status(&sent(&order)).await, StatusResponse::NeverReceived);
    let order = charge("0241234567");
    let awaits = Observation::Awaits(Step::ApproveOnPhone);
    assert_eq!(new.send(&order, &rig.permit()).await, awaits.into());
    rig.advance(SOON);
    assert_eq!(observe(&new, &order).await, Observation::Succeeded);
}
