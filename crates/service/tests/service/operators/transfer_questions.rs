//! Paystack's question whether to execute a transfer is answered with 200 for exactly one pending payout of ours, and with 400
//! for everything else (docs/operators/paystack.md#callbacks).

use crate::support::{
    live_operators::LiveOperators,
    operator_callbacks::{other_spellings, send},
    payout_controls::approval,
    refunds::{refund, refund_id},
};
use serde_json::{Value, json};
use tua_service::domain::{Mode, Scope, TransactionId, payout_controls::ControlsChange};

const EVENT: &str = "transferrequest.approval-required";

fn reference(id: &str) -> String {
    TransactionId::new(id).operator_reference()
}

/// The question about one transfer of GHS 10.50, with more members.
fn asking(id: &str, more: &Value) -> Value {
    let mut transfer = json!({ "reference": reference(id), "amount": 1050, "currency": "GHS" });
    transfer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "event": EVENT, "data": { "id": 1, "transfers": [transfer] } })
}

async fn pay_out(live: &LiveOperators, phone: &str, network: &str) -> String {
    let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": network });
    live.shop.post("/v1/payout", &body).await.is(202).id()
}

#[tokio::test]
async fn only_a_question_about_exactly_one_pending_payout_is_answered_with_yes() {
    let live = LiveOperators::routed_to("paystack").await;
    let (payout, other) = (pay_out(&live, "0241230007", "MTN").await, pay_out(&live, "0241230007", "MTN").await);
    let one = || json!({ "reference": reference(&payout), "amount": 1050, "currency": "GHS" });
    let recipient = |number: &str, bank: &str| {
        asking(&payout, &json!({ "recipient": { "details": { "account_number": number, "bank_code": bank } } }))
    };
    for yes in [
        one(),
        json!({ "event": EVENT, "data": one() }),
        asking(&payout, &json!({})),
        asking(&payout, &json!({ "amount": "1050" })),
        asking(&payout, &json!({ "recipient": 77 })),
        recipient("0241230007", "MTN"),
    ] {
        assert_eq!(send(&live, "paystack", &yes.to_string()).await, 200, "{yes}");
    }
    let no = [
        json!(null),
        json!({}),
        json!([one()]),
        json!({ "event": null }),
        json!({ "event": null, "data": null }),
        json!({ "event": EVENT }),
        json!({ "event": EVENT, "data": null }),
        json!({ "event": EVENT, "data": { "transfers": null } }),
        json!({ "event": EVENT, "data": { "transfers": [] } }),
        json!({ "event": EVENT, "data": { "transfers": [one(), one()] } }),
        json!({ "event": EVENT, "data": { "transfers": [one(), { "reference": reference(&other), "amount": 1050 }] } }),
        json!({ "event": EVENT, "data": { "transfers": [one(), { "reference": "foreign", "amount": 1 }] } }),
        json!({ "event": EVENT, "data": { "reference": reference(&other), "amount": 1050, "transfers": [one()] } }),
        json!({ "transfers": [one(), one()] }),
        asking(&payout, &json!({ "reference": null })),
        asking(&payout, &json!({ "reference": "" })),
        asking(&payout, &json!({ "reference": 5 })),
        asking(&payout, &json!({ "reference": "REF-1" })),
        asking(TransactionId::mint().as_str(), &json!({})),
        asking(&payout, &json!({ "amount": 1051 })),
        asking(&payout, &json!({ "amount": 10.5 })),
        asking(&payout, &json!({ "amount": null })),
        asking(&payout, &json!({ "currency": "NGN" })),
        recipient("0241230008", "MTN"),
        recipient("0241230007", "VOD"),
        recipient("1234567890123", "GCB"),
        json!({ "event": "transferrequest.approval_required", "data": one() }),
        json!({ "event": "transfer.approval-required", "data": one() }),
        json!({ "event": "refund.approval-required", "data": one() }),
        json!({ "event": "something.new", "data": one() }),
    ];
    for no in no {
        assert_eq!(send(&live, "paystack", &no.to_string()).await, 400, "{no}");
    }
    for no in ["", "<html>", "{\"event\":", "nonsense"] {
        assert_eq!(send(&live, "paystack", no).await, 400, "{no}");
    }
    // Events that ask nothing are acknowledged, so that they are not repeated.
    for event in ["subscription.create", "transfer.failed", "charge.success"] {
        let body = json!({ "event": event, "data": { "reference": "foreign" } });
        assert_eq!(send(&live, "paystack", &body.to_string()).await, 200, "{event}");
    }
}

#[tokio::test]
async fn a_question_about_what_is_no_payout_under_way_at_paystack_is_answered_with_no() {
    let live = LiveOperators::with("MTN = [\"paystack\"]\nTELECEL = [\"hubtel\"]\n").await;
    let asks = async |id: &str| send(&live, "paystack", &asking(id, &json!({})).to_string()).await;
    let charge = live.charge("0241230007", "MTN").await.is(202).id();
    assert_eq!(asks(&charge).await, 400, "a charge");
    let ended = live.pay_out_to_the_end("0241234567", "MTN").await;
    assert_eq!(asks(ended["transactionId"].as_str().unwrap()).await, 400, "a final payout");
    assert_eq!(asks(&pay_out(&live, "0201230007", "TELECEL").await).await, 400, "a payout of another operator");
    let paid = live.charge_to_the_end("0241234567", "MTN").await;
    let begun = refund(&live.shop, json!({ "transactionId": paid["transactionId"] })).await.is(202);
    assert_eq!(begun.json()["method"], "NATIVE");
    assert_eq!(asks(&refund_id(&begun)).await, 400, "a refund that is no transfer");

    let store = live.app.running().store.clone();
    let account = store.keys(None).await.unwrap().remove(0).scope.account;
    let scope = Scope { account, mode: Mode::Live };
    let change = ControlsChange { approval_above: Some(Some("0".parse().unwrap())), ..ControlsChange::default() };
    store.set_payout_controls(&scope, change, &live.app.audit()).await.unwrap();
    let waiting = pay_out(&live, "0241230007", "MTN").await;
    assert_eq!(asks(&waiting).await, 400, "a payout that waits for a person");
    let decisions = live.app.running().settlement.decisions();
    let id = TransactionId::new(&*waiting);
    let at = tua_service::domain::ports::Clock::now(&live.app.clock);
    decisions.about_payout(&id, approval(), Some(&live.app.audit()), at).await.unwrap();
    live.app.advance(1);
    crate::support::eventually("it is sent", async || {
        store.transaction(&id).await.unwrap().unwrap().handed_over_at.is_some()
    })
    .await;
    assert_eq!(asks(&waiting).await, 200);
}

#[tokio::test]
async fn another_spelling_of_a_reference_names_another_transfer() {
    let live = LiveOperators::routed_to("paystack").await;
    let payout = pay_out(&live, "0241230007", "MTN").await;
    let own = reference(&payout);
    let compact = own.replace('-', "");
    for other in other_spellings(&own).into_iter().chain([compact, format!(" {own}"), format!("{own}\n")]) {
        let question = asking(&payout, &json!({ "reference": other })).to_string();
        assert_eq!(send(&live, "paystack", &question).await, 400, "{other:?}");
    }
    assert_eq!(send(&live, "paystack", &asking(&payout, &json!({})).to_string()).await, 200);
    let kept = live.app.running().store.exchanges(&TransactionId::new(&*payout)).await.unwrap();
    let callbacks = kept.iter().filter(|one| one.path.starts_with("/callbacks/")).count();
    assert_eq!(callbacks, 1, "what is about another transfer is no evidence about this one");
}
