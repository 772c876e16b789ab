//! Through whom refunds go, and what is asked before (docs/reference/refunds.md).

use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Mode, TransactionId,
    capabilities::RefundCapability,
    people::Role,
    ports::{Clock, Report, SendResponse, StatusResponse},
    review::{Attention, Case, DecisionNote, ReviewVerdict},
};
use tua_test_support::{
    dashboard::page,
    payout_controls::Merchant,
    refunds::{cancel, read, refund, refund_id, sums},
    scripted_operator::ScriptedOperator,
};

const NATIVE: RefundCapability = RefundCapability::Partial { within: None };

fn succeeding() -> ScriptedOperator {
    ScriptedOperator::new()
        .sends(|_| Some(Observation::Succeeded))
        .asks(|_| Some(StatusResponse::known(Observation::Succeeded)))
}

async fn paid(merchant: &Merchant) -> String {
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let id = merchant.shop.post("/v1/charge", &body).await.is(202).id();
    assert_eq!(merchant.shop.status(&id).await["status"], "SUCCESSFUL");
    id
}

#[tokio::test]
async fn an_operator_without_refunds_pays_out_within_the_limits_of_payouts() {
    let merchant = Merchant::with_operator(Arc::new(succeeding())).await;
    merchant.set_limits("5", "8", "0").await;
    let id = paid(&merchant).await;
    let part = |amount: f64| json!({ "transactionId": id, "amount": amount });
    refund(&merchant.shop, part(5.01)).await.is_problem(422, "payout_limit_exceeded");
    // The approval amount of payouts is not that of refunds.
    let first = refund(&merchant.shop, part(5.0)).await.is(202).json();
    assert_eq!((&first["status"], &first["method"]), (&json!("SUCCESSFUL"), &json!("PAYOUT")));
    assert_eq!((merchant.operator.count("ask"), merchant.operator.count("send")), (1, 2));
    refund(&merchant.shop, part(3.01)).await.is_problem(422, "payout_limit_exceeded");
    refund(&merchant.shop, part(3.0)).await.is(202);
    assert_eq!(sums(&merchant.shop, &id).await, (json!(8), json!(2.5)));
    assert_eq!(merchant.operator.count("refund"), 0);
}

#[tokio::test]
async fn money_that_the_operator_returned_already_is_not_paid_out_again() {
    let is_reversed = Arc::new(AtomicBool::new(false));
    let seen = is_reversed.clone();
    let operator = succeeding().asks(move |_| {
        if seen.load(Ordering::SeqCst) {
            Some(StatusResponse::known(Observation::Reversed))
        } else {
            Some(StatusResponse::Unanswered)
        }
    });
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let id = paid(&merchant).await;
    // While the operator does not respond, nothing is sent.
    let waits = refund_id(&refund(&merchant.shop, json!({ "transactionId": id })).await.is(202));
    assert_eq!(read(&merchant.shop, &waits).await["nextAction"], "WAIT");
    is_reversed.store(true, Ordering::SeqCst);
    merchant.wait(61).await;
    assert_eq!(merchant.operator.count("send"), 1);
    assert_eq!(read(&merchant.shop, &waits).await["status"], "PENDING");
    let cases = async || {
        let flagged = merchant.store().flagged(None).await.unwrap();
        flagged
            .into_iter()
            .map(|one| (one.transaction.order.id.to_string(), one.case))
            .collect::<Vec<_>>()
    };
    assert_eq!(cases().await.len(), 2);
    assert!(cases().await.contains(&(waits.clone(), Case::Blocked)));
    assert!(cases().await.contains(&(id.clone(), Case::Conflict)), "the charge is contradicted");
    assert_eq!(sums(&merchant.shop, &id).await.1, json!(0), "a returned charge is not refundable");
    merchant.store().pending(merchant.app.clock.now()).await.unwrap();
    let owner = merchant.app.browser_of(&merchant.scope().account, Role::Owner).await;
    let at = |path: &str| page(&merchant.scope().account, Mode::Test, path);
    let shown = owner.get(&at(&format!("/payments/{waits}"))).await.is(200).text;
    assert!(shown.contains("This refund was not sent") && !shown.contains("for a day"), "{shown}");
    assert!(!shown.contains("The service tries"), "nothing is planned: {shown}");
    assert!(owner.get(&at("/review")).await.text.contains("the payer may have the money already"));
    let note = || "returned at the operator".parse::<DecisionNote>().unwrap();
    let settle = async |id: &str, verdict| {
        merchant
            .store()
            .review(&TransactionId::new(id), verdict, note(), &merchant.app.audit())
            .await
            .unwrap();
    };
    settle(&waits, ReviewVerdict::Failed(FailureCode::Unspecified)).await;
    settle(&id, ReviewVerdict::Successful).await;
    assert_eq!(sums(&merchant.shop, &id).await.1, json!(10.5), "a failed refund does not count");
}

