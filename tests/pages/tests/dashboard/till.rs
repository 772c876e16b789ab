//! The till: what a shared phone may do, and what it may not.

use super::{
    ask_for_money::{charges, form, new_key},
    payment_columns::get_with,
};
use jiff::tz::TimeZone;
use tua_dashboard::account_routes;
use tua_domain::{Generation, Mode, calendar::day_of, people::Role, ports::Clock};
use tua_test_support::{TestApp, dashboard::page, refunds::charge};

#[tokio::test(flavor = "multi_thread")]
async fn a_till_asks_and_sees_the_charges_of_the_day_and_nothing_else() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let yesterday = charge(&app, &shop, "0241230002").await;
    app.advance(24 * 60 * 60);
    app.wait_for_due_work().await;
    let till = app.browser_of(&account, Role::Till).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let home = till.get("/dashboard").await.is(303);
    assert_eq!(home.header("location"), at("/till"), "the till is its first page");

    let key = new_key(&till, &at("/till")).await;
    let asked = till.post(&at("/till"), &form(&key, "0241234567", "20")).await.is(303);
    let charge = asked.header("location").to_owned();
    app.advance(3);
    app.wait_for_due_work().await;
    let paid = till.get(&charge).await.is(200).text;
    assert!(paid.contains("data-say=\"20 cedis, paid\""), "{paid}");
    assert!(!paid.contains("/payments/") && !paid.contains("/home"), "no way further: {paid}");
    let next = format!("<a class=\"button\" href=\"{}\">Next customer</a>", at("/till"));
    assert!(paid.contains(&next) && !paid.contains("Ask again"), "{paid}");
    let list = till.get(&at("/till")).await.is(200).text;
    assert!(list.contains("GH₵20.00") && !list.contains("123 0002"), "only those of today: {list}");
    for path in ["/ask", "/till"] {
        till.get(&at(&format!("{path}/{yesterday}"))).await.is(404);
        let like = till.get(&at(&format!("{path}?again={yesterday}"))).await.is(200).text;
        assert!(!like.contains("024 123 0002"), "{like}");
    }
    let ask = till.get(&at("/ask")).await.is(200).text;
    for other in ["Home", "Payments", "Payment links", "Settings"] {
        assert!(!ask.contains(&format!(">{other}</a>")), "{other}: {ask}");
    }

    // Every other page and action of the account.
    let mut refused = 0;
    for route in account_routes() {
        let path = route.path.replace(['{', '}'], "");
        let is_own = path.starts_with("/ask") || path.starts_with("/till");
        let answer = if route.method == reqwest::Method::GET {
            till.get(&at(&path)).await
        } else {
            till.post(&at(&path), &[]).await
        };
        assert_eq!(answer.status == 403, !is_own, "{} {path}: {answer:?}", route.method);
        refused += usize::from(!is_own);
    }
    assert!(refused > 60, "{refused}");
    assert_eq!(charges(&app), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_that_somebody_follows_stays_on_the_till_after_midnight() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let now = app.clock.now();
    let midnight = day_of(now).tomorrow().unwrap().to_zoned(TimeZone::UTC).unwrap().timestamp();
    app.advance(midnight.duration_since(now).unsigned_abs().as_secs().saturating_sub(60));
    let till = app.browser_of(&account, Role::Till).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let ask = async |phone: &str| {
        let key = new_key(&till, &at("/till")).await;
        let asked = till.post(&at("/till"), &form(&key, phone, "20")).await.is(303);
        asked.header("location").to_owned()
    };
    let paid = ask("0241234567").await;
    let pending = ask("0240000007").await;
    ask("0241230001").await;
    app.advance(3);
    app.wait_for_due_work().await;
    app.advance(60);
    for charge in [&paid, &pending] {
        till.get(charge).await.is(200);
    }
    let list = till.get(&at("/till")).await.is(200).text;
    assert!(list.contains("024 123 4567") && list.contains("024 000 0007"), "{list}");
    assert_eq!(list.matches("Ask again").count(), 1, "only what has failed: {list}");
    for _ in 0..3 {
        app.advance(25 * 60);
        till.get(&at("/till")).await.is(200);
    }
    till.get(&paid).await.is(404);
    till.get(&pending).await.is(200);
}

