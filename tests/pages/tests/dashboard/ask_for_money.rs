//! A person asks a payer for money, and follows the charge to its outcome.

use super::{access::kept, batch_files::hidden, refunds::key as hidden_key};
use serde_json::json;
use tua_domain::{
    AccountId, Generation, Mode,
    people::Role,
    ports::{AccountChange, Clock},
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, page},
    failing_plan::{Fault, Moment, Plan},
};

/// The fields of a form for this number and amount.
pub(super) fn form<'a>(key: &'a str, phone: &'a str, amount: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![("key", key), ("phoneNumber", phone), ("amount", amount), ("message", "<b>Kente")]
}

/// The key of a form that the page shows now.
pub(super) async fn new_key(browser: &Browser, path: &str) -> String {
    hidden_key(&browser.get(path).await.is(200).text)
}

/// The charges that the database has.
pub(super) fn charges(app: &TestApp) -> i64 {
    app.query_number("SELECT count(*) FROM transactions WHERE kind = 'CHARGE'")
}

/// Twelve seconds later, the sandbox has decided.
async fn settle(app: &TestApp) {
    for _ in 0..4 {
        app.advance(3);
        app.wait_for_due_work().await;
    }
}

struct Shop {
    app: TestApp,
    account: AccountId,
    finance: Browser,
}

impl Shop {
    async fn start() -> Self {
        let app = TestApp::with_stopped_clock(|operators| operators).await;
        let account = app.account("Adom Stores").await;
        let finance = app.browser_of(&account, Role::Finance).await;
        Self { app, account, finance }
    }

    fn at(&self, path: &str) -> String {
        page(&self.account, Mode::Test, path)
    }

    /// Asks for money, and returns the address of the charge.
    async fn ask(&self, phone: &str, amount: &str) -> String {
        let key = new_key(&self.finance, &self.at("/ask")).await;
        let begun = self.finance.post(&self.at("/ask"), &form(&key, phone, amount)).await.is(303);
        begun.header("location").to_owned()
    }

