//! What every list has: keys, numbers that count what waits, tabs with counts, and rows that name
//! whom they are about.

use reqwest::Method;
use serde_json::json;
use tua_domain::{Mode, people::Role};
use tua_test_support::{
    Response,
    dashboard::{Shop, page},
    payout_batches::{batch_id, batch_of, begin, lines, read},
    payout_controls::Merchant,
};

/// Every list of an account.
const LISTS: [&str; 14] = [
    "/payments",
    "/refunds",
    "/review",
    "/links",
    "/checkouts",
    "/payees",
    "/payouts",
    "/payouts/single",
    "/payouts/batches",
    "/statements",
    "/statements/days",
    "/keys",
    "/audit",
    "/webhooks",
];

fn in_test(shop: &Shop, path: &str) -> String {
    page(&shop.account, Mode::Test, path)
}

/// What stands in the badges of a page.
fn badges(text: &str) -> Vec<&str> {
    let badges = text.split("<span class=\"count\">").skip(1);
    badges.map(|badge| badge.split('<').next().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_a_number_on_every_page() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let account = &merchant.scope().account;
    let finance = merchant.app.browser_of(account, Role::Finance).await;
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = merchant.shop.post("/v1/payout", &body).await.is(202).id();
    let charge = merchant.shop.post("/v1/charge", &body).await.is(202).id();
    let pages = [format!("/payments/{payout}"), format!("/payments/{charge}"), "/home".to_owned()];
    for path in pages.iter().map(String::as_str).chain(["/payments", "/payouts", "/refunds"]) {
        let shown = finance.get(&page(account, Mode::Test, path)).await.is(200).text;
        // Beside the place and at the button of the menu.
        assert_eq!(badges(&shown), ["1", "1"], "{path}: {shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_has_keys_and_says_which() {
    let shop = Shop::start().await;
    for path in LISTS {
        let shown = shop.owner.get(&in_test(&shop, path)).await.is(200);
        assert!(shown.text.contains("<dialog class=\"keyboard\""), "{path}");
        assert!(shown.text.contains("/keyboard.js\" defer"), "{path}");
        let policy = shown.header("content-security-policy");
        assert!(policy.contains("script-src 'self'"), "{path}: {policy}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_count_the_payments_of_the_same_filter() {
    let shop = Shop::start().await;
    for phone in ["0241230006", "0241230006", "0241234567"] {
        let body = json!({
            "amount": 10.5, "phoneNumber": phone, "network": "MTN", "reference": "order",
        });
        shop.key.post("/v1/charge", &body).await.is(202);
    }
    let counts = async |path: &str| -> Vec<String> {
        let shown = shop.owner.get(&in_test(&shop, path)).await.is(200).text;
        let counts = shown.split("<small>").skip(1);
        counts.map(|count| count.split('<').next().unwrap().to_owned()).collect()
    };
    let all = counts("/payments").await;
    assert_eq!((&*all[0], all.len()), ("3", 4), "all, then each status");
    let sum: u32 = all[1..].iter().map(|count| count.parse::<u32>().unwrap()).sum();
    assert_eq!(sum, 3, "{all:?}");
    assert_eq!(counts("/payments?status=FAILED").await, all, "of any status");
    assert_eq!(counts("/payments?q=0241230006").await[0], "2");
    assert_eq!(counts("/payments?q=0241230006&status=PENDING").await[0], "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_that_is_pending_has_its_sign_and_its_kind() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let account = &merchant.scope().account;
    let finance = merchant.app.browser_of(account, Role::Finance).await;
    let body = json!({ "amount": 620, "phoneNumber": "0241234567", "network": "MTN" });
    merchant.shop.post("/v1/payout", &body).await.is(202);
    let address = page(account, Mode::Test, "/payments");
    let shown = finance.get(&address).await.is(200).text;
    assert!(shown.contains("number sum unmoved\">−GH₵620.00"), "{shown}");
    assert!(shown.contains("class=\"soft what\">Payout<span"), "{shown}");
    let french = finance.request(Method::GET, &address).header("accept-language", "fr");
    let french = Response::read(french.send().await.unwrap()).await.is(200).text;
    assert!(french.contains("−GH₵620,00"), "{french}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_is_said_beside_it_and_can_be_undone() {
    let shop = Shop::start().await;
    let url = [("url", "http://127.0.0.1:9/hook")];
    shop.owner.post(&in_test(&shop, "/webhooks"), &url).await.is(200);
    let listed = shop.owner.get(&in_test(&shop, "/webhooks")).await.is(200).text;
    let id = listed.split("<section class=\"card\" id=\"").nth(1).unwrap();
    let id = id.split('"').next().unwrap();
    let disable = in_test(&shop, &format!("/webhooks/{id}/disable"));
    let done = shop.owner.post(&disable, &[]).await.is(303);
    let (address, fragment) = done.header("location").split_once('#').unwrap();
    assert_eq!(fragment, id);
    let shown = shop.owner.get(address).await.is(200).text;
    let card = shown.split(&format!("id=\"{id}\"")).nth(1).unwrap();
    assert!(card.contains("The endpoint is disabled.") && card.contains("Undo"), "{card}");
    let enable = in_test(&shop, &format!("/webhooks/{id}/enable"));
    let undone = shop.owner.post(&enable, &[("resend", "yes")]).await.is(303);
    assert!(undone.header("location").contains("done=enabled"), "{undone:?}");
    for other in ["%3Cb%3E", "we_0"] {
        let address = in_test(&shop, &format!("/webhooks?done=disabled&of={other}"));
        assert!(!shop.owner.get(&address).await.is(200).text.contains("<b>"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn payouts_to_one_person_have_a_list_without_those_of_batches() {
    let merchant = Merchant::start().await;
    let account = &merchant.scope().account;
    let finance = merchant.app.browser_of(account, Role::Finance).await;
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let single = merchant.shop.post("/v1/payout", &body).await.is(202).id();
    let charge = merchant.shop.post("/v1/charge", &body).await.is(202).id();
    let batch = begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202);
    let batch = lines(&read(&merchant.shop, &batch_id(&batch)).await);
    let shown = finance.get(&page(account, Mode::Test, "/payouts/single")).await.is(200).text;
    assert!(shown.contains(&single), "{shown}");
    for other in batch.iter().chain([&charge]) {
        assert!(!shown.contains(other.as_str()), "{other}: {shown}");
    }
    let none = page(account, Mode::Test, "/payouts/single?status=FAILED");
    let none = finance.get(&none).await.is(200).text;
    assert!(none.contains("No payout to one person yet") && !none.contains(&single), "{none}");
    let viewer = merchant.app.browser_of(account, Role::Viewer).await;
    viewer.get(&page(account, Mode::Test, "/payouts/single")).await.is(403);
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_and_ids_have_a_button_that_copies_them() {
    let shop = Shop::start().await;
    let copied = |text: &str, start: &str| text.contains(&format!("data-copy=\"{start}"));
    let url = [("url", "http://127.0.0.1:9/hook")];
    let added = shop.owner.post(&in_test(&shop, "/webhooks"), &url).await.is(200).text;
    assert!(copied(&added, "whsec_") && copied(&added, "http://127.0.0.1:9/hook"), "{added}");
    let fields = [("name", "till"), ("scope", "collect")];
    let created = shop.owner.post(&in_test(&shop, "/keys/create"), &fields).await.is(200).text;
    let secret = created.split("<p class=\"secret\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(copied(&created, secret), "{created}");
    let fields = [("email", "kofi@example.com"), ("role", "viewer")];
    let invited = shop.owner.post(&in_test(&shop, "/people/invite"), &fields).await.is(200).text;
    assert!(copied(&invited, "http"), "{invited}");
    let session = json!({ "amount": 1, "email": "a@example.com", "reference": "order" });
    let opened = shop.key.post("/v1/checkout", &session).await.is(201).json();
    let listed = shop.owner.get(&in_test(&shop, "/checkouts")).await.is(200).text;
    assert!(copied(&listed, "chk_") && copied(&listed, "order"), "{opened} {listed}");
}
