//! Batches of payouts: requests, faults, warnings and repetitions
//! (docs/reference/payouts.md#batches).

use serde_json::{Value, json};
use std::sync::Arc;
use tua_domain::{Generation, Mode};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
    failing_plan::{Fault, Moment, Plan},
    key_scopes::key_of,
    payout_batches::{batch_id, batch_of, begin, begin_with, cancel, line, lines, outcomes, read},
    payout_controls::Merchant,
    scripted_operator::ScriptedOperator,
};

const DAY: u64 = 86_400;

#[tokio::test]
async fn every_fault_of_every_payout_is_reported_and_none_is_begun() {
    let merchant = Merchant::start().await;
    let mut body = batch_of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    body["payouts"][1]["amount"] = json!(0);
    body["payouts"][3] = json!("0241234567");
    body["payouts"][5] =
        json!({ "amount": "5", "phoneNumber": "241234567", "currency": "USD", "nonsense": 1 });
    body["reference"] = json!("");
    body["approve"] = json!(true);
    let refused = begin(&merchant.shop, &body).await.is_problem(422, "validation_failed").json();
    let faults: Vec<(&str, &str)> = refused["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["pointer"].as_str().unwrap(), fault["code"].as_str().unwrap()))
        .collect();
    let expected = [
        ("/reference", "invalid_text"),
        ("/approve", "unknown_field"),
        ("/payouts/1/amount", "invalid_amount"),
        ("/payouts/3", "invalid_type"),
        ("/payouts/5/amount", "invalid_type"),
        ("/payouts/5/phoneNumber", "invalid_phone_number"),
        ("/payouts/5/network", "field_required"),
        ("/payouts/5/currency", "unsupported_currency"),
        ("/payouts/5/nonsense", "unknown_field"),
    ];
    assert_eq!(faults, expected, "{refused:#}");
    let one = json!({ "payouts": [line(1, 1.0), line(2, 0.001)] });
    begin(&merchant.shop, &one).await.is_problem(422, "invalid_amount");
    for (body, code) in [
        (json!({}), "field_required"),
        (json!({ "payouts": {} }), "invalid_type"),
        (json!({ "payouts": [] }), "field_required"),
        (batch_of(&vec![1.0; 1001]), "too_long"),
    ] {
        begin(&merchant.shop, &body).await.is_problem(422, code);
    }
    for table in ["transactions", "payout_batches", "attempts", "webhook_deliveries"] {
        assert_eq!(
            merchant.app.query_number(&format!("SELECT count(*) FROM {table}")),
            0,
            "{table}"
        );
    }
}

#[tokio::test]
async fn a_batch_has_up_to_1000_payouts_and_1_mib() {
    let merchant = Merchant::start().await;
    let body = batch_of(&vec![0.01; 1000]);
    assert!(body.to_string().len() > 32 << 10);
    let begun = begin(&merchant.shop, &body).await.is(202).json();
    assert_eq!(
        (&begun["count"], &begun["total"], &begun["status"]),
        (&json!(1000), &json!(10), &json!("PENDING"))
    );
    let mut large = batch_of(&[1.0]);
    large["reference"] = "r".repeat(1 << 20).into();
    begin(&merchant.shop, &large).await.is_problem(413, "body_too_large");
    let single = json!({
        "amount": 1,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "payeeNote": "n".repeat(32 << 10),
    });
    merchant.shop.post("/v1/payout", &single).await.is_problem(413, "body_too_large");
}

#[tokio::test]
async fn each_payout_of_a_batch_is_sent_once_and_a_repetition_gets_the_first_response() {
    let merchant = Merchant::start().await;
    let mut body = batch_of(&[1.0, 2.5, 3.25]);
    body["reference"] = json!("salaries");
    body["payouts"][1]["reference"] = json!("ama");
    let first = begin_with(&merchant.shop, "november", &body).await.is(202);
    let begun = first.json();
    assert_eq!(
        (&begun["total"], &begun["reference"], &begun["currency"]),
        (&json!(6.75), &json!("salaries"), &json!("GHS"))
    );
    assert_eq!(begun["warnings"], json!([]));
    let ids = lines(&begun);
    for (index, line) in begun["payouts"].as_array().unwrap().iter().enumerate() {
        assert_eq!(
            (line["amount"].as_f64(), &line["status"]),
            (body["payouts"][index]["amount"].as_f64(), &json!("PENDING"))
        );
        assert_eq!(
            (&line["batchId"], &line["phoneNumber"]),
            (&begun["batchId"], &body["payouts"][index]["phoneNumber"])
        );
        assert!(line["message"].is_string());
    }
    assert!(begun["payouts"][0]["reference"].as_str().unwrap().starts_with("TUA-"));
    assert_eq!(begun["payouts"][1]["reference"], "ama");
    assert_eq!(merchant.operator.count("send"), 0, "the worker sends them");

    merchant.wait(1).await;
    assert_eq!(merchant.operator.each("send"), [1, 1, 1]);
    let id = batch_id(&first);
    let now = read(&merchant.shop, &id).await;
    assert_eq!((&now["status"], outcomes(&now)), (&json!("COMPLETED"), vec!["SUCCESSFUL"; 3]));
    for id in &ids {
        assert_eq!(merchant.outcome(id).await.0, "SUCCESSFUL");
    }

    let again = begin_with(&merchant.shop, "november", &body).await.is(202);
    assert_eq!((again.json(), again.header("idempotency-replayed")), (begun, "true"));
    let other = batch_of(&[1.0, 2.5]);
    begin_with(&merchant.shop, "november", &other).await.is_problem(422, "idempotency_key_reused");
    merchant
        .shop
        .post("/v1/payouts/batches", &body)
        .await
        .is_problem(400, "idempotency_key_missing");
    merchant.wait(1).await;
    assert_eq!(merchant.operator.count("send"), 3);
    // Its key is kept for 7 days after its last payout has ended.
    merchant.wait(6 * DAY).await;
    begin_with(&merchant.shop, "november", &other).await.is_problem(422, "idempotency_key_reused");
    merchant.wait(2 * DAY).await;
    begin_with(&merchant.shop, "november", &other).await.is(202);
}

#[tokio::test]
async fn repeats_in_the_batch_and_of_the_last_seven_days_are_warnings() {
    let merchant = Merchant::start().await;
    let single = merchant.shop.post("/v1/payout", &line(1, 5.0)).await.is(202).id();
    merchant.wait(7 * DAY - 60).await;
    let body = json!({
        "payouts": [line(1, 5.0), line(2, 5.0), line(1, 5.01), line(2, 5.0), line(1, 5.0)],
    });
    let begun = begin(&merchant.shop, &body).await.is(202).json();
    let ids = lines(&begun);
    let warning = |index: usize, earlier: &str| {
        json!({
            "pointer": format!("/payouts/{index}"),
            "code": "repeated_payout",
            "transactionId": earlier,
        })
    };
    assert_eq!(
        begun["warnings"],
        json!([warning(0, &single), warning(3, &ids[1]), warning(4, &ids[0])])
    );
    assert_eq!(
        read(&merchant.shop, begun["batchId"].as_str().unwrap()).await["warnings"],
        begun["warnings"]
    );

    // Seven days later the first payout does not count any more, and one that failed never does.
    merchant.wait(60).await;
    let later = begin(&merchant.shop, &json!({ "payouts": [line(1, 5.0)] })).await.is(202).json();
    assert_eq!(later["warnings"], json!([warning(0, &ids[4])]));
    let cancelled = begin(&merchant.shop, &json!({ "payouts": [line(3, 9.0)] })).await.is(202);
    cancel(&merchant.shop, &batch_id(&cancelled)).await.is(200);
    let again = begin(&merchant.shop, &json!({ "payouts": [line(3, 9.0)] })).await.is(202).json();
    assert_eq!(again["warnings"], json!([]));
}

/// Each query looks for a hundred phones.
#[tokio::test]
async fn repeats_are_found_among_hundreds_of_phones() {
    let merchant = Merchant::start().await;
    let body = batch_of(&[1.0; 250]);
    let first = begin(&merchant.shop, &body).await.is(202).json();
    let second = begin(&merchant.shop, &body).await.is(202).json();
    let warning = |(index, earlier): (usize, String)| {
        json!({
            "pointer": format!("/payouts/{index}"),
            "code": "repeated_payout",
            "transactionId": earlier,
        })
    };
    let expected: Vec<Value> = lines(&first).into_iter().enumerate().map(warning).collect();
    assert_eq!(second["warnings"], json!(expected));
}

#[tokio::test]
async fn a_batch_belongs_to_its_account_and_mode_and_needs_the_scope_payout() {
    let merchant = Merchant::start().await;
    let body = batch_of(&[1.0, 2.0]);
    let id = batch_id(&begin(&merchant.shop, &body).await.is(202));
    let account = merchant.scope().account.clone();
    let path = format!("/v1/payouts/batches/{id}");
    let live = merchant.app.key(&account, Mode::Live, Generation::V2).await;
    for stranger in [&merchant.app.shop().await, &live] {
        stranger.get(&path).await.is_problem(404, "not_found");
        cancel(stranger, &id).await.is_problem(404, "not_found");
    }
    begin(&live, &body).await.is_problem(503, "network_unavailable");
    merchant.shop.get("/v1/payouts/batches/bat_0").await.is_problem(404, "not_found");
    merchant.shop.get("/v1/payouts/batches/%00").await.is_problem(404, "not_found");
    let v1 = merchant.app.key(&account, Mode::Test, Generation::V1).await;
    begin(&v1, &body).await.is_problem(403, "credential_not_allowed");
    let others = key_of(&merchant.app, &account, "collect,refund,read,webhooks").await;
    begin(&others, &body).await.is_problem(403, "scope_missing");
    cancel(&others, &id).await.is_problem(403, "scope_missing");
    merchant.shop.get("/v1/payouts/batches").await.is_problem(405, "method_not_allowed");

    let listed = merchant.shop.get(&format!("/v1/transactions?batchId={id}")).await.is(200).json();
    let found: Vec<&Value> =
        listed["data"].as_array().unwrap().iter().map(|one| &one["batchId"]).collect();
    assert_eq!(found, [&json!(id), &json!(id)]);
    let none = merchant.shop.get("/v1/transactions?batchId=bat_0").await.is(200).json();
    assert_eq!(none["data"], json!([]));
}

#[tokio::test]
async fn a_batch_whose_response_is_lost_is_not_begun_twice() {
    for moment in [Moment::Before, Moment::After] {
        let plan = Plan::default();
        let operator = Arc::new(ScriptedOperator::new());
        let app =
            TestApp::with_store(OffsetClock::stopped(), |_| {}, operator.behind_test(), &plan)
                .await;
        app.test_clock.wait_for_workers().await;
        let shop = app.shop().await;
        plan.begin(Some(Fault { method: Some("begin_batch"), moment, times: 1 }));
        let body = batch_of(&[1.0, 2.0]);
        begin_with(&shop, "november", &body).await.is_problem(503, "service_unavailable");
        let begun = begin_with(&shop, "november", &body).await.is(202).json();
        assert_eq!(begin_with(&shop, "november", &body).await.is(202).json(), begun);
        assert_eq!(app.query_number("SELECT count(*) FROM payout_batches"), 1);
        assert_eq!(app.query_number("SELECT count(*) FROM transactions"), 2);
    }
}
