//! Refunds over the API, with the sandbox (docs/reference/refunds.md).

use futures_util::future::join_all;
use jiff::SignedDuration;
use reqwest::Method;
use serde_json::json;
use tua_domain::{
    Generation, KeyScope, KeyScopes, Mode, Scope, SecretKey, Transaction, TransactionId,
    approval::PayoutDecision, change::Change, payout_controls::ControlsChange, ports::Clock,
};
use tua_test_support::{
    ApiClient, TestApp,
    payment_bodies::names,
    refunds::{cancel, charge, read, refund, refund_id, refund_with, sums},
    webhook_receiver::{Subscriber, WebhookReceiver},
};

const PAYER: &str = "0241234567";

async fn start() -> TestApp {
    TestApp::with_stopped_clock(|operators| operators).await
}

async fn wait(app: &TestApp, seconds: u64) {
    app.advance(seconds);
    app.wait_for_due_work().await;
}

#[tokio::test]
async fn a_charge_is_refunded_in_parts_and_its_merchant_is_told() {
    let app = start().await;
    let receiver = WebhookReceiver::start().await;
    let merchant = Subscriber::new(&app).await;
    let shop = &merchant.shop;
    let begun = shop
        .post("/v1/charge", &json!({ "amount": 10.5, "phoneNumber": PAYER, "network": "MTN" }))
        .await;
    let id = begun.is(202).id();
    assert_eq!(sums(shop, &id).await, (json!(0), json!(0)));
    refund(shop, json!({ "transactionId": id })).await.is_problem(409, "not_refundable");
    wait(&app, 3).await;
    assert_eq!(sums(shop, &id).await, (json!(0), json!(10.5)));
    merchant.add_endpoint(&app, &receiver.url).await;

    let body = json!({ "transactionId": id, "amount": 4.2, "reason": "sold out" });
    let first = refund_with(shop, "r1", body.clone()).await.is(202);
    let shown = first.json();
    let fields = "amount conflict createdAt currency failure method nextAction operator reason \
        refundId status transactionId updatedAt";
    assert_eq!(names(&shown), fields);
    assert_eq!(
        (&shown["status"], &shown["nextAction"], &shown["method"]),
        (&json!("PENDING"), &json!("WAIT"), &json!("NATIVE"))
    );
    assert_eq!(
        (&shown["amount"], &shown["reason"], &shown["transactionId"]),
        (&json!(4.2), &json!("sold out"), &json!(id))
    );
    assert_eq!(sums(shop, &id).await, (json!(0), json!(6.3)));
    let refund_id = refund_id(&first);
    cancel(shop, &refund_id).await.is_problem(409, "not_cancellable");
    wait(&app, 3).await;
    assert_eq!(read(shop, &refund_id).await["status"], "SUCCESSFUL");
    assert_eq!(sums(shop, &id).await, (json!(4.2), json!(6.3)));
    // A repetition is the response given then, also with other digits.
    let again = refund_with(
        shop,
        "r1",
        json!({ "reason": "sold out", "transactionId": id, "amount": 4.20 }),
    )
    .await
    .is(202);
    assert_eq!((again.json(), again.header("idempotency-replayed")), (shown, "true"));
    refund_with(shop, "r1", json!({ "transactionId": id, "amount": 4.3 }))
        .await
        .is_problem(422, "idempotency_key_reused");

    refund(shop, json!({ "transactionId": id, "amount": 6.31 }))
        .await
        .is_problem(409, "refund_exceeds_payment");
    let rest = refund(shop, json!({ "transactionId": id })).await.is(202).json();
    assert_eq!(rest["amount"], json!(6.3));
    refund(shop, json!({ "transactionId": id })).await.is_problem(409, "refund_exceeds_payment");
    wait(&app, 3).await;
    assert_eq!(sums(shop, &id).await, (json!(10.5), json!(0)));
    let events = receiver.wait_for_webhooks(4).await;
    let of = |kind: &str| events.iter().filter(|event| event.json()["type"] == kind).count();
    assert_eq!((of("refund.pending"), of("refund.successful"), events.len()), (2, 2, 4));
    assert!(events.iter().all(|event| event.json()["data"]["transactionId"] == json!(id)));

    // Refunds are apart from payments, and the charge's events rebuild its row.
    shop.get(&format!("/v1/status/{refund_id}")).await.is_problem(404, "transaction_not_found");
    shop.get(&format!("/v1/refunds/{id}")).await.is_problem(404, "transaction_not_found");
    let listed = shop.get("/v1/transactions").await.json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    let page = shop.get(&format!("/v1/refunds?transactionId={id}&limit=1")).await.json();
    assert_eq!(page["data"][0]["refundId"], rest["refundId"]);
    let next = page["nextCursor"].as_str().unwrap();
    let last = shop.get(&format!("/v1/refunds?limit=1&cursor={next}")).await.json();
    assert_eq!(
        (&last["data"][0]["refundId"], &last["nextCursor"]),
        (&json!(refund_id), &json!(null))
    );
    let other = charge(&app, shop, "0241234568").await;
    refund(shop, json!({ "transactionId": other, "amount": 1 })).await.is(202);
    let count = async |key: &ApiClient, query: &str| {
        let listed = key.get(&format!("/v1/refunds{query}")).await.is(200).json();
        listed["data"].as_array().unwrap().len()
    };
    assert_eq!(count(shop, &format!("?transactionId={id}")).await, 2);
    assert_eq!(count(shop, "").await, 3);
    let live = app.key(&merchant.scope.account, Mode::Live, Generation::V2).await;
    assert_eq!(count(&live, "").await, 0);
    live.get(&format!("/v1/refunds/{refund_id}")).await.is_problem(404, "transaction_not_found");
    shop.get("/v1/refunds?status=FAILED").await.is_problem(422, "unknown_field");
    let store = &app.running().store;
    let charge = TransactionId::new(&*id);
    let row = store.transaction(&charge).await.unwrap();
    let paid_at = row.as_ref().unwrap().updated_at;
    assert!(
        paid_at < app.clock.now() - SignedDuration::from_secs(5),
        "a refund does not change when it was paid"
    );
    assert_eq!(Transaction::replay(store.events(&charge).await.unwrap()), row);
}

