//! The end of a link: closed by its merchant, by its time, or with the key that created it.

use super::{change, create, open, path, press, read};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tua_domain::{
    KeyId,
    ports::{Clock, OpenSessions},
};
use tua_test_support::{
    ApiClient, TestApp, eventually,
    hosted_page::assert_page,
    test_database,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

fn dinner() -> Value {
    json!({ "title": "Dinner", "amount": 10.5 })
}

async fn assert_closed(payer: &ApiClient) {
    for answer in [payer.get("/v1/checkout").await, payer.charge("0241234567", "MTN").await] {
        assert_eq!(answer.is_problem(401, "checkout_token_expired").json()["checkout"], "CLOSED");
    }
}

#[tokio::test]
async fn closing_a_link_closes_its_open_sessions_and_a_pending_charge_goes_on() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &dinner()).await;
    let idle = open(&app, &link, "").await;
    let paying = open(&app, &link, "").await;
    let failing = open(&app, &link, "").await;
    let charge = paying.charge("0241230009", "MTN").await.is(202).id();
    let failed = failing.charge("0241230001", "MTN").await.is(202).id();
    assert_eq!(change(&shop, &link, "close").await.is(200).json()["status"], "CLOSED");
    assert_closed(&idle).await;
    for page in [app.actor("").get(&path(&link)).await, press(&app, &link, "").await] {
        let page = assert_page(page, 410).text;
        assert!(page.contains("This payment link is closed") && !page.contains("<form"), "{page}");
    }
    app.advance(2);
    failing
        .until(&failed, |status| {
            status["status"] == "FAILED" || status["code"] == "checkout_token_expired"
        })
        .await;
    assert_closed(&failing).await;
    app.advance(30);
    let paid = shop.until(&charge, |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(paid["status"], "SUCCESSFUL");
    assert_eq!(paying.get("/v1/checkout").await.is(200).json()["status"], "PAID");
    assert_eq!(change(&shop, &link, "reopen").await.is(200).json()["status"], "OPEN");
    assert_closed(&idle).await;
    let again = open(&app, &link, "").await;
    again.charge("0241234567", "MTN").await.is(202);
}

#[tokio::test]
async fn a_link_ends_at_its_time_with_its_open_sessions() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let expires_at = (app.clock.now() + jiff::SignedDuration::from_mins(10)).to_string();
    let link =
        create(&shop, &json!({ "title": "Dinner", "amount": 10.5, "expiresAt": expires_at })).await;
    let idle = open(&app, &link, "").await;
    let paying = open(&app, &link, "").await;
    app.advance(9 * 60);
    idle.get("/v1/checkout").await.is(200);
    let charge = paying.charge("0241230007", "MTN").await.is(202).id();
    app.advance(60);
    assert_eq!(read(&shop, &link).await["status"], "EXPIRED");
    assert_closed(&idle).await;
    let page = assert_page(app.actor("").get(&path(&link)).await, 410).text;
    assert!(page.contains("The time of this payment link is over"), "{page}");
    assert_page(press(&app, &link, "").await, 410);
    assert_eq!(paying.status(&charge).await["status"], "PENDING");
    change(&shop, &link, "reopen").await.is_problem(409, "link_not_reopenable");
}

