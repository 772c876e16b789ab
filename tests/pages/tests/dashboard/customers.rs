//! What the dashboard shows about one customer, and the receipt of a payment.

use serde_json::json;
use tua_domain::{Generation, Mode, people::Role};
use tua_test_support::{TestApp, dashboard::page, refunds::charge};

const PHONE: &str = "0241234567";

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_has_the_sums_of_one_number_in_one_account_and_mode() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let customer = at(&format!("/payments/customers/{PHONE}"));
    owner.get(&customer).await.is(404);
    for _ in 0..2 {
        charge(&app, &shop, PHONE).await;
    }
    charge(&app, &shop, "0241234568").await;
    let body = json!({"amount": 3, "phoneNumber": PHONE, "network": "MTN"});
    shop.post("/v1/payout", &body).await.is(202);
    app.advance(5);
    app.wait_for_due_work().await;

    let shown = owner.get(&customer).await.is(200);
    for text in ["024 123 4567", "GH₵21.00", "2 payments", "GH₵3.00", "1 payout", "/ask?again=txn_"]
    {
        assert!(shown.text.contains(text), "{text}: {}", shown.text);
    }
    assert!(!shown.text.contains("024 123 4568"), "{}", shown.text);
    let viewer = app.browser_of(&account, Role::Viewer).await;
    let seen = viewer.get(&customer).await.is(200);
    assert!(!seen.text.contains("GH₵3.00"), "a payout without permission: {}", seen.text);

    let found = owner.get(&at("/payments?q=024%20123%204567")).await.is(200);
    assert!(found.text.contains(&format!("href=\"{customer}\"")), "{}", found.text);
    for path in [
        "/payments/customers/0241234569",
        "/payments/customers/241234567",
        "/payments/customers/0000000000",
    ] {
        owner.get(&at(path)).await.is(404);
    }
    owner.get(&page(&account, Mode::Live, &format!("/payments/customers/{PHONE}"))).await.is(404);
    let other = app.account("Kente House").await;
    let esi = "esi@example.com".parse().unwrap();
    let stranger = app.browser_of_person(&esi, &other, Role::Owner).await;
    stranger.get(&page(&other, Mode::Test, &format!("/payments/customers/{PHONE}"))).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_was_paid_has_a_receipt() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom & Sons").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let paid = charge(&app, &shop, PHONE).await;
    let payment = owner.get(&at(&format!("/payments/{paid}"))).await.is(200);
    let receipt = at(&format!("/payments/{paid}/receipt"));
    assert!(payment.text.contains(&format!("href=\"{receipt}\"")), "{}", payment.text);

    let shown = owner.get(&receipt).await.is(200);
    for text in [
        "GH₵10.50",
        "024 123 4567",
        "no money moved",
        "Adom &amp; Sons: received GH₵10.50 on ",
        " (Ghana time), reference ",
        "<dt>Paid (Ghana time)</dt>",
        "https://wa.me/233241234567?text=Adom+%26+Sons",
        "sms:+233241234567?body=Adom%20%26%20Sons",
    ] {
        assert!(shown.text.contains(text), "{text}: {}", shown.text);
    }

    let body = json!({"amount": 2, "phoneNumber": "0241230001", "network": "MTN"});
    let failed = shop.post("/v1/charge", &body).await.is(202).id();
    app.advance(5);
    app.wait_for_due_work().await;
    let body = json!({"amount": 3, "phoneNumber": PHONE, "network": "MTN"});
    let payout = shop.post("/v1/payout", &body).await.is(202).id();
    for without in [failed, payout] {
        let payment = owner.get(&at(&format!("/payments/{without}"))).await.is(200);
        assert!(!payment.text.contains("/receipt\""), "{}", payment.text);
        owner.get(&at(&format!("/payments/{without}/receipt"))).await.is(404);
    }
}
