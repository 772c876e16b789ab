//! Networks that end by the settings alone: retired, or sent as another network.

use reqwest::Method;
use serde_json::{Value, json};
use tua_config::Config;
use tua_contract::Network;
use tua_domain::{
    TransactionId,
    change::Change,
    payout_controls::ControlsChange,
    ports::Clock,
    routing::{EndedNetworks, NetworkEnd},
};
use tua_emulator::{Decision, Operator};
use tua_test_support::{
    TestApp, eventually, live_operators::LiveOperators, payout_batches::begin,
    payout_controls::approval,
};

const PAWAPAY: &str = "MTN = [\"pawapay\"]\nTELECEL = [\"pawapay\"]\nAIRTELTIGO = [\"pawapay\"]\n";

fn ending(networks: &'static str) -> impl Fn(&str) -> String {
    move |toml| format!("{toml}\n[networks]\n{networks}\n")
}

fn of_network(listed: &Value, network: &str) -> Value {
    listed.as_array().unwrap().iter().find(|one| one["network"] == network).unwrap().clone()
}

/// The bodies that an operator was sent about a payment.
async fn sent(live: &LiveOperators, id: &str) -> Vec<String> {
    let kept = live.app.running().store.exchanges(&TransactionId::new(id)).await.unwrap();
    kept.into_iter().filter_map(|exchange| exchange.request).collect()
}

async fn approve_and_wait(live: &LiveOperators, id: &str) {
    let reference = live.orders()[id].reference.clone();
    live.emulator.decide(Operator::PAWAPAY, &reference, Decision::Approve).unwrap();
    eventually("the payment is paid", async || {
        live.app.advance(60);
        live.shop.status(id).await["status"] == "SUCCESSFUL"
    })
    .await;
}

#[tokio::test]
async fn a_retired_network_takes_no_new_payments_and_finishes_its_own() {
    let mut live = LiveOperators::with(PAWAPAY).await;
    let pending = live.charge("0261230007", "AIRTELTIGO").await.is(202).id();
    live.reconfigure(ending("AIRTELTIGO = \"retired\"")).await;

    let listed =
        of_network(&live.shop.get("/v1/networks").await.is(200).json()["data"], "AIRTELTIGO");
    let down = json!({ "status": "DOWN", "min": null, "max": null });
    let expected = json!({
        "network": "AIRTELTIGO",
        "ended": true,
        "movedTo": null,
        "charge": down.clone(),
        "payout": down,
    });
    assert_eq!(listed, expected);

    let payment = json!({ "amount": 1, "phoneNumber": "0261234567", "network": "AIRTELTIGO" });
    for path in ["/v1/charge", "/v1/payout"] {
        let refused =
            live.shop.post(path, &payment).await.is_problem(422, "unsupported_network").json();
        assert_eq!(refused["errors"][0]["pointer"], "/network", "{path}");
        let detail = refused["errors"][0]["detail"].as_str().unwrap();
        assert!(
            detail.contains("AIRTELTIGO has ended") && detail.contains("No money moved"),
            "{detail}"
        );
    }
    let quote = json!({ "amount": 1, "network": "AIRTELTIGO", "type": "CHARGE" });
    live.shop.post("/v1/quote", &quote).await.is_problem(422, "unsupported_network");
    let mtn = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
    let batch = json!({ "payouts": [mtn, payment] }).to_string();
    let sent = live
        .shop
        .send(Method::POST, "/v1/payouts/batches", &[("idempotency-key", "k")], Some(&batch))
        .await;
    assert_eq!(
        sent.is_problem(422, "unsupported_network").json()["errors"][0]["pointer"],
        "/payouts/1/network"
    );

    // A number goes on with the network that its owner names.
    live.charge("0261234567", "TELECEL").await.is(202);
    approve_and_wait(&live, &pending).await;
    // The money of an earlier charge can still be returned by its operator.
    let refund = json!({ "transactionId": pending }).to_string();
    live.shop
        .send(Method::POST, "/v1/refunds", &[("idempotency-key", "r")], Some(&refund))
        .await
        .is(202);
}