    async fn get(&self, path: &str) -> Response {
        self.finance.get(path).await.is(200)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_is_asked_once_however_often_the_form_is_sent() {
    let shop = Shop::start().await;
    let ask = shop.at("/ask");
    let key = new_key(&shop.finance, &ask).await;
    let fields = form(&key, "024 123 4567", "GH₵ 1,200");
    let first = shop.finance.post(&ask, &fields).await.is(303);
    let again = shop.finance.post(&ask, &fields).await.is(303);
    assert_eq!(first.header("location"), again.header("location"), "one form asks once");
    assert_eq!(charges(&shop.app), 1);

    let charge = first.header("location").to_owned();
    let waiting = shop.get(&charge).await.text;
    for text in ["GH₵1,200.00 from 024 123 4567", "is on the customer’s phone", "http-equiv"] {
        assert!(waiting.contains(text), "{text}: {waiting}");
    }
    assert!(!waiting.contains("data-paid"), "nothing is announced before it is paid");
    settle(&shop.app).await;
    let paid = shop.get(&charge).await.text;
    for text in ["The operator has confirmed the payment", "data-say=\"1,200 cedis, paid\""] {
        assert!(paid.contains(text), "{text}: {paid}");
    }
    assert!(!paid.contains("hx-get") && !paid.contains("http-equiv"), "it is final: {paid}");
    assert!(!paid.contains("Ask again"), "nobody is charged twice by one tap: {paid}");
    let next = format!("<a class=\"button\" href=\"{ask}\">Next customer</a>");
    for text in [&next, "today ", "&lt;b&gt;Kente", "/receipt\">Receipt</a>"] {
        assert!(paid.contains(text), "{text}: {paid}");
    }
    shop.app.advance(121);
    assert!(!shop.get(&charge).await.text.contains("data-paid"), "only what is paid just now");

    // The list of the day, and the form like the one before.
    let listed = shop.get(&ask).await.text;
    assert!(listed.contains("GH₵1,200.00") && listed.contains("badge good"), "{listed}");
    assert!(!listed.contains("Ask again"), "{listed}");
    let id = charge.rsplit('/').next().unwrap();
    let like = shop.get(&format!("{ask}?again={id}")).await.text;
    for value in ["value=\"024 123 4567\"", "value=\"1,200.00\"", "value=\"&lt;b&gt;Kente\""] {
        assert!(like.contains(value), "{value}: {like}");
    }
    assert_ne!(hidden_key(&like), key, "another form asks again");

    // The audit log has the person.
    let owner = shop.app.browser_of(&shop.account, Role::Owner).await;
    let log = owner.get(&shop.at("/audit?action=charge.requested")).await.is(200).text;
    assert!(log.contains(id) && log.contains("finance@example.com"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_is_shown_at_once_and_nothing_typed_is_lost() {
    let shop = Shop::start().await;
    let ask = shop.at("/ask");
    let key = new_key(&shop.finance, &ask).await;
    let long = "é".repeat(161);
    let fields = [
        ("key", key.as_str()),
        ("phoneNumber", "12 <i>"),
        ("network", "VODAFONE"),
        ("amount", "twenty"),
        ("message", long.as_str()),
        ("note", "for <b>Esi"),
    ];
    let refused = shop.finance.post(&ask, &fields).await.is(422).text;
    for text in [
        "not a number in Ghana",
        "Choose the network",
        "an amount in cedis",
        "at most 160 characters",
        "value=\"12 &lt;i&gt;\"",
        "value=\"twenty\"",
        "value=\"for &lt;b&gt;Esi\"",
        &format!("value=\"{long}\""),
        &format!("name=\"key\" value=\"{key}\""),
    ] {
        assert!(refused.contains(text), "{text}: {refused}");
    }
    let empty = shop.finance.post(&ask, &[("key", key.as_str())]).await.is(422).text;
    assert_eq!(empty.matches("Enter this.").count(), 2, "number and amount: {empty}");
    let no_form = shop.finance.post(&ask, &form("", "0241234567", "5")).await.is(422).text;
    assert!(no_form.contains("The form was not complete"), "{no_form}");
    // The prefix of a fixed line shows no network.
    let unknown = shop.finance.post(&ask, &form(&key, "0301234567", "5")).await.is(422).text;
    assert!(unknown.contains("Choose the network"), "{unknown}");
    assert_eq!(charges(&shop.app), 0);

    // The same form with other values asks nobody, and says so.
    shop.finance.post(&ask, &form(&key, "0241234567", "5")).await.is(303);
    let reused = shop.finance.post(&ask, &form(&key, "0241234567", "6")).await.is(422).text;
    assert!(reused.contains("was sent before with other values"), "{reused}");
    assert_ne!(hidden_key(&reused), key, "the next press counts");
    assert_eq!(charges(&shop.app), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_enters_the_voucher_that_the_payer_tells() {
    let shop = Shop::start().await;
    let charge = shop.ask("020 123 4567", "20").await;
    let waiting = shop.get(&charge).await.text;
    assert!(waiting.contains("dials *110#"), "{waiting}");
    assert!(!waiting.contains("http-equiv"), "what is typed would be lost: {waiting}");
    let code = format!("{charge}/code");
    let submit = async |typed: &str| shop.finance.post(&code, &[("code", typed)]).await;
    let shape = submit("12 or 34").await.is(422).text;
    assert!(shape.contains("digits only"), "{shape}");
    let wrong = submit("654321").await.is(422).text;
    assert!(wrong.contains("Tries left: 4"), "{wrong}");
    assert!(submit("654 321").await.is(422).text.contains("Tries left: 4"), "typed twice");
    submit("123 456").await.is(303);
    settle(&shop.app).await;
    assert!(shop.get(&charge).await.text.contains("The operator has confirmed the payment"));
    let late = submit("111111").await.is(422).text;
    assert!(late.contains("No code is expected any more"), "{late}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_says_what_to_do_and_asks_again_with_one_tap() {
    let shop = Shop::start().await;
    let charge = shop.ask("0241230001", "3.50").await;
    settle(&shop.app).await;
    let failed = shop.get(&charge).await.text;
    let id = charge.rsplit('/').next().unwrap();
    let again =
        format!("<a class=\"button\" href=\"{}?again={id}\">Ask again</a>", shop.at("/ask"));
    for text in ["Failed", "No money moved", &again] {
        assert!(failed.contains(text), "{text}: {failed}");
    }
    assert!(!failed.contains("/receipt"), "{failed}");
    assert!(!failed.contains("data-paid"), "{failed}");
    // A payout, another account's charge and another mode's are no charges here.
    let api = shop.app.key(&shop.account, Mode::Test, Generation::V2).await;
    let body = json!({ "amount": 5, "phoneNumber": "0249876543", "network": "MTN" });
    let payout = api.post("/v1/payout", &body).await.is(202).id();
    shop.finance.get(&shop.at(&format!("/ask/{payout}"))).await.is(404);
    let like = shop.finance.get(&shop.at(&format!("/ask?again={payout}"))).await.is(200).text;
    assert!(!like.contains("024 987 6543") && !like.contains("0249876543"), "{like}");
    let other = shop.app.account("Other").await;
    let foreign = shop.app.browser_of(&other, Role::Owner).await;
    foreign.get(&page(&other, Mode::Test, &format!("/ask/{id}"))).await.is(404);
    shop.finance.get(&page(&shop.account, Mode::Live, &format!("/ask/{id}"))).await.is(404);
    shop.finance.get(&shop.at("/ask/txn_%00")).await.is(404);
    shop.finance.get(&shop.at("/ask?again=txn_%00")).await.is(200);
}

#[tokio::test]
async fn live_mode_without_an_operator_is_said_before_anything_is_typed() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    for path in ["/ask", "/till", "/payouts/new"] {
        let at = page(&account, Mode::Live, path);
        let shown = owner.get(&at).await.is(200).text;
        assert!(shown.contains("No operator is connected"), "{path}: {shown}");
        assert!(!shown.contains("name=\"phoneNumber\""), "{path}: {shown}");
        let served = owner.get(&page(&account, Mode::Test, path)).await.is(200).text;
        assert!(served.contains("name=\"phoneNumber\""), "{path}: {served}");
        let sent = owner.post(&at, &form("key", "0241234567", "5")).await.is(422).text;
        assert!(sent.contains("No operator is connected"), "{path}: {sent}");
    }
    assert_eq!(charges(&app), 0);
}

/// The commit of the first try is uncertain; the same form then finds the charge.
#[tokio::test(flavor = "multi_thread")]
async fn a_charge_whose_commit_is_uncertain_is_asked_for_again_with_the_same_key() {
    let plan = Plan::default();
    let app =
        TestApp::with_store(OffsetClock::stopped(), |_| {}, |operators| operators, &plan).await;
    app.test_clock.wait_for_workers().await;
    let account = app.account("Adom Stores").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    let ask = page(&account, Mode::Test, "/ask");
    let key = new_key(&finance, &ask).await;
    plan.begin(Some(Fault { method: Some("begin"), moment: Moment::After, times: 1 }));
    let unknown = finance.post(&ask, &form(&key, "0241234567", "4")).await.is(503).text;
    assert!(unknown.contains("It is not known whether this was recorded"), "{unknown}");
    assert!(unknown.contains("&lt;b&gt;Kente") && hidden_key(&unknown) == key, "{unknown}");
    finance.post(&ask, &form(&key, "0241234567", "4")).await.is(303);
    assert_eq!(charges(&app), 1);
}

/// The first request still waits for the operator when the second one comes.
#[tokio::test(flavor = "multi_thread")]
async fn a_double_tap_leads_both_to_the_same_charge() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    let ask = page(&account, Mode::Test, "/ask");
    let key = new_key(&finance, &ask).await;
    let fields = form(&key, "0241234567", "4");
    let (first, second) = tokio::join!(finance.post(&ask, &fields), finance.post(&ask, &fields));
    let first = first.is(303);
    assert_eq!(first.header("location"), second.is(303).header("location"));
    assert_eq!(charges(&app), 1);
}

#[tokio::test]
async fn a_suspended_account_asks_nobody() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    let ask = page(&account, Mode::Test, "/ask");
    let key = new_key(&finance, &ask).await;
    let change = AccountChange::Suspend(app.clock.now());
    app.running().store.change_account(&account, change, &app.audit()).await.unwrap();
    let refused = finance.post(&ask, &form(&key, "0241234567", "4")).await.is(422).text;
    assert!(refused.contains("The account is suspended"), "{refused}");
    assert_eq!(charges(&app), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_with_a_pending_request_is_asked_again_only_after_a_look_at_it() {
    let shop = Shop::start().await;
    let ask = shop.at("/ask");
    let first = shop.ask("0241234567", "35.50").await;
    let id = first.rsplit('/').next().unwrap().to_owned();
    let key = new_key(&shop.finance, &ask).await;
    let fields = form(&key, "024 123 4567", "35.5");
    let warned = shop.finance.post(&ask, &fields).await.is(422).text;
    for text in [
        "may have been paid already",
        &format!("/ask/{id}\">See the request"),
        ">Ask a second time<",
    ] {
        assert!(warned.contains(text), "{text}: {warned}");
    }
    assert_eq!(charges(&shop.app), 1);
    let shown = hidden(&warned, "second");
    assert_eq!(shown, id);
    let second = [&fields[..], &[("second", shown)]].concat();
    shop.finance.post(&ask, &second).await.is(303);
    assert_eq!(charges(&shop.app), 2);
    // Another amount is another request, and so is one after an answer.
    shop.ask("0241234567", "36").await;
    settle(&shop.app).await;
    shop.ask("0241234567", "35.50").await;
    assert_eq!(charges(&shop.app), 4);
}

/// The person saw one pending request, and then corrects the form to another customer's number.
#[tokio::test(flavor = "multi_thread")]
async fn a_look_at_one_pending_request_says_nothing_about_another_one() {
    let shop = Shop::start().await;
    for path in ["/ask", "/till"] {
        let at = shop.at(path);
        let amount = if path == "/ask" { "35.50" } else { "36.50" };
        shop.ask("0241234567", amount).await;
        let other = shop.ask("0241234568", amount).await;
        let before = charges(&shop.app);
        let key = new_key(&shop.finance, &at).await;
        let fields = form(&key, "0241234567", amount);
        let warned = shop.finance.post(&at, &fields).await.is(422).text;
        let second = [("second", hidden(&warned, "second"))];
        let corrected = [&form(&key, "0241234568", amount)[..], &second].concat();
        let again = shop.finance.post(&at, &corrected).await.is(422).text;
        assert!(other.ends_with(hidden(&again, "second")), "{path}: {again}");
        assert_eq!(charges(&shop.app), before, "{path}");
        shop.finance.post(&at, &[&fields[..], &second].concat()).await.is(303);
        assert_eq!(charges(&shop.app), before + 1, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_form_says_that_it_asks_a_second_time() {
    let shop = Shop::start().await;
    let fields = [&form("key", "0241234567", "4")[..], &[("second", "txn_0")]].concat();
    shop.app.advance(30 * 60 + 1);
    let ended = shop.finance.post(&shop.at("/ask"), &fields).await.is(303);
    let again = shop.app.browser_of(&shop.account, Role::Finance).await;
    let shown = kept(&again, &ended).await.is(200).text;
    assert!(shown.contains("<button>Ask a second time</button>"), "{shown}");
    assert!(!shown.contains("<li>txn_0</li>"), "{shown}");
    assert_eq!(hidden(&shown, "second"), "txn_0");
}
