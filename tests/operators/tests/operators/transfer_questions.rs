//! Paystack's question whether to execute a transfer is answered with 200 for exactly one pending
//! payout of ours, and with 400 for everything else (docs/operators/paystack.md#callbacks).

use serde_json::{Value, json};
use tua_domain::{Mode, Scope, TransactionId, change::Change, payout_controls::ControlsChange};
use tua_test_support::{
    eventually,
    live_operators::LiveOperators,
    operator_callbacks::{other_spellings, send},
    payout_controls::approval,
    refunds::{refund, refund_id},
};

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
    let payout = pay_out(&live, "0241230007", "MTN").await;
    let other = pay_out(&live, "0241230007", "MTN").await;
    let one = || json!({ "reference": reference(&payout), "amount": 1050, "currency": "GHS" });
    let recipient = |number: &str, bank: &str| {
        asking(
            &payout,
            &json!({ "recipient": { "details": { "account_number": number, "bank_code": bank } } }),
        )
    };
    for yes in [
        one(),
        json!({ "event": EVENT, "data": one() }),
        asking(&payout, &json!({})),
        asking(&payout, &json!({ "amount": "1050" })),
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
        json!({
            "event": EVENT,
            "data": { "transfers": [one(), { "reference": reference(&other), "amount": 1050 }] },
        }),
        json!({
            "event": EVENT,
            "data": { "transfers": [one(), { "reference": "foreign", "amount": 1 }] },
        }),
        json!({
            "event": EVENT,
            "data": { "reference": reference(&other), "amount": 1050, "transfers": [one()] },
        }),
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
        asking(&payout, &json!({ "recipient": 77 })),
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
    assert_eq!(
        asks(&pay_out(&live, "0201230007", "TELECEL").await).await,
        400,
        "a payout of another operator"
    );
    let paid = live.charge_to_the_end("0241234567", "MTN").await;
    let begun = refund(&live.shop, json!({ "transactionId": paid["transactionId"] })).await.is(202);
    assert_eq!(begun.json()["method"], "NATIVE");
    assert_eq!(asks(&refund_id(&begun)).await, 400, "a refund that is no transfer");

    let store = live.app.running().store.clone();
    let account = store.keys(None).await.unwrap().remove(0).scope.account;
    let scope = Scope { account, mode: Mode::Live };
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    store.set_payout_controls(&scope, change, &live.app.audit()).await.unwrap();
    let waiting = pay_out(&live, "0241230007", "MTN").await;
    assert_eq!(asks(&waiting).await, 400, "a payout that waits for a person");
    let decisions = live.app.running().payouts.decisions.clone();
    let id = TransactionId::new(&*waiting);
    let at = tua_domain::ports::Clock::now(&live.app.clock);
    decisions.about_payout(&id, approval(), Some(&live.app.audit()), at).await.unwrap();
    live.app.advance(1);
    tua_test_support::eventually("it is sent", async || {
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
    for other in
        other_spellings(&own).into_iter().chain([compact, format!(" {own}"), format!("{own}\n")])
    {
        let question = asking(&payout, &json!({ "reference": other })).to_string();
        assert_eq!(send(&live, "paystack", &question).await, 400, "{other:?}");
    }
    assert_eq!(send(&live, "paystack", &asking(&payout, &json!({})).to_string()).await, 200);
    let kept = live.app.running().store.exchanges(&TransactionId::new(&*payout)).await.unwrap();
    let callbacks = kept.iter().filter(|one| one.path.starts_with("/callbacks/")).count();
    assert_eq!(callbacks, 1, "what is about another transfer is no evidence about this one");
}

/// A payout that is at Paystack, so that its recipient is registered there.
async fn sent_payout(live: &LiveOperators) -> String {
    let payout = pay_out(live, "0241230007", "MTN").await;
    eventually("it is at Paystack", async || live.orders().contains_key(&payout)).await;
    payout
}

/// The code of the first recipient at the emulator.
const CODE: &str = "RCP_000000000000001";

#[tokio::test]
async fn a_recipient_counts_only_in_a_published_form_and_only_if_it_is_the_payouts() {
    let mut live = LiveOperators::routed_to("paystack").await;
    let payout = sent_payout(&live).await;
    let own = json!({ "account_number": "0241230007", "bank_code": "MTN", "bank_name": "MTN" });
    let other = json!({ "account_number": "0209999999", "bank_code": "VOD" });
    let published = json!({
        "active": true,
        "currency": "GHS",
        "domain": "live",
        "id": 1,
        "metadata": null,
        "name": "0241230007",
        "recipient_code": CODE,
        "type": "mobile_money",
        "details": own,
    });
    let yes = [json!(CODE), json!(1), json!({ "details": own }), published, json!(null)];
    let no = [
        other.clone(),
        own.clone(),
        json!([other]),
        json!([own]),
        json!({ "details": [other] }),
        json!({ "details": "0209999999" }),
        json!({ "details": { "accountNumber": "0209999999", "bankCode": "VOD" } }),
        json!({ "details": own, "account_number": "0209999999" }),
        json!({ "recipient_code": "RCP_else", "type": "nuban", "details": {} }),
        json!({ "recipient_code": "RCP_else", "details": own }),
        json!({ "recipient_code": CODE, "details": other }),
        json!({ "recipient_code": CODE, "type": "nuban" }),
        json!({ "details": {} }),
        json!("RCP_of_somebody_else"),
        json!("0241230007"),
        json!(77),
        json!(true),
        json!(""),
    ];
    // After a restart the codes of earlier recipients are asked for at Paystack.
    for _ in 0..2 {
        for (recipients, expected) in [(&yes[..], 200), (&no[..], 400)] {
            for recipient in recipients {
                let question = asking(&payout, &json!({ "recipient": recipient })).to_string();
                assert_eq!(send(&live, "paystack", &question).await, expected, "{recipient}");
            }
        }
        live.app.restart().await;
    }
}

#[tokio::test]
async fn nothing_beside_the_transfer_may_be_about_something_else() {
    let live = LiveOperators::routed_to("paystack").await;
    let payout = sent_payout(&live).await;
    let transfer = || json!({ "reference": reference(&payout), "amount": 1050, "currency": "GHS" });
    let with = |mut members: Value, more: &Value| {
        members.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        members
    };
    let forms = |more: &Value| {
        [
            with(transfer(), more),
            with(json!({ "event": EVENT, "data": transfer() }), more),
            json!({ "event": EVENT, "data": with(transfer(), more) }),
            json!({ "event": EVENT, "data": with(json!({ "transfers": [transfer()] }), more) }),
            asking(&payout, more),
        ]
    };
    for ordinary in [
        json!({}),
        json!({ "domain": "live", "status": "pending", "count": 1, "reason": "for Ama", "id": 7 }),
        json!({
            "integration": { "id": 1, "is_live": true },
            "source": "balance",
            "failures": null,
        }),
    ] {
        for question in forms(&ordinary) {
            assert_eq!(send(&live, "paystack", &question.to_string()).await, 200, "{question}");
        }
    }
    let foreign = json!({ "reference": "foreign", "amount": 1 });
    for other in [
        json!({ "transfer": foreign }),
        json!({ "bulk": [foreign] }),
        json!({ "Transfers": [foreign] }),
        json!({ "transfer_requests": [foreign], "count": 2 }),
        json!({ "count": 5 }),
        json!({ "currency": "NGN" }),
        json!({ "domain": "test" }),
        json!({ "status": "success" }),
        json!({ "status": "reversed" }),
        json!({ "Amount": 1 }),
        json!({ "account_number": "0209999999" }),
        json!({ "recipient_code": "RCP_else" }),
    ] {
        for question in forms(&other) {
            assert_eq!(send(&live, "paystack", &question.to_string()).await, 400, "{question}");
        }
    }
    let twice = format!("{{\"reference\":\"foreign\",{}", &transfer().to_string()[1..]);
    assert_eq!(send(&live, "paystack", &twice).await, 400, "{twice}");
}