/// The rule is held in the database, whoever asks.
#[tokio::test(flavor = "multi_thread")]
async fn refunds_that_race_never_exceed_the_payment() {
    let app = start().await;
    let shop = app.shop().await;
    let id = charge(&app, &shop, PAYER).await;
    let all = (0..8).map(|_| refund(&shop, json!({ "transactionId": id, "amount": 3 })));
    let statuses: Vec<u16> =
        join_all(all).await.iter().map(|response| response.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 202).count(), 3, "{statuses:?}");
    assert!(statuses.iter().all(|status| [202, 409].contains(status)), "{statuses:?}");
    assert_eq!(sums(&shop, &id).await.1, json!(1.5));
    let counted =
        "SELECT refunds_counted - (SELECT CAST(sum(amount) AS BIGINT) FROM transactions WHERE \
         refund_of IS NOT NULL) FROM transactions
                   WHERE refund_of IS NULL";
    assert_eq!(app.query_number(counted), 0);
}

#[tokio::test]
async fn a_charge_that_did_not_succeed_or_is_of_somebody_else_is_not_refunded() {
    let app = start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let failed = charge(&app, &shop, "0241230002").await;
    refund(&shop, json!({ "transactionId": failed })).await.is_problem(409, "not_refundable");
    let body = json!({ "amount": 5, "phoneNumber": PAYER, "network": "MTN" });
    let payout = shop.post("/v1/payout", &body).await.is(202).id();
    refund(&shop, json!({ "transactionId": payout })).await.is_problem(409, "not_refundable");
    let paid = charge(&app, &shop, PAYER).await;
    for other in [app.shop().await, app.key(&account, Mode::Live, Generation::V2).await] {
        let other = refund(&other, json!({ "transactionId": paid })).await;
        other.is_problem(404, "transaction_not_found");
    }
    refund(&shop, json!({ "transactionId": "txn_none" }))
        .await
        .is_problem(404, "transaction_not_found");
    for (body, code) in [
        (json!({ "amount": 5 }), "field_required"),
        (json!({ "transactionId": paid, "amount": 0 }), "invalid_amount"),
        (json!({ "transactionId": paid, "method": "NATIVE" }), "invalid_parameter"),
        (json!({ "transactionId": paid, "amout": 5 }), "unknown_field"),
    ] {
        refund(&shop, body).await.is_problem(422, code);
    }
    let text = json!({ "transactionId": paid }).to_string();
    let without_key = shop.send(Method::POST, "/v1/refunds", &[], Some(&text)).await;
    without_key.is_problem(400, "idempotency_key_missing");
    // A key without the scope.
    let (key, credential) =
        SecretKey::generate(Scope { account, mode: Mode::Test }, Generation::V2, app.clock.now());
    let collect = SecretKey { scopes: KeyScopes::new(&[KeyScope::Collect]).unwrap(), ..key };
    app.running().store.add_key(collect, &app.audit()).await.unwrap();
    refund(&app.actor(&credential), json!({ "transactionId": paid }))
        .await
        .is_problem(403, "scope_missing");
    assert_eq!(
        app.query_number("SELECT count(*) FROM transactions WHERE refund_of IS NOT NULL"),
        0
    );
}

