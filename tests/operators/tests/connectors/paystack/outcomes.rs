//! Every documented status of charges, codes, payouts and refunds.

use super::{PAYSTACK, charge, connect, connect_with, paid, payout, requests, settings};
use crate::connectors::{
    faults::SOON,
    rig::{Rig, amount, sent},
};
use std::time::Duration;
use tokio::net::TcpListener;
use tua_contract::{
    Code, FailureCode, Network, Phone,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    Kind,
    capabilities::RefundCapability,
    ports::{
        CancelResponse, CodeResponse, Finding, Operator, Order, ReadError, RefundOrder,
        SendResponse, StatusResponse,
    },
};
use tua_emulator::{Call, ClockMode, Decision, Emulator, Settings as EmulatorSettings};
use tua_operators::paystack::settings::Settings;

async fn finding(operator: &dyn Operator, order: &Order) -> Finding {
    match operator.query_status(&sent(order)).await {
        StatusResponse::Known(report) => report.compare(order.transfer.amount),
        answer => panic!("{answer:?}"),
    }
}

fn observation(response: SendResponse, order: &Order) -> Observation {
    match response {
        SendResponse::Observed(report) => report.compare(order.transfer.amount).observation,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn charges_have_the_outcomes_of_their_numbers() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (phone, expected) in [
        ("0241234567", Observation::Succeeded),
        ("0241230001", Observation::Failed(FailureCode::InsufficientFunds)),
        ("0241230002", Observation::Failed(FailureCode::CustomerRejected)),
        ("0241230003", Observation::Failed(FailureCode::ApprovalTimeout)),
        ("0241230004", Observation::Failed(FailureCode::WrongPin)),
        ("0241230005", Observation::Failed(FailureCode::PayerLimit)),
        ("0241230006", Observation::Failed(FailureCode::PayerNotFound)),
        ("0241230007", Observation::StillPending),
        ("0241230012", Observation::StillPending),
    ] {
        for network in [Network::Mtn, Network::AirtelTigo] {
            let order = charge(network, phone);
            let sent = operator.send(&order, &rig.permit()).await;
            assert_eq!(
                observation(sent, &order),
                Observation::Awaits(Step::ApproveOnPhone),
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
}

#[tokio::test]
async fn a_paid_charge_has_the_amount_the_id_and_the_fee_that_paystack_reports() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    // Paystack's only test number.
    let order = charge(Network::Mtn, "0551234987");
    operator.send(&order, &rig.permit()).await;
    rig.advance(SOON);
    let found = finding(&*operator, &order).await;
    assert_eq!((found.observation, found.mismatch), (Observation::Succeeded, None));
    assert!(
        found.details.transaction_id.is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
    );
    assert_eq!(found.details.fee_pesewas, Some(24));
}

#[tokio::test]
async fn a_telecel_payer_enters_a_voucher_and_a_wrong_one_is_only_wrong() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let code = |text: &str| Code::parse(text).unwrap();
    for (network, phone, step) in [
        (Network::Telecel, "0201234567", Step::EnterVoucher),
        (Network::Telecel, "0201230011", Step::EnterOtp),
        (Network::Mtn, "0241230011", Step::EnterOtp),
    ] {
        let order = charge(network, phone);
        let response = operator.send(&order, &rig.permit()).await;
        assert_eq!(observation(response, &order), Observation::Awaits(step));
        // Also where the answer to the send was lost.
        assert_eq!(finding(&*operator, &order).await.observation, Observation::Awaits(step));
        assert_eq!(operator.submit_code(&sent(&order), &code("000000")).await, CodeResponse::Wrong);
        let CodeResponse::Accepted(report) =
            operator.submit_code(&sent(&order), &code("123456")).await
        else {
            panic!("refused")
        };
        let waits = if network == Network::Telecel { Step::Wait } else { Step::ApproveOnPhone };
        assert_eq!(report.observation, Observation::Awaits(waits));
        rig.advance(SOON);
        assert_eq!(finding(&*operator, &order).await.observation, Observation::Succeeded);
    }
    let unknown = charge(Network::Telecel, "0201234567");
    assert_eq!(
        operator.submit_code(&sent(&unknown), &code("123456")).await,
        CodeResponse::Unanswered
    );
    assert!(!rig.exchanges.text().contains("123456\\\""), "a code is in the evidence");
}

#[tokio::test]
async fn a_second_order_with_the_same_reference_is_refused() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert!(operator.capabilities().refuses_repeats);
    for order in [charge(Network::Mtn, "0241234567"), payout("0241234567")] {
        operator.send(&order, &rig.permit()).await;
        assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::Duplicate);
    }
    assert_eq!(rig.emulator.orders().len(), 2);
}

