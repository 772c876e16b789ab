//! A link that can be paid once: over all its sessions at most one charge is not FAILED.

use super::{change, create, open, path, press, read};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::Barrier;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{TransactionId, ports::StatusResponse};
use tua_test_support::{
    ApiClient, Response, TestApp, hosted_page::assert_page, scripted_operator::ScriptedOperator,
};

fn once() -> Value {
    json!({ "title": "Invoice 17", "amount": 250, "uses": "single" })
}

async fn charge_all(payers: &[ApiClient]) -> Vec<Response> {
    let start = Arc::new(Barrier::new(payers.len()));
    let racers: Vec<_> = payers
        .iter()
        .cloned()
        .map(|payer| {
            let start = start.clone();
            tokio::spawn(async move {
                start.wait().await;
                payer.charge("0241234567", "MTN").await
            })
        })
        .collect();
    let mut answers = Vec::new();
    for racer in racers {
        answers.push(racer.await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn of_payers_who_pay_at_once_exactly_one_begins() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let shop = app.shop().await;
    for _ in 0..5 {
        let link = create(&shop, &once()).await;
        let mut payers = Vec::new();
        for _ in 0..8 {
            payers.push(open(&app, &link, "").await);
        }
        let mut tally: BTreeMap<(u16, String), usize> = BTreeMap::new();
        for answer in charge_all(&payers).await {
            let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
            *tally.entry((answer.status.as_u16(), code)).or_default() += 1;
        }
        let expected = [((202, String::new()), 1), ((409, "link_in_use".to_owned()), 7)];
        assert_eq!(tally, BTreeMap::from(expected));
        assert_eq!(read(&shop, &link).await["status"], "OPEN", "the charge is pending");
    }
    assert_eq!(operator.count("send"), 5);
}

#[tokio::test]
async fn while_a_charge_is_pending_the_page_has_no_button_and_after_its_failure_it_has_one() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &once()).await;
    let payer = open(&app, &link, "").await;
    let other = open(&app, &link, "").await;
    let charge = payer.charge("0241230009", "MTN").await.is(202).id();
    let page = assert_page(app.actor("").get(&path(&link)).await, 200).text;
    assert!(page.contains("A payment is being confirmed") && !page.contains("<form"), "{page}");
    assert_page(press(&app, &link, "").await, 409);
    other.charge("0241234567", "MTN").await.is_problem(409, "link_in_use");
    payer.charge("0241234567", "MTN").await.is_problem(409, "charge_in_progress");
    assert_eq!(payer.status(&charge).await["status"], "PENDING");

    let link = create(&shop, &once()).await;
    let payer = open(&app, &link, "").await;
    let other = open(&app, &link, "").await;
    payer.charge("0241230006", "MTN").await.is(202);
    assert!(
        assert_page(app.actor("").get(&path(&link)).await, 200).text.contains("Go to the payment")
    );
    other.charge("0241230007", "MTN").await.is(202);
    payer.charge("0241234567", "MTN").await.is_problem(409, "link_in_use");
}

#[tokio::test]
async fn a_paid_link_is_used_and_its_other_sessions_are_closed() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &once()).await;
    let payer = open(&app, &link, "").await;
    let other = open(&app, &link, "").await;
    let charge = payer.charge("0241234567", "MTN").await.is(202).id();
    app.advance(2);
    payer.until(&charge, |status| status["status"] == "SUCCESSFUL").await;
    let used = read(&shop, &link).await;
    assert_eq!(
        (&used["status"], &used["payments"], &used["paidAmount"]),
        (&json!("USED"), &json!(1), &json!(250))
    );
    let refused = other.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
    assert_eq!(refused.json()["checkout"], "CLOSED");
    assert_eq!(payer.get("/v1/checkout").await.is(200).json()["status"], "PAID");
    for page in [app.actor("").get(&path(&link)).await, press(&app, &link, "").await] {
        assert!(assert_page(page, 410).text.contains("This has been paid"));
    }
    change(&shop, &link, "reopen").await.is_problem(409, "link_not_reopenable");
    assert_eq!(change(&shop, &link, "close").await.is(200).json()["status"], "USED");
}

#[tokio::test]
async fn a_conflict_observed_successful_makes_the_link_used_and_closes_its_other_sessions() {
    let failed = Observation::Failed(FailureCode::CustomerRejected);
    let operator = ScriptedOperator::new().sends(move |_| Some(failed));
    let operator = Arc::new(operator.asks(|_| Some(StatusResponse::known(Observation::Succeeded))));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let link = create(&shop, &once()).await;
    let payer = open(&app, &link, "").await;
    let other = open(&app, &link, "").await;
    let charge = payer.charge("0241234567", "MTN").await.is(202);
    assert_eq!(charge.json()["status"], "FAILED");
    assert_eq!(read(&shop, &link).await["status"], "OPEN");
    let id = TransactionId::new(charge.id());
    app.running().status_queries.refresh(&id).await;
    let seen = shop.until(id.as_str(), |status| !status["conflict"].is_null()).await;
    assert_eq!(seen["status"], "FAILED");
    assert_eq!(read(&shop, &link).await["status"], "USED");
    assert_eq!(other.get("/v1/checkout").await.is(401).json()["checkout"], "CLOSED");
    assert_page(app.actor("").get(&path(&link)).await, 410);
    change(&shop, &link, "reopen").await.is_problem(409, "link_not_reopenable");
}