#[tokio::test]
async fn a_failed_refund_frees_its_sum_and_only_then_a_payout_may_be_asked_for() {
    let app = start().await;
    let shop = app.shop().await;
    let id = charge(&app, &shop, "0241230021").await;
    let by_payout = json!({ "transactionId": id, "method": "PAYOUT" });
    refund(&shop, by_payout.clone()).await.is_problem(409, "not_refundable");
    let failed = refund_id(&refund(&shop, json!({ "transactionId": id })).await.is(202));
    wait(&app, 3).await;
    let shown = read(&shop, &failed).await;
    assert_eq!(
        (&shown["status"], &shown["failure"]["code"]),
        (&json!("FAILED"), &json!("recipient_not_found"))
    );
    assert_eq!(sums(&shop, &id).await, (json!(0), json!(10.5)));
    let payout = refund(&shop, by_payout).await.is(202);
    assert_eq!(payout.json()["method"], "PAYOUT");
    wait(&app, 3).await;
    assert_eq!(read(&shop, &refund_id(&payout)).await["status"], "SUCCESSFUL");
    assert_eq!(sums(&shop, &id).await, (json!(10.5), json!(0)));

    let waits = charge(&app, &shop, "0241230022").await;
    let pending = refund_id(&refund(&shop, json!({ "transactionId": waits })).await.is(202));
    wait(&app, 24 * 3600).await;
    assert_eq!(read(&shop, &pending).await["status"], "PENDING", "unknown is not failed");
    assert_eq!(sums(&shop, &waits).await, (json!(0), json!(0)));
}

#[tokio::test]
async fn a_refund_above_the_approval_amount_waits_and_is_approved_refused_or_cancelled() {
    let app = start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let scope = Scope { account, mode: Mode::Test };
    let store = &app.running().store;
    let audit = app.audit();
    let above = |text: &str| Change::Set(text.parse().unwrap());
    // A native refund is no payout, so the limit of payouts does not hold for it.
    let change = ControlsChange {
        refund_approval_above: above("2"),
        limit: above("1"),
        ..ControlsChange::default()
    };
    store.set_payout_controls(&scope, change, &audit).await.unwrap();
    let id = charge(&app, &shop, PAYER).await;
    let part = |amount: f64| json!({ "transactionId": id, "amount": amount });
    assert_eq!(refund(&shop, part(2.0)).await.is(202).json()["nextAction"], "WAIT");
    let mut waiting = Vec::new();
    for _ in 0..3 {
        let waits = refund(&shop, part(2.5)).await.is(202);
        let shown = waits.json();
        assert_eq!(
            (&shown["nextAction"], &shown["method"]),
            (&json!("APPROVE_IN_DASHBOARD"), &json!(null))
        );
        waiting.push(refund_id(&waits));
    }
    assert_eq!(sums(&shop, &id).await.1, json!(1), "what waits is counted");
    let by = || "Esi".parse().unwrap();
    let decide = async |id: &str, decision| {
        let decisions = app.running().payouts.decisions.clone();
        decisions
            .about_payout(&TransactionId::new(id), decision, Some(&audit), app.clock.now())
            .await
            .unwrap()
    };
    decide(&waiting[0], PayoutDecision::Approve { by: by() }).await;
    decide(&waiting[1], PayoutDecision::Refuse { by: by(), note: "not ours".parse().unwrap() })
        .await;
    for _ in 0..2 {
        assert_eq!(cancel(&shop, &waiting[2]).await.is(200).json()["failure"]["code"], "cancelled");
    }
    shop.send(Method::POST, &format!("/v1/payouts/{}/cancel", waiting[0]), &[], None).await.is(404);
    wait(&app, 3).await;
    wait(&app, 3).await;
    let approved = read(&shop, &waiting[0]).await;
    assert_eq!(
        (&approved["status"], &approved["method"]),
        (&json!("SUCCESSFUL"), &json!("NATIVE"))
    );
    assert_eq!(read(&shop, &waiting[1]).await["failure"]["code"], "approval_refused");
    assert_eq!(sums(&shop, &id).await, (json!(4.5), json!(6)));
}