#[tokio::test]
async fn refusals_before_acceptance_fail_and_unknown_references_were_never_received() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let small = Order {
        transfer: tua_domain::Transfer { amount: amount(9), ..payout("0241234567").transfer },
        ..payout("0241234567")
    };
    let small =
        Order { transfer: tua_domain::Transfer { kind: Kind::Charge, ..small.transfer }, ..small };
    let refused = operator.send(&small, &rig.permit()).await;
    assert_eq!(observation(refused, &small), Observation::Failed(FailureCode::OperatorRefused));
    for order in [charge(Network::Mtn, "0241234567"), payout("0241234567")] {
        assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::NeverReceived);
        let expired = rig.permit_for(Duration::ZERO);
        assert_eq!(operator.send(&order, &expired).await, SendResponse::NotSent);
    }
    assert!(rig.emulator.orders().is_empty());
}

#[tokio::test]
async fn payouts_have_the_outcomes_of_their_numbers_and_a_recipient_is_created_once() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (phone, expected) in [
        ("0241234567", Observation::Succeeded),
        ("0241230001", Observation::Failed(FailureCode::InsufficientFunds)),
        ("0241230002", Observation::Failed(FailureCode::OperatorRefused)),
        ("0241230005", Observation::Failed(FailureCode::RecipientLimit)),
        ("0241230006", Observation::Failed(FailureCode::RecipientNotFound)),
        ("0241230007", Observation::StillPending),
    ] {
        let order = payout(phone);
        assert_eq!(
            observation(operator.send(&order, &rig.permit()).await, &order),
            Observation::StillPending
        );
        rig.advance(SOON);
        let found = finding(&*operator, &order).await;
        assert_eq!(found.observation, expected, "{phone}");
        assert!(found.details.order_id.is_some_and(|code| code.starts_with("TRF_")));
    }
    let before = requests_to_recipients(&rig);
    operator.send(&payout("0241234567"), &rig.permit()).await;
    assert_eq!(requests_to_recipients(&rig), before);
}

fn requests_to_recipients(rig: &Rig) -> u64 {
    rig.emulator.requests().of_route("POST /paystack/transferrecipient")
}

#[tokio::test]
async fn a_completed_payout_can_be_reversed() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let order = payout("0241234567");
    operator.send(&order, &rig.permit()).await;
    rig.advance(SOON);
    assert_eq!(finding(&*operator, &order).await.observation, Observation::Succeeded);
    rig.emulator.decide(PAYSTACK, &order.reference, Decision::Reverse).unwrap();
    assert_eq!(finding(&*operator, &order).await.observation, Observation::Reversed);
}

#[tokio::test]
async fn a_refund_goes_through_its_states_and_is_sent_once() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let charge = paid(&rig, &operator, "0241234567").await;
    let refund = |pesewas| RefundOrder {
        reference: payout("0241234567").reference,
        charge: charge.clone(),
        amount: amount(pesewas),
    };
    let first = refund(500);
    let second = refund(750);
    // The permission may end while the refunds are read.
    let expired = rig.permit_for(Duration::ZERO);
    assert_eq!(operator.refund(&first, &expired).await, SendResponse::NotSent);
    assert_eq!(requests(&rig, Call::Refund), 0);
    for refund in [&first, &second] {
        assert!(matches!(operator.refund(refund, &rig.permit()).await, SendResponse::Observed(_)));
        assert_eq!(operator.refund(refund, &rig.permit()).await, SendResponse::Duplicate);
        let StatusResponse::Known(report) = operator.query_refund_status(refund).await else {
            panic!("no answer")
        };
        assert_eq!(report.observation, Observation::StillPending);
    }
    assert_eq!(requests(&rig, Call::Refund), 2);
    rig.advance(SOON);
    for refund in [&first, &second] {
        let StatusResponse::Known(report) = operator.query_refund_status(refund).await else {
            panic!("no answer")
        };
        assert_eq!(report.compare(refund.amount).observation, Observation::Succeeded);
    }
    assert_eq!(operator.capabilities().refunds, RefundCapability::Partial { within: None });
    assert_eq!(operator.query_refund_status(&refund(1)).await, StatusResponse::Unanswered);
}

