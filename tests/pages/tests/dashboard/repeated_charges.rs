//! Payments of the same number and amount within a day are marked.

use serde_json::{Value, json};
use tua_domain::{Generation, Mode, people::Role};
use tua_test_support::{TestApp, dashboard::page};

fn charge(phone: &str, amount: f64) -> Value {
    json!({ "amount": amount, "phoneNumber": phone, "network": "MTN" })
}

#[tokio::test(flavor = "multi_thread")]
async fn two_charges_of_one_number_and_amount_are_marked_on_their_pages_and_in_lists() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let begin = async |phone: &str, amount| {
        let id = shop.post("/v1/charge", &charge(phone, amount)).await.is(202).id();
        app.advance(180);
        app.wait_for_due_work().await;
        id
    };
    let first = begin("0241234567", 12.5).await;
    let second = begin("0241234567", 12.5).await;
    let other_amount = begin("0241234567", 12.0).await;
    let other_phone = begin("0241234568", 12.5).await;
    let failed = begin("0240000001", 3.0).await;
    begin("0240000001", 3.0).await;
    let mode_apart = app.key(&app.account("Other").await, Mode::Test, Generation::V2).await;
    mode_apart.post("/v1/charge", &charge("0241234568", 12.5)).await.is(202);

    // A session ends while nobody uses it.
    let read = async |path: &str| {
        app.browser_of(&account, Role::Owner).await.get(&at(path)).await.is(200).text
    };
    let shown = async |id: &str| read(&format!("/payments/{id}")).await;
    let before = shown(&second).await;
    let text = "Same number and amount as a payment 3 min earlier";
    assert!(before.contains(text) && before.contains(&at(&format!("/payments/{first}"))));
    let after = shown(&first).await;
    assert!(after.contains("as a payment 3 min later"), "{after}");
    for id in [&other_amount, &other_phone, &failed] {
        let single = shown(id).await;
        assert!(!single.contains("Same number and amount"), "{single}");
    }
    for list in ["/payments", "/home", "/payments/customers/0241234567"] {
        let rows = read(list).await;
        assert_eq!(rows.matches("Same number and amount").count(), 2, "{list}: {rows}");
    }

    app.advance(24 * 3_600);
    let third = begin("0241234567", 12.5).await;
    let later = shown(&third).await;
    assert!(!later.contains("Same number and amount"), "a day later: {later}");
}
