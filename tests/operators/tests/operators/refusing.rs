//! An operator that refuses every order of a network for a reason that no payer can change, such as
//! its credentials (docs/reference/operators.md#circuit-breakers).

use futures_util::future::join_all;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tua_contract::{FailureCode, Network, lifecycle::Observation};
use tua_domain::{
    Generation, Kind, Mode,
    ports::{FailureScope, Report, StatusResponse},
    routing::BreakerScope,
};
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{
    TestApp, eventually, live_operators::LiveOperators, refunds::refund,
    scripted_operator::ScriptedOperator,
};

/// How often a network must be refused in a row.
const IN_A_ROW: usize = 5;

async fn services(live: &LiveOperators, network: usize) -> (Value, Value) {
    let networks = live.shop.get("/v1/networks").await.is(200).json();
    let service = &networks["data"][network];
    (service["charge"]["status"].clone(), service["payout"]["status"].clone())
}

/// Charges until one is refused so often that the network should be down.
async fn refuse(live: &LiveOperators, network: &str) {
    for _ in 0..IN_A_ROW {
        let charge = live.charge_to_the_end("0241234567", network).await;
        assert_eq!(charge["status"], "FAILED", "{charge}");
    }
}

#[tokio::test]
async fn a_network_whose_every_charge_is_refused_goes_to_the_next_operator_or_is_down() {
    let live =
        LiveOperators::with("MTN = [\"pawapay\"]\nTELECEL = [\"pawapay\", \"paystack\"]\n").await;
    live.emulator.chaos().set(
        Operator::PAWAPAY,
        Call::Send,
        Fault::Refusal("DEPOSITS_NOT_ALLOWED"),
    );
    refuse(&live, "TELECEL").await;
    assert_eq!(
        services(&live, 1).await,
        (json!("DEGRADED"), json!("OPERATIONAL")),
        "a later choice works"
    );
    assert_eq!(services(&live, 0).await.0, json!("OPERATIONAL"), "another network");
    assert_eq!(live.charge("0201234567", "TELECEL").await.is(202).json()["operator"], "paystack");

    refuse(&live, "MTN").await;
    assert_eq!(services(&live, 0).await, (json!("DOWN"), json!("OPERATIONAL")));
    live.charge("0241234567", "MTN").await.is_problem(503, "network_unavailable");
    // The payer is told before the number is typed.
    let payer = live.app.payer(&live.shop).await;
    let told = payer.get("/v1/networks").await.is(200).json();
    assert_eq!(told["data"][0]["charge"]["status"], "DOWN");
    // A payout of the same network is not withheld.
    assert_eq!(live.pay_out_to_the_end("0241234567", "MTN").await["status"], "SUCCESSFUL");

    // A read of the balance does not show that charges are taken: the next refusal is one too many.
    live.app.advance(31);
    let is_tried = async || services(&live, 0).await.0 == json!("DEGRADED");
    eventually("charges are tried again", is_tried).await;
    live.charge_to_the_end("0241234567", "MTN").await;
    assert_eq!(services(&live, 0).await.0, json!("DOWN"));
    live.emulator.chaos().clear();
    live.app.advance(61);
    eventually("charges are tried again, later", is_tried).await;
    assert_eq!(live.charge_to_the_end("0241234567", "MTN").await["status"], "SUCCESSFUL");
    assert_eq!(services(&live, 0).await.0, json!("OPERATIONAL"));
}

#[tokio::test]
async fn reasons_of_the_account_count_at_every_operator_and_reasons_of_a_payer_or_request_never() {
    let cases = [
        ("mtn", Operator::MTN_MOMO, "FORBIDDEN_IP", "BAD_REQUEST"),
        ("pawapay", Operator::PAWAPAY, "HTTP_SIGNATURE_ERROR", "INVALID_PARAMETER"),
        ("paystack", Operator::PAYSTACK, "invalid_Key", "invalid_params"),
        ("hubtel", Operator::HUBTEL, "4103", "4070"),
    ];
    join_all(cases.map(async |(name, operator, refusal, of_request)| {
        let live = LiveOperators::routed_to(name).await;
        for _ in 0..=IN_A_ROW {
            let charge = live.charge_to_the_end("0241230001", "MTN").await;
            assert_eq!(charge["failure"]["code"], "insufficient_funds", "{name}: {charge}");
        }
        live.emulator.chaos().set(operator, Call::Send, Fault::Refusal(of_request));
        for _ in 0..=IN_A_ROW {
            let charge = live.charge_to_the_end("0241234567", "MTN").await;
            assert_eq!(charge["status"], "FAILED", "{name}");
        }
        assert_eq!(services(&live, 0).await.0, json!("OPERATIONAL"), "{name}");
        live.emulator.chaos().clear();
        live.emulator.chaos().set(operator, Call::Send, Fault::Refusal(refusal));
        refuse(&live, "MTN").await;
        assert_eq!(services(&live, 0).await.0, json!("DOWN"), "{name}");
    }))
    .await;
}

