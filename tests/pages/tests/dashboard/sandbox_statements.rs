//! Statements of the sandbox, where test payments are pinned to it as in `tua demo`
//! (docs/reference/statements.md#statements-of-the-sandbox).

use serde_json::json;
use tua_config::Config;
use tua_domain::{AccountId, Generation, Mode, people::Role, ports::Clock};
use tua_test_support::{
    ApiClient, TestApp,
    dashboard::{Browser, page},
    eventually,
    refunds::{read, refund, refund_id},
};

const NOTHING: &str = "Nothing waits for you.";

/// A shop in test mode whose payments are pinned to the sandbox.
struct Shop {
    app: TestApp,
    account: AccountId,
    api: ApiClient,
    finance: Browser,
}

impl Shop {
    async fn start() -> Self {
        Self::at_speed(100.0).await
    }

    /// `speed` divides the delays of the sandbox.
    async fn at_speed(speed: f64) -> Self {
        let settings = |config: &mut Config| config.sandbox_speed = speed;
        let app = TestApp::with(settings, |operators| operators.with_pinned_sandbox()).await;
        let account = app.account("Adom Stores").await;
        let api = app.key(&account, Mode::Test, Generation::V2).await;
        let finance = app.browser_of(&account, Role::Finance).await;
        Self { app, account, api, finance }
    }

    fn path(&self, path: &str) -> String {
        page(&self.account, Mode::Test, path)
    }

    async fn pay(&self, route: &str) -> String {
        let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
        let id = self.api.post(route, &body).await.is(202).id();
        let paid = self.api.until(&id, |one| one["status"] == "SUCCESSFUL").await;
        assert_eq!(paid["operator"], json!(null), "the API names no operator: {paid}");
        id
    }

    fn today(&self) -> String {
        self.app.test_clock.now().to_string()[..10].to_owned()
    }

    /// Fetches the statement of today. Returns the address of its page.
    async fn fetch(&self) -> String {
        let day = self.today();
        let fields = [("operator", "sandbox"), ("from", &*day), ("to", &*day)];
        let fetched = self.finance.post(&self.path("/statements/fetch"), &fields).await.is(303);
        fetched.header("location").split('?').next().unwrap().to_owned()
    }

    async fn home(&self) -> String {
        self.finance.get(&self.path("/home")).await.is(200).text
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn home_names_a_statement_that_lacks_a_payment_until_its_days_are_fetched_again() {
    let shop = Shop::start().await;
    let charge = shop.pay("/v1/charge").await;
    shop.pay("/v1/payout").await;
    let back = refund(&shop.api, json!({ "transactionId": charge, "amount": 2 })).await.is(202);
    let back = refund_id(&back);
    eventually("the refund", || async { read(&shop.api, &back).await["status"] == "SUCCESSFUL" })
        .await;
    let failing = json!({ "amount": 1, "phoneNumber": "0241230001", "network": "MTN" });
    let failing = shop.api.post("/v1/charge", &failing).await.is(202).id();
    shop.api.until(&failing, |one| one["status"] == "FAILED").await;

    let statement = shop.fetch().await;
    let agreeing = shop.finance.get(&statement).await.is(200).text;
    assert!(agreeing.contains("Every line agrees, and every successful payment"), "{agreeing}");
    assert_eq!(shop.app.query_number("SELECT count(*) FROM statement_lines"), 3);
    assert!(shop.home().await.contains(NOTHING), "{}", shop.home().await);

    shop.pay("/v1/charge").await;
    let home = shop.home().await;
    assert!(home.contains("1 statement does not agree with the payments"), "{home}");
    assert!(home.contains(&format!("href=\"{statement}\"")), "{home}");
    let viewer = shop.app.browser_of(&shop.account, Role::Viewer).await;
    let seen = viewer.get(&shop.path("/home")).await.is(200).text;
    assert!(seen.contains(NOTHING), "a viewer cannot open statements: {seen}");
    let shown = shop.finance.get(&statement).await.is(200).text;
    let card = shown.split("<section class=\"card\">").nth(1).unwrap().trim_start();
    assert!(card.starts_with("<p><strong>1 successful payment"), "what is wrong is first: {shown}");
    for text in ["+GH₵", " · 024 123 4567 · <time", "again</button>", "Missing at the operator"]
    {
        assert!(shown.contains(text), "{text}: {shown}");
    }

    let newer = shop.fetch().await;
    assert_ne!(newer, statement);
    for address in [&newer, &statement] {
        let shown = shop.finance.get(address).await.is(200).text;
        assert!(shown.contains("Every line agrees, and every"), "{address}: {shown}");
        assert!(!shown.contains("again</button>"), "{address}: {shown}");
    }
    assert_eq!(shop.app.query_number("SELECT count(*) FROM statement_lines"), 4);
    assert!(shop.home().await.contains(NOTHING), "{}", shop.home().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn home_does_not_name_a_statement_whose_days_are_closed() {
    let shop = Shop::start().await;
    shop.pay("/v1/charge").await;
    let day = shop.today();
    shop.fetch().await;
    shop.pay("/v1/charge").await;
    assert!(!shop.home().await.contains(NOTHING), "{}", shop.home().await);
    shop.app.advance(26 * 3_600);
    // Sessions end by their age.
    let finance = shop.app.browser_of(&shop.account, Role::Finance).await;
    let report = shop.path(&format!("/statements/days/sandbox/{day}"));
    let shown = finance.get(&report).await.is(200).text;
    let sha256 = shown.split("name=\"sha256\" value=\"").nth(1).unwrap();
    let sha256 = sha256.split('"').next().unwrap();
    finance.post_confirmed(&format!("{report}/close"), &[("sha256", sha256)]).await.is(303);
    let home = finance.get(&shop.path("/home")).await.is(200).text;
    assert!(home.contains(NOTHING), "{home}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sandbox_clock_advances_payments_that_are_pinned_to_the_sandbox() {
    // No status query is due before the advance.
    let shop = Shop::at_speed(1.0).await;
    let undecided = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    let undecided = shop.api.post("/v1/charge", &undecided).await.is(202).id();
    shop.api.until(&undecided, |one| one["nextAction"] == "APPROVE_ON_PHONE").await;
    let advance = json!({ "seconds": 3_600 });
    let due = shop.api.post("/v1/sandbox/clock/advance", &advance).await.is(200).json();
    assert_eq!(due["due"]["payments"], 1, "{due}");
}

#[tokio::test(flavor = "multi_thread")]
async fn test_numbers_that_fail_withhold_no_payment() {
    let shop = Shop::start().await;
    let charge = |phone: &str| json!({ "amount": 1, "phoneNumber": phone, "network": "MTN" });
    for _ in 0..6 {
        shop.api.post("/v1/charge", &charge("0241230010")).await.is(202);
    }
    shop.api.post("/v1/charge", &charge("0241234567")).await.is(202);
}
