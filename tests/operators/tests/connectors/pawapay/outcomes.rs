//! What becomes of deposits, payouts and refunds.

use super::{charge, connect, payout, requests};
use crate::connectors::rig::{Rig, amount, sent};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tua_contract::{
    FailureCode, Network,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    Kind,
    capabilities::RefundCapability,
    ports::{
        CancelResponse, Clock, CodeResponse, FailureScope, Operator, Order, RefundOrder,
        RefundRefusal, Report, SendPermit, SendResponse, StatusResponse,
    },
};
use tua_emulator::{Call, Operation, ProviderStatus, State};
use tua_operators::pawapay::PawaPay;

const SOON: Duration = Duration::from_secs(3);
const APPROVE: Observation = Observation::Awaits(Step::ApproveOnPhone);

async fn observe(operator: &PawaPay, order: &Order) -> Observation {
    match operator.query_status(&sent(order)).await {
        StatusResponse::Known(report) => report.compare(order.transfer.amount).observation,
        answer => panic!("{answer:?}"),
    }
}

#[tokio::test]
async fn deposits_and_payouts_succeed_on_each_network() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for (network, phone) in [
        (Network::Mtn, "0593456789"),
        (Network::AirtelTigo, "0273456789"),
        (Network::Telecel, "0503456789"),
    ] {
        for (order, pending) in
            [(charge(network, phone), APPROVE), (payout(network, phone), Observation::StillPending)]
        {
            assert_eq!(operator.send(&order, &rig.permit()).await, pending.into());
            assert_eq!(observe(&operator, &order).await, pending);
            rig.advance(SOON);
            let StatusResponse::Known(report) = operator.query_status(&sent(&order)).await else {
                panic!("not known")
            };
            assert!(report.details.transaction_id.is_some());
            assert_eq!(report.compare(amount(1250)).observation, Observation::Succeeded);
        }
    }
    assert!(rig.emulator.orders().iter().all(|row| row.state == State::Successful));
}

#[tokio::test]
async fn each_test_number_has_its_failure() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let mtn = |of: fn(Network, &str) -> Order, phone| of(Network::Mtn, phone);
    for (order, code) in [
        (mtn(charge, "0593456019"), FailureCode::PayerLimit),
        (mtn(charge, "0593456029"), FailureCode::PayerNotFound),
        (mtn(charge, "0593456039"), FailureCode::CustomerRejected),
        (mtn(charge, "0593456049"), FailureCode::InsufficientFunds),
        (mtn(charge, "0593456069"), FailureCode::Unspecified),
        (mtn(payout, "0593456089"), FailureCode::RecipientNotFound),
        (mtn(payout, "0593456099"), FailureCode::RecipientLimit),
        (mtn(payout, "0593456109"), FailureCode::RecipientLimit),
        (mtn(payout, "0593456119"), FailureCode::Unspecified),
    ] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        let phone = order.transfer.phone.as_str();
        assert_eq!(observe(&operator, &order).await, Observation::Failed(code), "{phone}");
    }
    let in_flight = charge(Network::Mtn, "0593456129");
    operator.send(&in_flight, &rig.permit()).await;
    rig.advance(Duration::from_secs(86_400));
    assert_eq!(observe(&operator, &in_flight).await, APPROVE);
}

#[tokio::test]
async fn an_order_that_is_rejected_at_once_has_failed() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let failed = |code, scope| {
        SendResponse::from(Report::new(Observation::Failed(code)).with_failure_scope(scope))
    };
    let mut order = charge(Network::Mtn, "0593456789");
    order.transfer.amount = amount(1_500_001);
    let refused = failed(FailureCode::OperatorRefused, FailureScope::Order);
    assert_eq!(operator.send(&order, &rig.permit()).await, refused);
    assert_eq!(operator.query_status(&sent(&order)).await, StatusResponse::NeverReceived);
    rig.emulator.set_provider_status(Network::Mtn, Operation::Deposit, ProviderStatus::Closed);
    let order = charge(Network::Mtn, "0593456789");
    let unavailable = failed(FailureCode::NetworkUnavailable, FailureScope::Network);
    assert_eq!(operator.send(&order, &rig.permit()).await, unavailable);
}

#[tokio::test]
async fn amounts_have_no_trailing_zeros() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for pesewas in [100, 1250, 1205, 1_500_000, 110] {
        let mut order = charge(Network::Mtn, "0593456789");
        order.transfer.amount = amount(pesewas);
        assert_eq!(operator.send(&order, &rig.permit()).await, APPROVE.into(), "{pesewas}");
        rig.advance(SOON);
        assert_eq!(observe(&operator, &order).await, Observation::Succeeded, "{pesewas}");
    }
}

#[tokio::test]
async fn a_second_order_with_the_same_reference_is_ignored() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let capabilities = operator.capabilities();
    assert!(capabilities.refuses_repeats);
    assert_eq!(capabilities.never_received_is_final_after, Some(Duration::from_secs(900)));
    for order in [charge(Network::Mtn, "0593456789"), payout(Network::Mtn, "0593456789")] {
        operator.send(&order, &rig.permit()).await;
        assert_eq!(operator.send(&order, &rig.permit()).await, SendResponse::Duplicate);
    }
    assert_eq!(rig.emulator.orders().len(), 2);
    assert_eq!(
        operator.query_status(&sent(&charge(Network::Mtn, "0593456789"))).await,
        StatusResponse::NeverReceived
    );
}

