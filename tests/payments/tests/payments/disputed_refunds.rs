//! A payer who disputes a charge at its operator may get the money back there: no refund of it
//! begins, is approved or is sent until people have decided the dispute
//! (docs/reference/refunds.md#disputes).

use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    approval::{DecideError, RoutedDecision},
    capabilities::RefundCapability,
    change::Change,
    payout_controls::ControlsChange,
    payout_route::{PayoutRoute, PayoutRoutes},
    ports::{HandOver, Route, StatusResponse},
    refund::{NotRefundable, RefundMethod},
    review::{Case, DecisionNote, ReviewVerdict},
};
use tua_test_support::{
    payout_controls::{Merchant, approval},
    refunds::{read, refund, refund_id, sums},
    scripted_operator::ScriptedOperator,
};

const METHODS: [(RefundCapability, &str); 2] =
    [(RefundCapability::Partial { within: None }, "NATIVE"), (RefundCapability::None, "PAYOUT")];

/// The charge is paid; then its refund is sent without a response; then the operator does not have
/// it.
const PAYING: usize = 0;
const REFUNDING: usize = 1;
const LOST: usize = 2;

/// An operator that executes charges and refunds at once.
fn succeeding(refunds: RefundCapability) -> ScriptedOperator {
    let operator = ScriptedOperator::new().refunding(refunds);
    let operator = operator.sends(|_| Some(Observation::Succeeded));
    operator.asks(|_| Some(StatusResponse::known(Observation::Succeeded)))
}

async fn paid(merchant: &Merchant) -> TransactionId {
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    TransactionId::new(merchant.shop.post("/v1/charge", &body).await.is(202).id())
}

async fn dispute(merchant: &Merchant, charge: &TransactionId) {
    let known = merchant.store().transaction(charge).await.unwrap().unwrap();
    merchant.app.running().gateway.record(&known, Observation::Disputed).await.unwrap();
}

async fn decide_for_the_merchant(merchant: &Merchant, charge: &TransactionId) {
    let note = "declined at the operator with the delivery slip".parse::<DecisionNote>().unwrap();
    merchant
        .store()
        .review(charge, ReviewVerdict::Successful, note, &merchant.app.audit())
        .await
        .unwrap();
}

