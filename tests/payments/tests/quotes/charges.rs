use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use tua_contract::{Amount, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{Receipt, Report},
    reporting::{ReportFilter, Search},
};
use tua_test_support::tariffs::{app_with_tariffs, tariffs};
use tua_test_support::{
    ApiClient, TestApp, live_operators::LiveOperators, refunds::refund,
    scripted_operator::ScriptedOperator,
};
use tua_use_cases::verify_ledger;

fn charge_of(amount: f64, network: &str, payer_pays: Option<f64>) -> Value {
    json!({
        "amount": amount,
        "phoneNumber": "0241234567",
        "network": network,
        "payerPays": payer_pays,
    })
}

/// A charge without an idempotency key.
async fn charge(actor: &ApiClient, body: Value) -> tua_test_support::Response {
    actor.post("/v1/charge", &body).await
}

#[tokio::test]
async fn a_charge_carries_what_the_payer_pays() {
    let app = app_with_tariffs().await;
    let shop = app.shop().await;
    for (network, payer_pays) in
        [("MTN", json!(121.2)), ("TELECEL", json!(120)), ("AIRTELTIGO", json!(120))]
    {
        let begun = charge(&shop, charge_of(120.0, network, None)).await.is(202).json();
        assert_eq!(
            (&begun["amount"], &begun["payerPays"]),
            (&json!(120), &payer_pays),
            "{network}"
        );
        let seen =
            charge(&shop, charge_of(120.0, network, payer_pays.as_f64())).await.is(202).json();
        assert_eq!(seen["payerPays"], payer_pays);
    }
    let sandboxed = "SELECT count(*) FROM sandbox_orders WHERE amount = 12120";
    assert_eq!(app.query_number(sandboxed), 2, "the operator is asked for both together");
    let listed = shop.get("/v1/transactions?network=MTN").await.is(200).json();
    let id = TransactionId::new(listed["data"][0]["transactionId"].as_str().unwrap());
    let store = &app.running().store;
    let scope = store.transaction(&id).await.unwrap().unwrap().order.scope.clone();
    for (typed, payments) in [("GHS 121.20", 2), ("120", 6), ("121", 0)] {
        let filter = ReportFilter { search: Search::parse(typed), ..ReportFilter::default() };
        assert_eq!(
            store.report_totals(&scope, &filter).await.unwrap().payments(),
            payments,
            "{typed}"
        );
    }
    assert_eq!(listed["data"][0]["payerPays"], json!(121.2));
    let expected = "SELECT CAST(sum(expected_fee) AS BIGINT) FROM transactions";
    assert_eq!(app.query_number(expected), 2 * 120 + 2 * 240, "the tariff's fee is kept with each");
    let payout = shop
        .post("/v1/payout", &json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" }))
        .await;
    assert_eq!(payout.is(202).json()["payerPays"], json!(5));
    assert_eq!(app.query_number(expected), 2 * 120 + 2 * 240 + 50);
    let refused =
        json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN", "payerPays": 5 });
    shop.post("/v1/payout", &refused).await.is_problem(422, "unknown_field");
}

#[tokio::test]
async fn another_sum_than_now_is_refused_and_leaves_no_trace() {
    let app = app_with_tariffs().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let body = |payer_pays: f64| {
        json!({
            "phoneNumber": "0241234567",
            "network": "MTN",
            "payerPays": payer_pays,
        })
    };
    for (actor, sent) in
        [(&payer, body(10.5)), (&payer, body(11.49)), (&shop, charge_of(10.5, "MTN", Some(10.5)))]
    {
        let refused = actor
            .send(Method::POST, "/v1/charge", &[("idempotency-key", "1")], Some(&sent.to_string()))
            .await;
        let refused = refused.is_problem(422, "quote_changed").json();
        assert_eq!(refused["errors"][0]["pointer"], "/payerPays");
        assert!(refused["detail"].as_str().unwrap().contains("GHS 11.5 now"), "{refused}");
    }
    assert_eq!(app.query_number("SELECT count(*) FROM transactions"), 0);
    assert_eq!(app.query_number("SELECT count(*) FROM attempts"), 0, "a refusal keeps no key");
    assert_eq!(payer.get("/v1/checkout").await.is(200).json()["attemptsLeft"], 5);
    // The key was not used up, and another sum is another request.
    let send = async |sent: Value| {
        payer
            .send(Method::POST, "/v1/charge", &[("idempotency-key", "1")], Some(&sent.to_string()))
            .await
    };
    let begun = send(body(11.5)).await.is(202).json();
    assert_eq!((&begun["amount"], &begun["payerPays"]), (&json!(10.5), &json!(11.5)));
    assert_eq!(
        send(body(11.50)).await.is(202).json()["transactionId"],
        begun["transactionId"],
        "a replay"
    );
    send(body(10.5)).await.is_problem(422, "idempotency_key_reused");
    for sum in ["0", "-1", "\"11.5\"", "11.505"] {
        let sent = format!(r#"{{"phoneNumber":"0241234567","network":"MTN","payerPays":{sum}}}"#);
        let code = if sum.starts_with('"') { "invalid_type" } else { "invalid_amount" };
        let refused = payer.post_text("/v1/charge", &sent).await.is_problem(422, code).json();
        assert_eq!(refused["errors"][0]["pointer"], "/payerPays", "{sum}");
    }
}

/// A service with tariffs, whose operator reports that this sum was paid.
async fn paid_with(pesewas: i64) -> (TestApp, ApiClient) {
    let receipt = Receipt::of(Amount::from_pesewas(pesewas).unwrap());
    let report = Report::new(Observation::Succeeded).with_receipt(receipt);
    let operator = Arc::new(ScriptedOperator::new().responds(move |_| Some(report.clone().into())));
    let app =
        TestApp::with(|config| config.sandbox_tariffs = tariffs(), operator.behind_test()).await;
    let shop = app.shop().await;
    (app, shop)
}

#[tokio::test]
async fn the_operators_report_is_compared_with_what_the_payer_pays() {
    for (pesewas, status) in [(1150, "SUCCESSFUL"), (1050, "PENDING")] {
        let (app, shop) = paid_with(pesewas).await;
        let paid = charge(&shop, charge_of(10.5, "MTN", None)).await.is(202).json();
        assert_eq!(paid["status"], status, "{pesewas}");
        let verification = verify_ledger(app.running().store.as_ref()).await.unwrap();
        assert_eq!((verification.transactions, verification.faults), (1, 0));
        if status == "SUCCESSFUL" {
            assert_eq!((&paid["refundableAmount"], &paid["amount"]), (&json!(10.5), &json!(10.5)));
            let earned =
                "SELECT CAST(sum(operator_float) - sum(merchant) AS BIGINT) FROM ledger_entries";
            assert_eq!(app.query_number(earned), 2 * 1050, "the operator keeps the payer's fee");
            let id = &paid["transactionId"];
            let all = refund(&shop, json!({ "transactionId": id, "amount": 11.5 })).await;
            all.is_problem(409, "refund_exceeds_payment");
        }
    }
}

#[tokio::test]
async fn every_connector_asks_for_what_the_payer_pays() {
    let tariff = |name: &str| {
        format!(
            "[[operators.{name}.tariffs]]\ndirection = \"charge\"\nfixed = \"0.35\"\n\
             bearer = \"payer\"\n"
        )
    };
    for [first, second] in [["mtn", "paystack"], ["pawapay", "hubtel"]] {
        let routes = format!("MTN = [\"{first}\"]\nAIRTELTIGO = [\"{second}\"]\n");
        let live = LiveOperators::with(&[routes, tariff(first), tariff(second)].concat()).await;
        for (name, network) in [(first, "MTN"), (second, "AIRTELTIGO")] {
            let paid = live.charge_to_the_end("0241234567", network).await;
            let sums = (&paid["status"], &paid["amount"], &paid["payerPays"]);
            assert_eq!(sums, (&json!("SUCCESSFUL"), &json!(10.5), &json!(10.85)), "{name}: {paid}");
            let order = live.orders().remove(paid["transactionId"].as_str().unwrap()).unwrap();
            assert_eq!(order.amount.to_string(), "10.85", "{name}");
        }
        let verification = verify_ledger(live.app.running().store.as_ref()).await.unwrap();
        assert_eq!((verification.transactions, verification.faults), (2, 0));
    }
}