#[tokio::test]
async fn the_end_of_a_links_session_is_one_webhook() {
    let receiver = WebhookReceiver::start().await;
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let expires_at = (app.clock.now() + jiff::SignedDuration::from_mins(10)).to_string();
    let link = create(
        &merchant.shop,
        &json!({ "title": "Dinner", "amount": 10.5, "expiresAt": expires_at }),
    )
    .await;
    open(&app, &link, "").await;
    // Else the first delivery could still be under way, and be repeated.
    receiver.wait_for_webhooks(1).await;
    app.wait_for_tasks().await;
    app.advance(10 * 60);
    let closed = receiver.wait_for_webhooks(2).await.remove(1).json();
    assert_eq!(closed["type"], "checkout.closed");
    assert_eq!(
        (&closed["data"]["status"], &closed["data"]["linkId"]),
        (&json!("CLOSED"), &link["linkId"])
    );
    // Another session ends later: whatever the first one would still send has come before.
    let other = json!({ "amount": 10.5, "email": "ama@example.com" });
    let other = merchant.shop.post("/v1/checkout", &other).await.is(201).json();
    app.advance(31 * 60);
    let of = |id: &Value| {
        let heard = receiver.received();
        let own = heard.iter().filter(|one| one.json()["data"]["checkoutId"] == *id);
        own.map(|one| (one.header("webhook-id").to_owned(), one.json()["type"].clone()))
            .collect::<BTreeMap<_, _>>()
    };
    eventually("the other session has expired", async || {
        of(&other["checkoutId"]).values().any(|kind| kind == "checkout.expired")
    })
    .await;
    // A delivery may be repeated, but never another event sent.
    let sent = of(&closed["data"]["checkoutId"]);
    assert_eq!(sent.len(), 2, "opened and closed: {sent:?}");
}

#[tokio::test]
async fn a_failed_charge_of_a_closed_session_is_the_end_of_the_session_and_no_failed_attempt() {
    let receiver = WebhookReceiver::start().await;
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let link = create(&merchant.shop, &dinner()).await;
    let payer = open(&app, &link, "").await;
    let charge = payer.charge("0241230001", "MTN").await.is(202).id();
    change(&merchant.shop, &link, "close").await.is(200);
    receiver.wait_for_webhooks(3).await;
    app.wait_for_tasks().await;
    app.advance(3);
    merchant.shop.until(&charge, |status| status["status"] == "FAILED").await;
    app.wait_for_tasks().await;
    app.advance(61);
    receiver.wait_for_webhooks(5).await;
    app.wait_for_tasks().await;
    let types = receiver.types();
    assert!(types.contains(&"checkout.closed".to_owned()), "{types:?}");
    assert!(!types.contains(&"checkout.attempt_failed".to_owned()), "{types:?}");
}

#[tokio::test]
async fn revoking_a_key_closes_the_links_that_it_created_unless_they_are_kept() {
    for sessions in [OpenSessions::Close, OpenSessions::Keep] {
        let app = TestApp::start().await;
        let shop = app.shop().await;
        let link = create(&shop, &dinner()).await;
        let payer = open(&app, &link, "").await;
        let key = KeyId::new(
            test_database::query_texts(app.folder.path(), "SELECT id FROM api_keys").remove(0),
        );
        app.running().store.revoke_key(&key, sessions, &app.audit()).await.unwrap();
        if sessions == OpenSessions::Close {
            assert_closed(&payer).await;
            assert_page(app.actor("").get(&path(&link)).await, 410);
        } else {
            payer.get("/v1/checkout").await.is(200);
            open(&app, &link, "").await.charge("0241234567", "MTN").await.is(202);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_closing_a_link_and_a_charge_that_race_both_orders_are_consistent() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for uses in ["single", "many"] {
        for _ in 0..15 {
            let link =
                create(&shop, &json!({ "title": "Dinner", "amount": 1, "uses": uses })).await;
            let payer = open(&app, &link, "").await;
            let (charged, closed, late) = tokio::join!(
                payer.charge("0241230007", "MTN"),
                change(&shop, &link, "close"),
                press(&app, &link, "")
            );
            assert_eq!(closed.is(200).json()["status"], "CLOSED");
            match charged.status.as_u16() {
                // It began first, and goes on.
                202 => assert_eq!(shop.status(&charged.id()).await["status"], "PENDING"),
                _ => {
                    charged.is_problem(401, "checkout_token_expired");
                    assert_closed(&payer).await;
                }
            }
            // A session that was opened just before is closed too.
            if late.status == 303 {
                let token = late.header("location").strip_prefix("/pay?key=").unwrap();
                assert_closed(&app.actor(token)).await;
            } else {
                assert!(matches!(late.status.as_u16(), 409 | 410), "{late:?}");
            }
        }
    }
}
