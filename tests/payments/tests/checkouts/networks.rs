//! The networks in a checkout session, as its token reads it.

use serde_json::{Value, json};
use std::sync::{Arc, atomic::Ordering};
use tua_domain::{Generation, Mode};
use tua_test_support::{ApiClient, TestApp, scripted_operator::ScriptedOperator};

async fn networks(payer: &ApiClient) -> Value {
    payer.get("/v1/checkout").await.is(200).json()["networks"].clone()
}

fn with_status(mtn: &str, others: &str) -> Value {
    let network = |network: &str, status: &str| {
        let payer_pays = (status != "DOWN").then_some(10.5);
        json!({
            "network": network,
            "status": status,
            "ended": false,
            "fee": null,
            "payerPays": payer_pays,
            "promptInstructions": null,
        })
    };
    json!([network("MTN", mtn), network("TELECEL", others), network("AIRTELTIGO", others)])
}

#[tokio::test]
async fn the_sandbox_serves_every_network() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    assert_eq!(networks(&payer).await, with_status("OPERATIONAL", "OPERATIONAL"));
}

#[tokio::test]
async fn each_reading_shows_the_networks_that_are_down_at_that_time() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with(|_| {}, operator.behind_live()).await;
    let payer = app.payer(&app.merchant(Mode::Live, Generation::V2).await).await;
    for (is_down, mtn) in [(false, "OPERATIONAL"), (true, "DOWN"), (false, "OPERATIONAL")] {
        operator.is_down.store(is_down, Ordering::SeqCst);
        assert_eq!(networks(&payer).await, with_status(mtn, "DOWN"));
        let answer = payer.get("/v1/networks").await.is(200).json();
        assert_eq!(answer["data"][0]["charge"]["status"], mtn, "as the route for networks");
    }
}
