//! The page Home: the money of today beside that of a week ago, and what waits for a person. The
//! navigation: what each role sees, and the numbers of decisions.

use serde_json::json;
use tua_dashboard::account_routes;
use tua_domain::{Generation, Mode, people::Role};
use tua_test_support::{
    TestApp,
    dashboard::page,
    payout_batches::{batch_of, begin},
    payout_controls::Merchant,
};

const DAY_SECONDS: u64 = 86_400;

fn path(merchant: &Merchant, path: &str) -> String {
    page(&merchant.scope().account, Mode::Test, path)
}

/// The page Home as an owner sees it who has just signed in.
async fn home(merchant: &Merchant, query: &str) -> String {
    let owner = merchant.app.browser_of(&merchant.scope().account, Role::Owner).await;
    owner.get(&path(merchant, &format!("/home{query}"))).await.is(200).text
}

/// Goes on until this hour of the next day.
fn next_day_at(merchant: &Merchant, hour: u64) {
    let now = u64::try_from(merchant.now().as_second()).unwrap();
    merchant.app.advance(DAY_SECONDS - now % DAY_SECONDS + hour * 3_600);
}

async fn charge(merchant: &Merchant, amount: f64) {
    let body = json!({ "amount": amount, "phoneNumber": "0241234567", "network": "MTN" });
    merchant.shop.post("/v1/charge", &body).await.is(202);
    merchant.wait(3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_money_of_today_is_beside_that_of_a_week_ago_until_the_same_time() {
    let merchant = Merchant::start().await;
    next_day_at(&merchant, 10);
    charge(&merchant, 10.5).await;
    let first = home(&merchant, "").await;
    assert!(first.contains("GH₵10.50") && first.contains("Nothing had come in"), "{first}");

    // The charge was made at ten. At nine of the same weekday nothing had come in.
    for _ in 0..6 {
        next_day_at(&merchant, 9);
    }
    next_day_at(&merchant, 9);
    let earlier = home(&merchant, "").await;
    assert!(earlier.contains("Nothing had come in"), "{earlier}");
    assert!(!earlier.contains("before: GH₵10.50"), "it came later on that day: {earlier}");
    assert!(earlier.contains("until 09:00") && !earlier.contains("before: 100 %"), "{earlier}");
    merchant.app.advance(2 * 3_600);
    let later = home(&merchant, "").await;
    assert!(later.contains("GH₵10.50 less than last"), "{later}");
    assert!(later.contains("before: GH₵10.50") && later.contains("before: 100 %"), "{later}");
    let past = home(&merchant, "?range=yesterday").await;
    assert!(!past.contains("until 11:00"), "a day that is over counts whole: {past}");
    charge(&merchant, 12.0).await;
    let more = home(&merchant, "").await;
    assert!(more.contains("GH₵1.50 more than last"), "{more}");
    assert!(more.contains("before: GH₵10.50"), "the week before: {more}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_not_zero_waits_and_a_batch_is_one_decision_everywhere() {
    let merchant = Merchant::start().await;
    let calm = home(&merchant, "").await;
    assert!(calm.contains("Nothing waits for you.") && !calm.contains("to-do-"), "{calm}");
    assert!(!calm.contains("class=\"count\""), "{calm}");

    merchant.set_limits("", "", "0").await;
    merchant.begin_unapproved_payout(5.0).await;
    begin(&merchant.shop, &batch_of(&[1.0, 2.0, 3.0])).await.is(202);
    let busy = home(&merchant, "").await;
    assert!(busy.contains("2 payouts or batches wait for your approval"), "{busy}");
    assert!(!busy.contains("Nothing waits for you."), "{busy}");
    let counts = busy.matches("<span class=\"count\">2<").count();
    assert_eq!(counts, 2, "beside the place, and beside More: {busy}");
    let viewer = merchant.app.browser_of(&merchant.scope().account, Role::Viewer).await;
    let seen = viewer.get(&path(&merchant, "/home")).await.is(200).text;
    assert!(seen.contains("Nothing waits for you.") && !seen.contains("class=\"count\""), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_period_has_its_days_and_those_before() {
    let merchant = Merchant::start().await;
    for range in ["today", "yesterday", "week", "month", "last-month"] {
        let shown = home(&merchant, &format!("?range={range}")).await;
        let chosen = format!("home?range={range}\" aria-current=\"true\"");
        assert!(shown.contains(&chosen), "{range}: {shown}");
        assert!(shown.contains("No payments in these days."), "{range}: {shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_navigation_of_each_role_has_pages_that_it_may_open() {
    let merchant = Merchant::start().await;
    let account = &merchant.scope().account;
    let pages = account_routes();
    for role in Role::ALL {
        let browser = merchant.app.browser_of(account, *role).await;
        if *role == Role::Till {
            let till = browser.get(&path(&merchant, "/till")).await.is(200).text;
            assert!(!till.contains("<nav"), "a phone at a counter has one page: {till}");
            continue;
        }
        let shown = browser.get(&path(&merchant, "/home")).await.is(200).text;
        let navigation = shown.split("<nav class=\"pages\"").nth(1).unwrap();
        let navigation = navigation.split("</nav>").next().unwrap();
        let base = path(&merchant, "");
        let mut places: Vec<&str> = navigation
            .split("href=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next()?.strip_prefix(&base))
            .collect();
        for place in &places {
            browser.get(&path(&merchant, place)).await.is(200);
            let route = pages.iter().find(|one| one.path == *place).unwrap();
            assert!(role.may(route.permission), "{} {place}", role.as_str());
        }
        let count = places.len();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), count, "each place once: {places:?}");
        assert!(count >= 5, "{}: {places:?}", role.as_str());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_payment_that_is_late_is_opened_itself_and_several_are_a_list() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let late = async |phone: &str| {
        let body = json!({ "amount": 5, "phoneNumber": phone, "network": "MTN" });
        let id = shop.post("/v1/charge", &body).await.is(202).id();
        for _ in 0..5 {
            app.advance(150);
            app.wait_for_due_work().await;
        }
        id
    };
    let home = async || {
        let owner = app.browser_of(&account, Role::Owner).await;
        owner.get(&page(&account, Mode::Test, "/home")).await.is(200).text
    };
    let first = late("0241230007").await;
    let only = home().await;
    assert!(only.contains("1 payment is not confirmed by the operator"), "{only}");
    let opens = format!("{}\">See why", page(&account, Mode::Test, &format!("/payments/{first}")));
    assert!(only.contains(&opens), "{only}");
    late("0241240007").await;
    let both = home().await;
    assert!(both.contains("attention=uncertain\">See why"), "{both}");
    assert!(both.contains("Successful and failed count payments, payouts and refunds"), "{both}");
}