#[tokio::test]
async fn numbers_that_do_not_exist_never_open_a_breaker_although_mtn_answers_them_with_500() {
    let live = LiveOperators::routed_to("mtn").await;
    live.emulator.chaos().set(Operator::MTN_MOMO, Call::Send, Fault::Refusal("PAYER_NOT_FOUND"));
    for _ in 0..=IN_A_ROW {
        live.charge("0241234567", "MTN").await.is(202);
    }
    assert_eq!(services(&live, 0).await.0, json!("OPERATIONAL"));
}

#[tokio::test]
async fn payouts_that_are_refused_withhold_neither_charges_nor_the_operators_own_refunds() {
    let live = LiveOperators::routed_to("pawapay").await;
    let paid = live.charge_to_the_end("0241234567", "MTN").await;
    live.emulator.chaos().set(
        Operator::PAWAPAY,
        Call::Payout,
        Fault::Refusal("PAYOUTS_NOT_ALLOWED"),
    );
    for _ in 0..IN_A_ROW {
        assert_eq!(
            live.pay_out_to_the_end("0241234567", "MTN").await["failure"]["code"],
            "network_unavailable"
        );
    }
    assert_eq!(services(&live, 0).await, (json!("OPERATIONAL"), json!("DOWN")));
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    live.shop.post("/v1/payout", &body).await.is_problem(503, "network_unavailable");
    let begun = refund(&live.shop, json!({ "transactionId": paid["transactionId"] })).await.is(202);
    assert_eq!(begun.json()["method"], "NATIVE");
    // At once, not when payouts are tried again after half a minute.
    let refunds = || live.emulator.requests().of_call(Operator::PAWAPAY, Call::Refund);
    let sending = eventually("the refund is sent", async || refunds() == 1);
    tokio::time::timeout(Duration::from_secs(10), sending).await.expect("it is not withheld");
}

#[tokio::test]
async fn an_order_that_is_refused_each_time_it_is_sent_counts_once() {
    let refused = || Report::new(Observation::Ambiguous).with_failure_scope(FailureScope::Network);
    let operator = ScriptedOperator::new()
        .responds(move |_| Some(refused().into()))
        .asks(|_| Some(StatusResponse::NeverReceived));
    let operator = Arc::new(operator);
    let app = TestApp::with_stopped_clock(operator.behind_live()).await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    shop.post("/v1/charge", &body).await.is(202);
    // It is asked about after 10 seconds, and sent again after 30, 70, 130 and 430.
    for gap in [10, 20, 40, 60, 300] {
        app.advance(gap);
        app.wait_for_due_work().await;
    }
    assert_eq!(operator.count("send"), IN_A_ROW);
    let networks = shop.get("/v1/networks").await.is(200).json();
    assert_eq!(networks["data"][0]["charge"]["status"], "OPERATIONAL", "{networks}");
}

/// Some operators take every order, and refuse it in its status.
#[tokio::test]
async fn orders_that_are_refused_in_their_status_count_too() {
    let refused = || {
        Report::new(Observation::Failed(FailureCode::OperatorRefused))
            .with_failure_scope(FailureScope::Network)
    };
    let operator =
        Arc::new(ScriptedOperator::new().asks(move |_| Some(StatusResponse::Known(refused()))));
    let app = TestApp::with_stopped_clock(operator.behind_live()).await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    app.test_clock.wait_for_workers().await;
    for index in 0..IN_A_ROW {
        let body =
            json!({ "amount": 10.5, "phoneNumber": format!("024123456{index}"), "network": "MTN" });
        let id = shop.post("/v1/charge", &body).await.is(202).id();
        // On PostgreSQL the worker passes over a row that is being written, and looks again later.
        eventually("the order has failed", async || {
            app.advance(11);
            app.wait_for_due_work().await;
            shop.status(&id).await["status"] == "FAILED"
        })
        .await;
    }
    let networks = shop.get("/v1/networks").await.is(200).json();
    assert_eq!(networks["data"][0]["charge"]["status"], "DOWN", "{networks}");
    let entry = &app.running().gateway.operators.entries()[0];
    let scope = BreakerScope { kind: Kind::Charge, network: Some(Network::Mtn) };
    assert_eq!(
        entry.retry_refused(),
        [scope],
        "a check that finds no fault lets orders pass again"
    );
    let networks = shop.get("/v1/networks").await.is(200).json();
    assert_eq!(networks["data"][0]["charge"]["status"], "DEGRADED", "{networks}");
}
