use serde_json::{Value, json};
use tua_domain::{Generation, Mode, ports::Clock};
use tua_test_support::tariffs::app_with_tariffs;
use tua_test_support::{ApiClient, TestApp, live_operators::LiveOperators};

fn body(amount: f64, network: &str, kind: &str) -> Value {
    json!({ "amount": amount, "network": network, "type": kind })
}

async fn quote(actor: &ApiClient, amount: f64, network: &str, kind: &str) -> Value {
    actor.post("/v1/quote", &body(amount, network, kind)).await.is(200).json()
}

/// `fee`, `payerPays` and `merchantReceives` of a quote.
fn price(quote: &Value) -> [Value; 3] {
    ["fee", "payerPays", "merchantReceives"].map(|member| quote[member].clone())
}

#[tokio::test]
async fn a_key_sees_the_fee_and_who_bears_it() {
    let app = app_with_tariffs().await;
    let shop = app.shop().await;
    for (amount, network, kind, expected) in [
        (120.0, "MTN", "CHARGE", [json!(1.2), json!(121.2), json!(120)]),
        (10.5, "MTN", "CHARGE", [json!(1), json!(11.5), json!(10.5)]),
        (120.0, "TELECEL", "CHARGE", [json!(2.4), json!(120), json!(117.6)]),
        (120.0, "AIRTELTIGO", "CHARGE", [Value::Null, json!(120), Value::Null]),
        (5.0, "AIRTELTIGO", "PAYOUT", [json!(0.5), json!(5), Value::Null]),
    ] {
        let answer = shop.post("/v1/quote", &body(amount, network, kind)).await.is(200);
        let found = answer.json();
        assert_eq!(price(&found), expected, "{amount} {network} {kind}");
        assert_eq!((&found["network"], &found["type"]), (&json!(network), &json!(kind)));
        assert_eq!(
            (&found["operator"], &found["min"]),
            (&Value::Null, &json!(0.01)),
            "the sandbox"
        );
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    let found = quote(&shop, 120.0, "MTN", "CHARGE").await;
    let until: jiff::Timestamp = found["expiresAt"].as_str().unwrap().parse().unwrap();
    let left = until.duration_since(app.clock.now()).as_secs();
    assert!((290..=300).contains(&left), "valid for 5 minutes: {left} s");
    let largest = body(1_000_000_000.0, "MTN", "CHARGE");
    shop.post("/v1/quote", &largest).await.is_problem(422, "amount_out_of_range");
    assert_eq!(app.query_number("SELECT count(*) FROM transactions"), 0, "a quote begins nothing");
}

#[tokio::test]
async fn a_token_sees_what_its_payer_pays_and_nothing_of_the_merchants_fees() {
    let app = app_with_tariffs().await;
    let payer = app.payer(&app.shop().await).await;
    let asked = async |body: Value| payer.post("/v1/quote", &body).await;
    for sent in [json!({ "network": "MTN" }), body(10.5, "MTN", "CHARGE")] {
        let found = asked(sent).await.is(200).json();
        assert_eq!(price(&found), [json!(1), json!(11.5), Value::Null]);
        assert_eq!(found["amount"], json!(10.5));
    }
    let found = asked(json!({ "network": "TELECEL" })).await.is(200).json();
    assert_eq!(price(&found), [Value::Null, json!(10.5), Value::Null], "the merchant bears it");
    asked(body(10.4, "MTN", "CHARGE")).await.is_problem(422, "amount_mismatch");
    asked(body(10.5, "MTN", "PAYOUT")).await.is_problem(422, "field_not_allowed");
    let refused =
        asked(json!({ "network": "VODAFONE", "type": "GIFT", "amount": 1, "phone": "0" })).await;
    let faults = refused.is_problem(422, "validation_failed").json();
    let pointers: Vec<_> =
        faults["errors"].as_array().unwrap().iter().map(|fault| &fault["pointer"]).collect();
    assert_eq!(pointers, ["/network", "/type", "/amount", "/phone"]);
}

#[tokio::test]
async fn the_type_of_a_quote_decides_which_scope_a_key_needs() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let key =
        async |scopes: &str| tua_test_support::key_scopes::key_of(&app, &account, scopes).await;
    let collect = key("collect").await;
    let payout = key("payout").await;
    quote(&collect, 1.0, "MTN", "CHARGE").await;
    quote(&payout, 1.0, "MTN", "PAYOUT").await;
    for (actor, kind, needed) in [(&collect, "PAYOUT", "payout"), (&payout, "CHARGE", "collect")] {
        let refused =
            actor.post("/v1/quote", &body(1.0, "MTN", kind)).await.is_problem(403, "scope_missing");
        assert!(
            refused.json()["detail"].as_str().unwrap().contains(&format!("the scope {needed}."))
        );
    }
    let old = app.key(&account, Mode::Test, Generation::V1).await;
    old.post("/v1/quote", &body(1.0, "MTN", "CHARGE"))
        .await
        .is_problem(403, "credential_not_allowed");
}

#[tokio::test]
async fn the_operator_and_its_limits_are_those_that_a_payment_would_meet_now() {
    let tariff =
        "[[operators.mtn.tariffs]]\ndirection = \"charge\"\npercent = \"1.95\"\nbearer = \"payer\"";
    let live = LiveOperators::with(&format!("MTN = [\"mtn\"]\n{tariff}")).await;
    let found = quote(&live.shop, 120.0, "MTN", "CHARGE").await;
    assert_eq!(
        (&found["operator"], price(&found)),
        (&json!("mtn"), [json!(2.34), json!(122.34), json!(120)])
    );
    let max = found["max"].as_f64().unwrap();
    let beyond = live.shop.post("/v1/quote", &body(max, "MTN", "CHARGE")).await;
    beyond.is_problem(422, "amount_out_of_range");
    let closed = live.shop.post("/v1/quote", &body(1.0, "TELECEL", "CHARGE")).await;
    closed.is_problem(503, "network_unavailable");
}