#[tokio::test]
async fn only_a_payout_that_is_held_back_can_be_cancelled() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    // No charge: a payer's screen says that nobody can cancel the request.
    assert_eq!(operator.capabilities().cancels, [Kind::Payout]);
    assert!(!operator.capabilities().has_codes);
    for order in [charge(Network::Mtn, "0593456129"), payout(Network::Mtn, "0593456129")] {
        operator.send(&order, &rig.permit()).await;
        assert_eq!(operator.cancel(&sent(&order)).await, CancelResponse::NotConfirmed);
        let code = tua_contract::Code::parse("123456").unwrap();
        assert_eq!(operator.submit_code(&sent(&order), &code).await, CodeResponse::Unanswered);
    }
    rig.emulator.set_provider_status(Network::Mtn, Operation::Payout, ProviderStatus::Delayed);
    let order = payout(Network::Mtn, "0593456789");
    assert_eq!(operator.send(&order, &rig.permit()).await, Observation::StillPending.into());
    assert_eq!(observe(&operator, &order).await, Observation::Awaits(Step::Wait));
    assert_eq!(operator.cancel(&sent(&order)).await, CancelResponse::Confirmed);
    assert_eq!(observe(&operator, &order).await, Observation::Failed(FailureCode::Cancelled));
    assert_eq!(operator.cancel(&sent(&order)).await, CancelResponse::NotConfirmed);
    // One that is not cancelled goes on when the provider works again.
    let order = payout(Network::Mtn, "0593456789");
    operator.send(&order, &rig.permit()).await;
    rig.emulator.set_provider_status(Network::Mtn, Operation::Payout, ProviderStatus::Operational);
    rig.advance(SOON);
    assert_eq!(observe(&operator, &order).await, Observation::Succeeded);
}

#[tokio::test]
async fn refunds_are_partial_or_whole_and_one_at_a_time() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert_eq!(operator.capabilities().refunds, RefundCapability::Partial { within: None });
    let order = charge(Network::Mtn, "0593456789");
    operator.send(&order, &rig.permit()).await;
    let refund = |pesewas| RefundOrder {
        reference: charge(Network::Mtn, "0593456789").reference,
        charge: sent(&order),
        amount: amount(pesewas),
    };
    let refused = SendResponse::from(Report::from(RefundRefusal::ProvesNothing));
    // The deposit is not completed yet.
    assert_eq!(operator.refund(&refund(100), &rig.permit()).await, refused);
    rig.advance(SOON);
    let first = refund(250);
    assert_eq!(operator.refund(&first, &rig.permit()).await, Observation::StillPending.into());
    assert_eq!(operator.refund(&first, &rig.permit()).await, SendResponse::Duplicate);
    assert_eq!(
        operator.refund(&refund(250), &rig.permit()).await,
        refused,
        "the first one is under way"
    );
    rig.advance(SOON);
    let StatusResponse::Known(report) = operator.query_refund_status(&first).await else {
        panic!("not known")
    };
    assert_eq!(report.compare(amount(250)).observation, Observation::Succeeded);
    assert_eq!(operator.refund(&refund(1001), &rig.permit()).await, refused);
    let rest = refund(1000);
    assert_eq!(operator.refund(&rest, &rig.permit()).await, Observation::StillPending.into());
    rig.advance(SOON);
    assert!(matches!(
        operator.query_refund_status(&rest).await,
        StatusResponse::Known(report) if report.observation == Observation::Succeeded
    ));
    assert_eq!(operator.refund(&refund(1), &rig.permit()).await, refused);
    let unknown = RefundOrder { charge: sent(&charge(Network::Mtn, "0593456789")), ..refund(1) };
    assert_eq!(operator.refund(&unknown, &rig.permit()).await, refused);
    assert_eq!(operator.query_refund_status(&unknown).await, StatusResponse::NeverReceived);
}

#[tokio::test]
async fn nothing_is_sent_without_a_permit() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    let permit = rig.permit();
    rig.clock.advance(Duration::from_secs(30));
    for kind in Kind::ALL {
        let order = crate::connectors::rig::order(*kind, Network::Mtn, "0593456789");
        assert_eq!(operator.send(&order, &permit).await, SendResponse::NotSent);
    }
    assert_eq!((requests(&rig, Call::Send), requests(&rig, Call::Payout)), (0, 0));
}

/// A clock on which ten seconds pass between any two looks at it.
#[derive(Debug, Default)]
struct HastyClock(AtomicU64);

#[async_trait]
impl Clock for HastyClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    fn uptime(&self) -> Duration {
        Duration::from_secs(10 * self.0.fetch_add(1, Ordering::SeqCst))
    }

    async fn sleep_until_uptime(&self, _: Duration) {}
}

#[tokio::test]
async fn a_permit_that_ends_while_the_connection_is_made_sends_nothing() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for kind in Kind::ALL {
        let clock: Arc<dyn Clock> = Arc::new(HastyClock::default());
        // Given at 0 s: it is valid at 10 s, before the call, and no longer at 20 s, before the
        // first byte.
        let permit = SendPermit::new(&clock, Duration::from_secs(15));
        let order = crate::connectors::rig::order(*kind, Network::Mtn, "0593456789");
        assert_eq!(operator.send(&order, &permit).await, SendResponse::NotSent, "{kind:?}");
    }
    assert_eq!((requests(&rig, Call::Send), requests(&rig, Call::Payout)), (0, 0));
    assert!(rig.emulator.orders().is_empty());
}