#[tokio::test]
async fn a_till_can_be_installed_and_shows_the_code_of_an_open_link() {
    let app = TestApp::start().await;
    let account = app.account("<b>Adom Stores").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    let till = app.browser_of(&account, Role::Till).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let create = async |title: &str, uses: &str| {
        let fields = [("title", title), ("amount", "10"), ("uses", uses)];
        let created = finance.post(&at("/links"), &fields).await.is(303);
        let path = created.header("location").split('?').next().unwrap().to_owned();
        path.rsplit('/').next().unwrap().to_owned()
    };
    let none = till.get(&at("/till")).await.is(200).text;
    assert!(none.contains("no open payment link"), "{none}");
    let once = create("For one payer", "single").await;
    let older = create("Lunch", "many").await;
    let newer = create("Robe", "many").await;
    let shown = till.get(&at("/till")).await.is(200);
    assert!(!shown.text.contains("qr.svg"), "nobody has chosen a link: {}", shown.text);
    assert!(shown.text.contains(&format!("value=\"{newer}\"")), "{}", shown.text);
    assert!(!shown.text.contains("For one payer"), "{}", shown.text);
    assert!(shown.header("content-security-policy").contains("manifest-src 'self'"));
    let chosen = till.get(&at(&format!("/till?link={older}"))).await.is(200);
    assert!(chosen.text.contains(&format!("value=\"{older}\" selected")), "{}", chosen.text);
    assert!(chosen.text.contains(&format!("/till/links/{older}/qr.svg")), "{}", chosen.text);
    let cookie = chosen.header("set-cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("Max-Age=31536000"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(cookie, format!("tua-till-link={older}"));
    let later = get_with(&till, &at("/till"), &cookie).await.is(200).text;
    assert!(later.contains(&format!("/till/links/{older}/qr.svg")), "the choice stays: {later}");
    let none = get_with(&till, &at("/till?link="), &cookie).await.is(200);
    assert!(!none.text.contains("qr.svg"), "{}", none.text);
    assert!(none.header("set-cookie").contains("Max-Age=0"), "{}", none.header("set-cookie"));
    let code = till.get(&at(&format!("/till/links/{older}/qr.svg"))).await.is(200);
    assert!(code.header("content-type") == "image/svg+xml" && code.text.contains("<svg"));
    finance.post_confirmed(&at(&format!("/links/{older}/close")), &[]).await.is(303);
    till.get(&at(&format!("/till/links/{older}/qr.svg"))).await.is(404);
    till.get(&page(&account, Mode::Live, &format!("/till/links/{once}/qr.svg"))).await.is(404);

    let manifest = till.get(&at("/till/manifest.webmanifest")).await.is(200);
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    let manifest = manifest.json();
    assert_eq!(manifest["start_url"], at("/till"));
    assert_eq!(manifest["name"], "<b>Adom Stores");
    assert_eq!(manifest["display"], "standalone");
    let icon = manifest["icons"][0]["src"].as_str().unwrap();
    assert!(till.get(icon).await.is(200).text.contains("<svg"));
    assert!(shown.text.contains("rel=\"manifest\""));
}

#[tokio::test]
async fn faults_at_the_till_lose_nothing_and_lead_back_to_the_till() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let till = app.browser_of(&account, Role::Till).await;
    let at = page(&account, Mode::Test, "/till");
    let key = new_key(&till, &at).await;
    let refused = till.post(&at, &form(&key, "99", "much")).await.is(422).text;
    for text in ["not a number in Ghana", "an amount in cedis", "value=\"99\"", "value=\"much\""] {
        assert!(refused.contains(text), "{text}: {refused}");
    }
    assert!(refused.contains("class=\"keypad\""), "{refused}");
    let voucher = till.post(&at, &form(&key, "0201234567", "5")).await.is(303);
    let charge = voucher.header("location").to_owned();
    assert!(charge.starts_with(&format!("{at}/txn_")), "{charge}");
    let wrong = till.post(&format!("{charge}/code"), &[("code", "1")]).await.is(422).text;
    assert!(wrong.contains("digits only"), "{wrong}");
}
