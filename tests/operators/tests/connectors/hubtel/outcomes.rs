//! Every documented status of charges, payouts and refunds.

use super::{HUBTEL, as_sent, charge, connect, connect_with, payout, settings};
use crate::connectors::{
    faults::SOON,
    rig::{Rig, amount, sent},
};
use std::time::Duration;
use tua_contract::{
    Code, FailureCode, Network, Phone,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    Kind,
    capabilities::RefundCapability,
    operator_transaction_id::OperatorTransactionId,
    ports::{
        CancelResponse, CodeResponse, Finding, Operator, Order, ReadError, RefundOrder,
        RefundRefusal, Report, SendResponse, StatusResponse,
    },
};
use tua_emulator::{Call, Fault};
use tua_operators::hubtel::settings::Settings;

async fn finding(operator: &dyn Operator, order: &Order) -> Finding {
    match operator.query_status(&sent(order)).await {
        StatusResponse::Known(report) => report.compare(order.transfer.amount),
        answer => panic!("{answer:?}"),
    }
}

fn observation(response: SendResponse) -> Observation {
    match response {
        SendResponse::Observed(report) => report.observation,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_charge_is_unpaid_until_it_is_paid_and_never_fails_by_its_status() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let on_phone = Observation::Awaits(Step::ApproveOnPhone);
    for network in Network::ALL {
        for (phone, expected) in [
            ("0241234567", Observation::Succeeded),
            ("0241230001", Observation::StillPending),
            ("0241230002", Observation::StillPending),
            ("0241230007", Observation::StillPending),
            ("0241230011", Observation::Succeeded),
        ] {
            let order = charge(network, phone);
            assert_eq!(
                observation(operator.send(&order, &rig.permit()).await),
                on_phone,
                "{phone}"
            );
            assert_eq!(
                finding(&*operator, &order).await.observation,
                Observation::StillPending,
                "{phone}"
            );
            rig.advance(SOON);
            assert_eq!(finding(&*operator, &order).await.observation, expected, "{phone}");
        }
    }
    let refused = operator.send(&charge(Network::Mtn, "0241230006"), &rig.permit()).await;
    assert_eq!(observation(refused), Observation::Failed(FailureCode::PayerNotFound));
}

#[tokio::test]
async fn an_answer_with_an_unknown_outcome_may_be_a_payment() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (call, order) in
        [(Call::Send, charge(Network::Mtn, "0241234567")), (Call::Payout, payout("0241234567"))]
    {
        rig.emulator.chaos().set_once(HUBTEL, call, Fault::ErrorAfter);
        assert_eq!(observation(operator.send(&order, &rig.permit()).await), Observation::Ambiguous);
        rig.advance(SOON);
        assert_eq!(finding(&*operator, &order).await.observation, Observation::Succeeded);
    }
}

#[tokio::test]
async fn a_fee_that_the_payer_bears_is_no_wrong_amount() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge(Network::Telecel, "0201234567");
    let SendResponse::Observed(report) = operator.send(&order, &rig.permit()).await else {
        panic!("refused")
    };
    assert_eq!(report.details.fee_pesewas, Some(25));
    rig.advance(SOON);
    let found = finding(&*operator, &order).await;
    assert_eq!((found.observation, found.mismatch), (Observation::Succeeded, None));
    assert_eq!(found.details.fee_pesewas, Some(25));
    assert!(found.details.transaction_id.is_some() && found.details.order_id.is_some());
    let row = rig.emulator.orders().pop().unwrap();
    assert_eq!(row.reference, as_sent(&order));
}

#[tokio::test]
async fn payouts_have_the_outcomes_of_their_numbers() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (phone, expected) in [
        ("0241234567", Observation::Succeeded),
        ("0241230002", Observation::Failed(FailureCode::Unspecified)),
        ("0241230006", Observation::Failed(FailureCode::Unspecified)),
        ("0241230007", Observation::StillPending),
    ] {
        let order = payout(phone);
        assert_eq!(
            observation(operator.send(&order, &rig.permit()).await),
            Observation::StillPending
        );
        rig.advance(SOON);
        assert_eq!(finding(&*operator, &order).await.observation, expected, "{phone}");
    }
}