async fn approve_above(merchant: &Merchant, amount: &str) {
    let change = ControlsChange {
        refund_approval_above: Change::Set(amount.parse().unwrap()),
        ..ControlsChange::default()
    };
    merchant
        .store()
        .set_payout_controls(merchant.scope(), change, &merchant.app.audit())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_disputed_charge_is_refunded_neither_by_its_operator_nor_by_payout() {
    for (capability, method) in METHODS {
        let merchant = Merchant::with_operator(Arc::new(succeeding(capability))).await;
        let charge = paid(&merchant).await;
        dispute(&merchant, &charge).await;
        let body = json!({ "transactionId": charge.as_str(), "amount": 4 });
        let problem =
            refund(&merchant.shop, body.clone()).await.is_problem(409, "not_refundable").json();
        assert!(problem["detail"].as_str().unwrap().contains("disputes"), "{method}: {problem}");
        assert_eq!(sums(&merchant.shop, charge.as_str()).await, (json!(0), json!(0)), "{method}");
        decide_for_the_merchant(&merchant, &charge).await;
        let begun = refund(&merchant.shop, body).await.is(202).json();
        assert_eq!(begun["method"], method);
        assert_eq!(sums(&merchant.shop, charge.as_str()).await.1, json!(6.5), "{method}");
    }
}

#[tokio::test]
async fn a_refund_that_waits_is_not_approved_while_its_charge_is_disputed() {
    for (capability, method) in METHODS {
        let merchant = Merchant::with_operator(Arc::new(succeeding(capability))).await;
        approve_above(&merchant, "1").await;
        let charge = paid(&merchant).await;
        let waits =
            refund(&merchant.shop, json!({ "transactionId": charge.as_str(), "amount": 4 }))
                .await
                .is(202);
        assert_eq!(waits.json()["nextAction"], "APPROVE_IN_DASHBOARD");
        let id = refund_id(&waits);
        dispute(&merchant, &charge).await;
        let refused = merchant.approve(&id).await;
        assert!(
            matches!(refused, Err(DecideError::NotRefundable(NotRefundable::Disputed))),
            "{method}: {refused:?}"
        );
        assert_eq!(
            read(&merchant.shop, &id).await["nextAction"],
            "APPROVE_IN_DASHBOARD",
            "it goes on waiting"
        );
        decide_for_the_merchant(&merchant, &charge).await;
        merchant.approve(&id).await.unwrap();
        merchant.wait(1).await;
        assert_eq!(read(&merchant.shop, &id).await["status"], "SUCCESSFUL", "{method}");
    }
}

/// The approval was routed before the dispute arrived: the database transaction that approves looks
/// again.
#[tokio::test]
async fn a_dispute_that_arrives_during_the_approval_stops_it() {
    let merchant = Merchant::with_operator(Arc::new(succeeding(RefundCapability::None))).await;
    approve_above(&merchant, "1").await;
    let charge = paid(&merchant).await;
    let waits = refund(&merchant.shop, json!({ "transactionId": charge.as_str(), "amount": 4 }))
        .await
        .is(202);
    let id = TransactionId::new(refund_id(&waits));
    let refund_method = Some(RefundMethod::Payout);
    let route = PayoutRoute { operator: None, fee_pesewas: None, moved_to: None, refund_method };
    let decision =
        RoutedDecision { decision: approval(), routes: PayoutRoutes::from([(id.clone(), route)]) };
    dispute(&merchant, &charge).await;
    let refused = merchant.store().decide_payout(&id, decision, None, merchant.now()).await;
    assert!(
        matches!(refused, Err(DecideError::NotRefundable(NotRefundable::Disputed))),
        "{refused:?}"
    );
}

/// The operator never received the refund. Then it is sent again, unless the charge is disputed
/// since.
#[tokio::test]
async fn a_refund_that_never_arrived_is_not_sent_again_after_a_dispute() {
    for (capability, method) in METHODS {
        for is_disputed in [false, true] {
            let stage = Arc::new(AtomicUsize::new(PAYING));
            let of_send = stage.clone();
            let of_question = stage.clone();
            let operator = ScriptedOperator::new().refunding(capability);
            let operator = operator.sends(move |_| match of_send.load(Ordering::SeqCst) {
                PAYING => Some(Observation::Succeeded),
                _ => Some(Observation::Ambiguous),
            });
            let operator = operator.asks(move |_| match of_question.load(Ordering::SeqCst) {
                LOST => Some(StatusResponse::NeverReceived),
                _ => Some(StatusResponse::known(Observation::Succeeded)),
            });
            let merchant = Merchant::with_operator(Arc::new(operator)).await;
            let sends = || merchant.operator.count("send") + merchant.operator.count("refund");
            let charge = paid(&merchant).await;
            stage.store(REFUNDING, Ordering::SeqCst);
            let body = json!({ "transactionId": charge.as_str(), "amount": 4 });
            let begun = refund(&merchant.shop, body).await.is(202).json();
            assert_eq!(begun["method"], method);
            merchant.wait(1).await;
            assert_eq!(sends(), 2, "{method}: the charge, and its refund");
            stage.store(LOST, Ordering::SeqCst);
            if is_disputed {
                dispute(&merchant, &charge).await;
            }
            for seconds in [10, 20, 40, 60] {
                merchant.wait(seconds).await;
            }
            assert_eq!(sends() == 2, is_disputed, "{method}");
        }
    }
}

/// The second refund of a charge waits for its turn while the first one is under way.
#[tokio::test]
async fn a_refund_that_waits_for_its_turn_is_not_sent_after_a_dispute() {
    let has_ended = Arc::new(AtomicBool::new(true));
    let ended = has_ended.clone();
    let answer = move || {
        if ended.load(Ordering::SeqCst) {
            Observation::Succeeded
        } else {
            Observation::StillPending
        }
    };
    let of_send = answer.clone();
    let operator = ScriptedOperator::new().refunding(RefundCapability::Partial { within: None });
    let operator = operator
        .sends(move |_| Some(of_send()))
        .asks(move |_| Some(StatusResponse::known(answer())));
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let charge = paid(&merchant).await;
    has_ended.store(false, Ordering::SeqCst);
    let part = json!({ "transactionId": charge.as_str(), "amount": 4 });
    let first = refund_id(&refund(&merchant.shop, part.clone()).await.is(202));
    let second = TransactionId::new(refund_id(&refund(&merchant.shop, part).await.is(202)));
    assert_eq!(merchant.operator.each("refund"), [1]);
    dispute(&merchant, &charge).await;
    has_ended.store(true, Ordering::SeqCst);
    merchant.wait(11).await;
    assert_eq!(read(&merchant.shop, &first).await["status"], "SUCCESSFUL", "it was sent before");
    merchant.wait(120).await;
    assert_eq!(merchant.operator.each("refund"), [1]);
    let cases = merchant.store().flagged(None).await.unwrap();
    let case_of = |id: &TransactionId| {
        cases.iter().find(|one| one.transaction.order.id == *id).map(|one| one.case)
    };
    assert_eq!((case_of(&second), case_of(&charge)), (Some(Case::Blocked), Some(Case::Dispute)));
    // Also where a node found the way open before the dispute was stored.
    let store = merchant.store();
    let now = merchant.now();
    let handed_over =
        store.hand_over(&second, Route::Open, now, now, Duration::ZERO).await.unwrap();
    assert_eq!(handed_over, HandOver::Nothing);
    // A lost dispute: the operator has returned the money.
    let note = "accepted at the operator".parse::<DecisionNote>().unwrap();
    let lost = ReviewVerdict::Failed(FailureCode::Unspecified);
    merchant.store().review(&charge, lost, note, &merchant.app.audit()).await.unwrap();
    assert_eq!(sums(&merchant.shop, charge.as_str()).await.1, json!(0));
}