#[tokio::test]
async fn a_moved_network_is_sent_as_the_network_that_it_became_a_part_of() {
    let mut live = LiveOperators::with(PAWAPAY).await;
    // Its own route no longer counts.
    live.reconfigure(|toml| {
        let toml = toml.replace("AIRTELTIGO = [\"pawapay\"]", "AIRTELTIGO = [\"mtn\"]");
        ending("AIRTELTIGO = \"TELECEL\"")(&toml)
    })
    .await;
    let listed = live.shop.get("/v1/networks").await.is(200).json()["data"].clone();
    let moved = of_network(&listed, "AIRTELTIGO");
    let telecel = of_network(&listed, "TELECEL");
    assert_eq!((&moved["ended"], &moved["movedTo"]), (&json!(false), &json!("TELECEL")));
    assert_eq!((&moved["charge"], &moved["payout"]), (&telecel["charge"], &telecel["payout"]));

    let charge = live.charge_to_the_end("0261234567", "AIRTELTIGO").await;
    let payout = live.pay_out_to_the_end("0261234567", "AIRTELTIGO").await;
    for payment in [charge, payout] {
        assert_eq!(
            (&payment["status"], &payment["network"]),
            (&json!("SUCCESSFUL"), &json!("TELECEL"))
        );
        let sent = sent(&live, payment["transactionId"].as_str().unwrap()).await;
        assert!(sent.iter().any(|body| body.contains("VODAFONE_GHA")), "{sent:?}");
        assert!(!sent.iter().any(|body| body.contains("AIRTELTIGO_GHA")), "{sent:?}");
    }
}

#[tokio::test]
async fn a_payment_keeps_the_network_that_it_was_sent_on_when_the_network_moves() {
    let mut live = LiveOperators::with(PAWAPAY).await;
    let pending = live.charge("0261230007", "AIRTELTIGO").await.is(202).id();
    live.reconfigure(ending("AIRTELTIGO = \"TELECEL\"")).await;
    approve_and_wait(&live, &pending).await;
    let refund = json!({ "transactionId": pending }).to_string();
    let refunded = live
        .shop
        .send(Method::POST, "/v1/refunds", &[("idempotency-key", "r")], Some(&refund))
        .await;
    refunded.is(202);
    assert_eq!(live.shop.status(&pending).await["network"], "AIRTELTIGO");
    let sent = sent(&live, &pending).await;
    assert!(!sent.iter().any(|body| body.contains("VODAFONE_GHA")), "{sent:?}");
    // Since it moved back, new payments go the old way, and those of the meantime keep theirs.
    let moved = live.charge("0261234567", "AIRTELTIGO").await.is(202).id();
    live.reconfigure(str::to_owned).await;
    assert_eq!(live.end_of(&moved).await["network"], "TELECEL");
    assert_eq!(live.charge_to_the_end("0261234567", "AIRTELTIGO").await["network"], "AIRTELTIGO");
}