#[tokio::test]
async fn without_a_prepaid_account_there_are_no_payouts() {
    let rig = Rig::start().await;
    let settings = Settings { prepaid_deposit_id: None, ..settings() };
    let operator = connect_with(&rig, settings, "https://pay.example/callbacks/hubtel/hunter2");
    let capabilities = operator.capabilities();
    assert!(capabilities.amounts(Network::Mtn, Kind::Payout).is_none());
    assert!(capabilities.amounts(Network::Mtn, Kind::Charge).is_some());
    assert_eq!(operator.send(&payout("0241234567"), &rig.permit()).await, SendResponse::NotSent);
    assert!(rig.emulator.orders().is_empty());
}

#[tokio::test]
async fn a_repeated_reference_is_a_duplicate_and_an_unknown_one_was_never_received() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    // It is refused here. Hubtel does not document it, so the service must not depend on it.
    assert!(!operator.capabilities().refuses_repeats);
    for order in [charge(Network::Mtn, "0241234567"), payout("0241234567")] {
        assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::NeverReceived);
        let expired = rig.permit_for(Duration::ZERO);
        assert_eq!(operator.send(&order, &expired).await, SendResponse::NotSent);
        operator.send(&order, &rig.permit()).await;
        assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::Duplicate);
    }
    assert_eq!(rig.emulator.orders().len(), 2);
}

#[tokio::test]
async fn a_name_with_forbidden_characters_does_not_stop_a_payment() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let message = Some("50% off & more ^^".to_owned());
    let order = Order { message, ..charge(Network::Mtn, "0241234567") };
    assert_eq!(
        observation(operator.send(&order, &rig.permit()).await),
        Observation::Awaits(Step::ApproveOnPhone)
    );
}

#[tokio::test]
async fn a_whole_charge_is_refunded_once() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge(Network::Mtn, "0241234567");
    operator.send(&order, &rig.permit()).await;
    let refund = |pesewas| RefundOrder {
        reference: payout("0241234567").reference,
        charge: sent(&order),
        amount: amount(pesewas),
    };
    // It is not paid yet, so nothing is sent.
    assert_eq!(operator.refund(&refund(1250), &rig.permit()).await, SendResponse::NotSent);
    rig.advance(SOON);
    let partial = operator.refund(&refund(1000), &rig.permit()).await;
    assert_eq!(observation(partial), Observation::Failed(FailureCode::OperatorRefused));
    // The permission may end while the charge is read.
    let expired = rig.permit_for(Duration::ZERO);
    assert_eq!(operator.refund(&refund(1250), &expired).await, SendResponse::NotSent);
    assert_eq!(rig.emulator.requests().of_call(HUBTEL, Call::Refund), 0);
    assert_eq!(
        observation(operator.refund(&refund(1250), &rig.permit()).await),
        Observation::StillPending
    );
    assert_eq!(operator.refund(&refund(1250), &rig.permit()).await, SendResponse::Duplicate);
    assert_eq!(
        operator.query_refund_status(&refund(1250)).await,
        StatusResponse::known(Observation::StillPending)
    );
    rig.advance(SOON);
    let StatusResponse::Known(report) = operator.query_refund_status(&refund(1250)).await else {
        panic!("no answer")
    };
    assert_eq!(report.compare(amount(1250)).observation, Observation::Succeeded);
    assert_eq!(operator.refund(&refund(1250), &rig.permit()).await, SendResponse::Duplicate);
    let within = Some(Duration::from_secs(45 * 24 * 3600));
    assert_eq!(operator.capabilities().refunds, RefundCapability::Full { within });
    assert_eq!(finding(&*operator, &order).await.observation, Observation::Reversed);
}

