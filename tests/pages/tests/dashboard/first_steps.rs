//! The first steps of an account: each is ticked by what the account has.

use serde_json::json;
use std::sync::Arc;
use tua_contract::lifecycle::Observation;
use tua_domain::{AccountId, Generation, Mode, people::Role};
use tua_test_support::{
    TestApp,
    dashboard::{Browser, page},
    eventually,
    hosted_page::{FORM_CONTENT_TYPE, send_form},
    live_operators::LiveOperators,
    scripted_operator::ScriptedOperator,
};

/// How many steps the page Home shows as done; `None` if it shows no steps.
async fn done(browser: &Browser, account: &AccountId, mode: Mode) -> Option<u32> {
    let home = browser.get(&page(account, mode, "/home")).await.is(200).text;
    let count = home.split("Done: ").nth(1)?.split(' ').next()?;
    Some(count.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_gets_to_real_payments_by_clicks_alone_and_each_step_is_ticked_by_a_fact() {
    let operator = Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)));
    let app = TestApp::with(|_| {}, operator.behind_live()).await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let steps = owner.get(&page(&account, Mode::Live, "/home/steps")).await.is(200).text;
    for part in
        ["024 123 4567", "Enter 123456", &page(&account, Mode::Test, "/links"), "/docs/going-live"]
    {
        assert!(steps.contains(part), "{part}: {steps}");
    }
    assert_eq!(done(&owner, &account, Mode::Live).await, Some(1), "the name");

    let form = [("title", "Robe"), ("amount", "10.50"), ("uses", "many")];
    let created = owner.post(&page(&account, Mode::Test, "/links"), &form).await.is(303);
    let shown = owner.get(created.header("location")).await.is(200).text;
    assert!(shown.contains("024 123 0009"), "the numbers are on the page of the link too: {shown}");
    let url = shown.split("id=\"url\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(shown.contains(&format!("<a href=\"{url}\"")), "it can be opened: {shown}");
    assert_eq!(done(&owner, &account, Mode::Test).await, Some(2), "an open link");
    let payer = app.actor("");
    let path = url.strip_prefix(&app.origin).unwrap();
    let opened = send_form(&payer, path, "", &[FORM_CONTENT_TYPE]).await.is(303);
    let payer = app.actor(opened.header("location").strip_prefix("/pay?key=").unwrap());
    payer.charge("0241234567", "MTN").await.is(202);
    assert_eq!(
        done(&owner, &account, Mode::Test).await,
        Some(2),
        "a pending payment ticks nothing"
    );
    app.advance(3);
    eventually("the test payment is ticked", async || {
        done(&owner, &account, Mode::Test).await == Some(3)
    })
    .await;

    let viewer = app.browser_of(&account, Role::Viewer).await;
    assert_eq!(done(&viewer, &account, Mode::Live).await, Some(4), "a second person");
    let shop = app.key(&account, Mode::Live, Generation::V2).await;
    assert_eq!(done(&owner, &account, Mode::Live).await, Some(5), "a live key");
    let read = viewer.get(&page(&account, Mode::Live, "/home/steps")).await.is(200).text;
    let who = "Who can do this: Owner, Admin, Developer, Finance, Accountant, Support.";
    assert!(read.contains(who), "{read}");
    assert!(!read.contains("Go to the operators"), "{read}");

    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    shop.post("/v1/charge", &body).await.is(202);
    eventually("it is over", async || done(&owner, &account, Mode::Live).await.is_none()).await;
    let home = owner.get(&page(&account, Mode::Live, "/home")).await.is(200).text;
    assert!(home.contains("Show the first steps"), "{home}");
    let again = owner.get(&page(&account, Mode::Live, "/home/steps")).await.is(200).text;
    assert!(again.contains("Done: 6 of 6."), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_that_reports_a_balance_is_connected() {
    let live = LiveOperators::routed_to("paystack").await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let owner = live.app.browser_of(&account, Role::Owner).await;
    eventually("name, operator and key", async || {
        done(&owner, &account, Mode::Test).await == Some(3)
    })
    .await;
    let other = live.app.account("Other").await;
    let viewer = live.app.browser_of(&other, Role::Viewer).await;
    let shown = viewer.get(&page(&other, Mode::Test, "/home")).await.is(200).text;
    assert!(shown.contains("Done: ") && !shown.contains("Go to"), "{shown}");
}