#[tokio::test]
async fn a_payout_that_waits_for_an_approval_is_sent_on_the_network_of_the_time_of_the_approval() {
    let mut live = LiveOperators::with(PAWAPAY).await;
    let store = live.app.running().store.clone();
    let scope = store.keys(None).await.unwrap().remove(0).scope;
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    store.set_payout_controls(&scope, change, &live.app.audit()).await.unwrap();
    let body = json!({ "amount": 10.5, "phoneNumber": "0261234567", "network": "AIRTELTIGO" });
    let waiting = live.shop.post("/v1/payout", &body).await.is(202).id();

    live.reconfigure(ending("AIRTELTIGO = \"TELECEL\"")).await;
    let decisions = live.app.running().payouts.decisions.clone();
    let by = live.app.audit();
    let now = live.app.clock.now();
    decisions
        .about_payout(&TransactionId::new(&*waiting), approval(), Some(&by), now)
        .await
        .unwrap();
    let paid = live.end_of(&waiting).await;
    assert_eq!((&paid["status"], &paid["network"]), (&json!("SUCCESSFUL"), &json!("TELECEL")));
    let sent = sent(&live, &waiting).await;
    assert!(sent.iter().any(|body| body.contains("VODAFONE_GHA")), "{sent:?}");
    assert_eq!(live.orders().len(), 1);
    // Its events, too, tell where it went.
    let events = live.app.running().store.events(&TransactionId::new(&*waiting)).await.unwrap();
    let told = events.iter().any(|event| format!("{event:?}").contains("moved_to: Some(Telecel)"));
    assert!(told, "{events:?}");
}

#[tokio::test]
async fn lines_of_a_batch_and_their_repetitions_are_of_the_network_that_theirs_became_a_part_of() {
    let ended =
        EndedNetworks::default().with(Network::AirtelTigo, NetworkEnd::MovedTo(Network::Telecel));
    let app =
        TestApp::with(|config: &mut Config| config.operators.ended = ended, |operators| operators)
            .await;
    let shop = app.shop().await;
    let batch = json!({ "payouts": [
        { "amount": 1, "phoneNumber": "0261234567", "network": "AIRTELTIGO" },
        { "amount": 1, "phoneNumber": "0261234567", "network": "TELECEL" },
    ] });
    let begun = begin(&shop, &batch).await.is(202).json();
    for line in begun["payouts"].as_array().unwrap() {
        assert_eq!(line["network"], "TELECEL");
    }
    assert_eq!(begun["warnings"].as_array().unwrap().len(), 1, "{begun}");
}

#[tokio::test]
async fn test_mode_rehearses_a_moved_network_as_the_other_one() {
    let ended =
        EndedNetworks::default().with(Network::AirtelTigo, NetworkEnd::MovedTo(Network::Telecel));
    let app =
        TestApp::with(|config: &mut Config| config.operators.ended = ended, |operators| operators)
            .await;
    let charge = json!({ "amount": 1, "phoneNumber": "0261234567", "network": "AIRTELTIGO" });
    let shop = app.shop().await;
    let begun = shop.post("/v1/charge", &charge).await.is(202).json();
    assert_eq!(
        (&begun["network"], &begun["nextAction"]),
        (&json!("TELECEL"), &json!("ENTER_VOUCHER"))
    );
    let code = json!({ "transactionId": begun["transactionId"], "otp": "123456" });
    shop.post("/v1/submit-otp", &code).await.is(200);
    let id = begun["transactionId"].as_str().unwrap();
    shop.until(id, |status| status["status"] == "SUCCESSFUL").await;
}

#[tokio::test]
async fn payers_are_told_kindly_that_a_network_has_ended() {
    let ended = EndedNetworks::default().with(Network::AirtelTigo, NetworkEnd::Retired);
    let app =
        TestApp::with(|config: &mut Config| config.operators.ended = ended, |operators| operators)
            .await;
    let payer = app.payer(&app.shop().await).await;
    let networks = payer.get("/v1/checkout").await.is(200).json()["networks"].clone();
    let shown = of_network(&networks, "AIRTELTIGO");
    assert_eq!((&shown["status"], &shown["ended"]), (&json!("DOWN"), &json!(true)));
    assert_eq!(of_network(&networks, "MTN")["ended"], false);
    let page = app.actor("").get(&format!("/pay?key={}", payer.credential)).await.is(200).text;
    assert!(page.contains("Has ended") && !page.contains("Not available now"), "{page}");
    payer.charge("0261234567", "AIRTELTIGO").await.is_problem(422, "unsupported_network");
    payer.charge("0261234567", "MTN").await.is(202);
}