#[tokio::test]
async fn the_refusal_of_a_refund_after_45_days_proves_nothing_about_the_money() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = charge(Network::Mtn, "0241234567");
    operator.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(46 * 24 * 3600));
    let refund = RefundOrder {
        reference: payout("0241234567").reference,
        charge: sent(&order),
        amount: amount(1250),
    };
    let refused = operator.refund(&refund, &rig.permit()).await;
    assert_eq!(refused, Report::from(RefundRefusal::ProvesNothing).into());
}

#[tokio::test]
async fn names_checks_and_wrong_credentials() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let name = async |phone: &str| {
        operator.account_name(Network::Mtn, &Phone::parse(phone).unwrap()).await
    };
    assert_eq!(name("0241234567").await, Ok(Some("AMA MENSAH".to_owned())));
    assert_eq!(name("0241230006").await, Ok(None));
    assert!(matches!(name("0241230005").await, Err(ReadError::Unanswered(_))));
    let capabilities = operator.capabilities();
    assert!(capabilities.has_account_names && capabilities.needs_verified_numbers);
    assert!(
        !capabilities.has_balances && !capabilities.has_codes && capabilities.cancels.is_empty()
    );
    let order = sent(&charge(Network::Mtn, "0241234567"));
    assert_eq!(operator.cancel(&order).await, CancelResponse::NotConfirmed);
    assert_eq!(
        operator.submit_code(&order, &Code::parse("1234").unwrap()).await,
        CodeResponse::Unanswered
    );
    assert_eq!(operator.balances().await, Ok(Vec::new()));

    let results = operator.check().await;
    assert!(
        results.len() >= 3 && results.iter().all(|result| result.outcome.is_ok()),
        "{results:?}"
    );
    assert!(!format!("{results:?}").contains("hunter2"), "the secret of the path is in a result");
    rig.emulator.chaos().set(HUBTEL, Call::Status, Fault::OffList);
    let findings = format!("{:?}", operator.check().await);
    assert!(findings.contains("not on Hubtel's list"), "{findings}");
    assert!(matches!(operator.balances().await, Err(ReadError::Refused(_))));
    rig.emulator.chaos().clear();
    rig.emulator.chaos().set(HUBTEL, Call::Status, Fault::Unavailable);
    assert!(matches!(operator.balances().await, Err(ReadError::Unanswered(_))));
    rig.emulator.chaos().clear();

    let wrong = Settings { api_key: "hunter3".to_owned().into(), ..settings() };
    let wrong = connect_with(&rig, wrong, "https://pay.example/callbacks/hubtel/hunter2");
    assert!(wrong.check().await.iter().any(|result| result.outcome.is_err()));
    let order = charge(Network::Mtn, "0241234567");
    let refused = wrong.send(&order, &rig.permit()).await;
    assert_eq!(observation(refused), Observation::Failed(FailureCode::NetworkUnavailable));
    assert_eq!(wrong.query_status(&sent(&order)).await, StatusResponse::Unanswered);
    let debug = format!("{operator:?}{wrong:?}{}", rig.exchanges.text());
    for secret in ["emulatorhubtelkey", "hunter2", "hunter3"] {
        assert!(!debug.contains(secret), "{secret} is in the debug output or in the evidence");
    }
}

#[tokio::test]
async fn a_charge_is_found_by_the_networks_id_and_by_no_other() {
    let rig = Rig::start().await;
    let hubtel = connect(&rig);
    let order = charge(Network::Mtn, "0241234567");
    hubtel.send(&order, &rig.permit()).await;
    rig.advance(Duration::from_secs(5));
    let StatusResponse::Known(report) = hubtel.query_status(&sent(&order)).await else {
        panic!("it has the charge")
    };
    let id = OperatorTransactionId::parse(&report.details.transaction_id.unwrap())
        .unwrap_or_else(|_| panic!("the emulator's ids are those of an SMS"));
    assert_eq!(hubtel.find_charge(&id).await, Ok(Some(order.reference.clone())));
    assert_eq!(
        hubtel.find_charge(&OperatorTransactionId::parse("99999999999").unwrap()).await,
        Ok(None)
    );
}