#[tokio::test]
async fn a_refund_that_waits_for_a_person_is_flagged_until_the_operator_ends_it() {
    let is_done = Arc::new(AtomicBool::new(false));
    let done = is_done.clone();
    let operator = succeeding().refunding(NATIVE).asks(move |_| {
        if done.load(Ordering::SeqCst) {
            Some(StatusResponse::known(Observation::Succeeded))
        } else {
            Some(StatusResponse::Known(
                Report::new(Observation::StillPending).with_attention(Attention::ActAtOperator),
            ))
        }
    });
    let is_paid = Arc::new(AtomicBool::new(false));
    let paid_before = is_paid.clone();
    let operator = operator.responds(move |_| {
        if paid_before.load(Ordering::SeqCst) {
            Some(Observation::StillPending.into())
        } else {
            Some(Observation::Succeeded.into())
        }
    });
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let id = paid(&merchant).await;
    is_paid.store(true, Ordering::SeqCst);
    let waits = refund_id(&refund(&merchant.shop, json!({ "transactionId": id })).await.is(202));
    let cases = async || -> Vec<Case> {
        merchant.store().flagged(None).await.unwrap().into_iter().map(|one| one.case).collect()
    };
    assert_eq!(cases().await, []);
    merchant.wait(11).await;
    assert_eq!(
        (cases().await, &read(&merchant.shop, &waits).await["status"]),
        (vec![Case::NeedsAttention], &json!("PENDING"))
    );
    is_done.store(true, Ordering::SeqCst);
    merchant.wait(61).await;
    assert_eq!(
        (cases().await, &read(&merchant.shop, &waits).await["status"]),
        (vec![], &json!("SUCCESSFUL"))
    );
}

#[tokio::test]
async fn refunds_of_one_charge_take_turns_where_the_operator_takes_one_at_a_time() {
    let operator = succeeding().refunding(NATIVE);
    let may_end = Arc::new(AtomicBool::new(false));
    let ends = may_end.clone();
    let operator = operator
        .responds(|_| Some(SendResponse::Observed(Observation::StillPending.into())))
        .asks(move |_| {
            let observation = if ends.load(Ordering::SeqCst) {
                Observation::Succeeded
            } else {
                Observation::StillPending
            };
            Some(StatusResponse::known(observation))
        });
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let id = merchant.shop.post("/v1/charge", &body).await.is(202).id();
    may_end.store(true, Ordering::SeqCst);
    merchant.wait(11).await;
    may_end.store(false, Ordering::SeqCst);
    let part = json!({ "transactionId": id, "amount": 4 });
    let first = refund_id(&refund(&merchant.shop, part.clone()).await.is(202));
    let second = refund_id(&refund(&merchant.shop, part.clone()).await.is(202));
    let third = refund_id(&refund(&merchant.shop, json!({ "transactionId": id })).await.is(202));
    merchant.wait(120).await;
    assert_eq!(merchant.operator.each("refund"), [1]);
    cancel(&merchant.shop, &third).await.is(200);
    cancel(&merchant.shop, &first).await.is_problem(409, "not_cancellable");
    may_end.store(true, Ordering::SeqCst);
    for _ in 0..6 {
        merchant.wait(61).await;
    }
    assert_eq!(merchant.operator.each("refund"), [1, 1]);
    for refund in [&first, &second] {
        assert_eq!(read(&merchant.shop, refund).await["status"], "SUCCESSFUL");
    }
    assert_eq!(sums(&merchant.shop, &id).await, (json!(8), json!(2.5)));
}

/// The response to a refund is lost, as in a crash after the hand-over: the operator is asked, and
/// nothing is sent twice. What it reports later against a final state is a conflict, and counts.
#[tokio::test]
async fn a_lost_refund_is_asked_about_and_a_late_success_counts() {
    let operator = succeeding().refunding(NATIVE).asks(|time| match time {
        1 => Some(StatusResponse::Unanswered),
        _ => Some(StatusResponse::known(Observation::Failed(FailureCode::Unspecified))),
    });
    let is_lost = Arc::new(AtomicBool::new(false));
    let lost = is_lost.clone();
    let operator = operator.responds(move |_| {
        if lost.load(Ordering::SeqCst) {
            Some(Observation::Ambiguous.into())
        } else {
            Some(Observation::Succeeded.into())
        }
    });
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let id = paid(&merchant).await;
    is_lost.store(true, Ordering::SeqCst);
    let begun = refund(&merchant.shop, json!({ "transactionId": id, "amount": 4 })).await.is(202);
    let refund_id = refund_id(&begun);
    merchant.wait(11).await;
    assert_eq!(
        read(&merchant.shop, &refund_id).await["nextAction"],
        "WAIT",
        "unknown is not failed"
    );
    assert_eq!(sums(&merchant.shop, &id).await, (json!(0), json!(6.5)));
    merchant.wait(21).await;
    assert_eq!(read(&merchant.shop, &refund_id).await["status"], "FAILED");
    assert_eq!(sums(&merchant.shop, &id).await, (json!(0), json!(10.5)));
    assert_eq!(merchant.operator.each("refund"), [1]);

    let store = merchant.store();
    let key = TransactionId::new(&*refund_id);
    let known = store.transaction(&key).await.unwrap().unwrap();
    store.observe(&known, Observation::Succeeded.into(), None, merchant.now()).await.unwrap();
    let conflict = read(&merchant.shop, &refund_id).await["conflict"].clone();
    assert_eq!(conflict["observed"], "SUCCESSFUL");
    assert_eq!(sums(&merchant.shop, &id).await, (json!(0), json!(6.5)));
    // A review finds that the money did not go.
    let note = "not in the portal".parse::<DecisionNote>().unwrap();
    store
        .review(&key, ReviewVerdict::Failed(FailureCode::Unspecified), note, &merchant.app.audit())
        .await
        .unwrap();
    assert_eq!(sums(&merchant.shop, &id).await, (json!(0), json!(10.5)));
}