#[tokio::test]
async fn a_refund_that_needs_attention_is_pending_and_a_failed_one_fails() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (phone, expected) in [
        ("0241230021", Observation::Failed(FailureCode::Unspecified)),
        ("0241230022", Observation::StillPending),
    ] {
        let charge = paid(&rig, &operator, phone).await;
        let refund =
            RefundOrder { reference: payout(phone).reference, charge, amount: amount(1250) };
        operator.refund(&refund, &rig.permit()).await;
        rig.advance(SOON);
        if expected == Observation::StillPending {
            let row = rig.emulator.orders().pop().unwrap();
            rig.emulator.decide(PAYSTACK, &row.reference, Decision::NeedAttention).unwrap();
        }
        let StatusResponse::Known(report) = operator.query_refund_status(&refund).await else {
            panic!("no answer")
        };
        assert_eq!(report.observation, expected, "{phone}");
        assert_eq!(report.attention.is_some(), expected == Observation::StillPending, "{phone}");
    }
}

#[tokio::test]
async fn balance_names_and_checks() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let balances = operator.balances().await.unwrap();
    assert!(
        balances.len() == 1 && balances[0].currency == "GHS" && balances[0].minor_units > 0,
        "{balances:?}"
    );
    let name = async |phone: &str| {
        operator.account_name(Network::Telecel, &Phone::parse(phone).unwrap()).await
    };
    assert_eq!(name("0201234567").await, Ok(Some("AMA MENSAH".to_owned())));
    assert!(matches!(name("0201230006").await, Err(ReadError::Unanswered(_))));
    let capabilities = operator.capabilities();
    assert!(capabilities.has_balances && capabilities.has_account_names && capabilities.has_codes);
    assert!(capabilities.cancels.is_empty() && !capabilities.needs_verified_numbers);
    assert_eq!(
        operator.cancel(&sent(&charge(Network::Mtn, "0241234567"))).await,
        CancelResponse::NotConfirmed
    );

    let results = operator.check().await;
    assert!(
        results.len() >= 3 && results.iter().all(|result| result.outcome.is_ok()),
        "{results:?}"
    );
    assert!(!format!("{results:?}").contains("hunter2"), "the secret of the path is in a result");
    let wrong = connect_with(
        &rig,
        Settings { secret_key: "sk_live_wrong".to_owned().into(), ..settings() },
    );
    assert!(wrong.check().await.iter().any(|result| result.outcome.is_err()));
    assert!(matches!(wrong.balances().await, Err(ReadError::Refused(_))));
    let order = charge(Network::Mtn, "0241234567");
    let refused = wrong.send(&order, &rig.permit()).await;
    assert_eq!(observation(refused, &order), Observation::Failed(FailureCode::NetworkUnavailable));
    assert_eq!(wrong.query_status(&sent(&order)).await, StatusResponse::Unanswered);
    let debug = format!("{operator:?}{}", rig.exchanges.text());
    for secret in ["sk_live_emulator", "sk_live_wrong", "hunter2"] {
        assert!(!debug.contains(secret), "{secret} is in the debug output or in the evidence");
    }
}

#[tokio::test]
async fn a_recipient_that_paystack_no_longer_has_is_created_again() {
    let mut rig = Rig::start().await;
    let operator = connect(&rig);
    operator.send(&payout("0241234567"), &rig.permit()).await;
    // Another emulator at the same address has none of the recipients that the connector has kept.
    let address = rig.emulator.address();
    rig.emulator.stop().await;
    let listener = TcpListener::bind(address).await.unwrap();
    let settings = EmulatorSettings { clock: ClockMode::Manual, ..EmulatorSettings::default() };
    rig.emulator = Emulator::start(listener, settings).unwrap();
    let order = payout("0241234567");
    assert_eq!(
        observation(operator.send(&order, &rig.permit()).await, &order),
        Observation::StillPending
    );
    assert_eq!(rig.emulator.orders().len(), 1);
}
