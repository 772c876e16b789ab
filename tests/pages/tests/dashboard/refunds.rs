//! Refunds that people ask for.

use serde_json::json;
use tua_domain::{AccountId, Generation, Mode, people::Role};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
    dashboard::{Browser, page},
    failing_plan::{Fault, Moment, Plan},
    refunds::{charge, sums},
};

/// The hidden key of a form about money on a page.
#[track_caller]
pub(super) fn key(text: &str) -> String {
    let found = text.split(r#"name="key" value=""#).nth(1).and_then(|rest| rest.split('"').next());
    found.unwrap_or_else(|| panic!("no form: {text}")).to_owned()
}

/// The form of four cedis, as the page of its confirmation sends it.
fn confirmed(key: &str) -> [(&str, &str); 4] {
    [("key", key), ("amount", "4"), ("reason", "<b>broken"), ("confirmed", "400")]
}

async fn browser(app: &TestApp, account: &AccountId, role: Role) -> Browser {
    app.browser_of(account, role).await
}

/// A refund is handed over, and later its status is read.
async fn settle(app: &TestApp) {
    for _ in 0..6 {
        app.advance(3);
        app.wait_for_due_work().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_refunds_a_payment_once_however_often_the_button_is_pressed() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let paid = charge(&app, &shop, "0241234567").await;
    let finance = browser(&app, &account, Role::Finance).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let payment = at(&format!("/payments/{paid}"));
    let shown = finance.get(&payment).await.is(200);
    assert!(shown.text.contains("GH₵10.50 of this payment can be returned"), "{}", shown.text);
    assert!(shown.text.contains("Half, GH₵5.25"), "{}", shown.text);
    let key = key(&shown.text);
    let form = |amount, reason| [("key", key.as_str()), ("amount", amount), ("reason", reason)];
    let send = async |fields: &[(&str, &str)]| {
        finance.post_confirmed(&format!("{payment}/refund"), fields).await
    };

    for (amount, text) in [
        ("much", "an amount in cedis"),
        ("10.51", "More than is left"),
        ("0", "an amount in cedis"),
    ] {
        let refused = send(&form(amount, "<b>broken</b>")).await.is(422);
        assert!(refused.text.contains(text), "{amount}: {}", refused.text);
        assert!(
            refused.text.contains("&lt;b&gt;broken&lt;"),
            "nothing typed is lost: {}",
            refused.text
        );
    }
    let too_long = "é".repeat(161);
    let refused = send(&form("4", &too_long)).await.is(422);
    assert!(refused.text.contains("at most 160 characters"), "{}", refused.text);
    let question = finance.post(&format!("{payment}/refund"), &form("4", "broken")).await.is(200);
    assert!(question.text.contains("Return GH₵4.00 to 024 123 4567?"), "{}", question.text);
    for text in ["GH₵10.50</dd>", "GH₵6.50</dd>", "Of the payment", "today "] {
        assert!(question.text.contains(text), "{text}: {}", question.text);
    }
    let empty = finance.post(&format!("{payment}/refund"), &form("", "broken")).await.is(422);
    assert!(empty.text.contains("Enter the amount to return"), "{}", empty.text);
    for (part, sum) in [("all", "10.50"), ("half", "5.25")] {
        let typed = [("key", key.as_str()), ("amount", "4"), ("part", part)];
        let question = finance.post(&format!("{payment}/refund"), &typed).await.is(200).text;
        let asked = format!("Return GH₵{sum} to 024 123 4567?");
        assert!(question.contains(&asked), "{part}: {question}");
        let confirmed = [&typed[..], &[("confirmed", "400")]].concat();
        let again = finance.post(&format!("{payment}/refund"), &confirmed).await.is(200).text;
        assert!(again.contains(&asked), "the sum of a button is asked for: {again}");
    }
    // A sum that was confirmed is not another one.
    let other = [("key", key.as_str()), ("amount", "5"), ("confirmed", "400")];
    let question = finance.post(&format!("{payment}/refund"), &other).await.is(200);
    assert!(question.text.contains("Return GH₵5.00"), "{}", question.text);
    assert_eq!(sums(&shop, &paid).await.1, json!(10.5), "nothing is refunded by a question");
    let first = send(&form("4", "broken")).await.is(303);
    let again = send(&form("4", "broken")).await.is(303);
    assert_eq!(first.header("location"), again.header("location"), "one form makes one refund");
    send(&form("5", "broken")).await.is(422);
    let refund = finance.get(first.header("location")).await.is(200);
    assert!(
        refund.text.contains("The refund is recorded") && refund.text.contains(&paid),
        "{}",
        refund.text
    );
    settle(&app).await;
    assert_eq!(sums(&shop, &paid).await, (json!(4), json!(6.5)));
    assert!(finance.get(&payment).await.text.contains("Refunds of this payment"));
    let list = finance.get(&at("/refunds")).await.is(200);
    assert!(list.text.contains("broken") && list.text.contains("by the operator"), "{}", list.text);
    assert!(list.text.contains("024 123 4567"), "whom it goes to: {}", list.text);
    let charge = finance.get(&payment).await.is(200).text;
    for station in ["Your shop", "Tua", "Operator", "Phone", "Back"] {
        assert!(
            charge.contains(&format!("\">{station}<span"))
                || charge.contains(&format!("</span>{station}<span")),
            "{station}: {charge}"
        );
    }
    assert!(charge.contains("<li class=\"good\">"), "{charge}");
    assert!(charge.contains("Half of the rest, GH₵3.25"), "{charge}");
    assert!(charge.contains("to pay GH₵10.50 to Adom Stores"), "{charge}");
    assert!(charge.contains("A person · "), "who began the refund: {charge}");
    assert!(!charge.contains("before fees") && charge.contains("−GH₵4.00"), "{charge}");

    // Somebody else's page, and roles that may not.
    let support = browser(&app, &account, Role::Support).await;
    assert!(!support.get(&payment).await.text.contains("/refund\""));
    support.post(&format!("{payment}/refund"), &form("1", "")).await.is(403);
    let live = page(&account, Mode::Live, &format!("/payments/{paid}/refund"));
    finance.post(&live, &form("1", "")).await.is(404);
    app.advance(301);
    let unproven = send(&form("1", "")).await.is(303);
    assert!(unproven.header("location").starts_with("/dashboard/proof"), "{unproven:?}");
    assert_eq!(sums(&shop, &paid).await.1, json!(6.5));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asked_for_a_refund_does_not_approve_it() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let paid = charge(&app, &shop, "0241234567").await;
    let owner = browser(&app, &account, Role::Owner).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let limits = [
        ("limit", ""),
        ("daily-limit", ""),
        ("approval-above", ""),
        ("refund-approval-above", "0"),
    ];
    owner.post(&at("/settings/payouts"), &limits).await.is(303);
    let key = key(&owner.get(&at(&format!("/payments/{paid}"))).await.text);
    let all = [("key", key.as_str()), ("part", "all")];
    let asked = owner.post_confirmed(&at(&format!("/payments/{paid}/refund")), &all).await.is(303);
    let refund = asked
        .header("location")
        .split(['/', '?'])
        .find(|part| part.starts_with("txn_"))
        .unwrap()
        .to_owned();
    let approve = at(&format!("/payouts/{refund}/approve"));
    let own = owner.post(&approve, &[]).await.is(422);
    assert!(own.text.contains("another person must approve it"), "{}", own.text);
    browser(&app, &account, Role::Finance).await.post_confirmed(&approve, &[]).await.is(303);
    settle(&app).await;
    assert_eq!(sums(&shop, &paid).await.0, json!(10.5));
    let log = owner.get(&at("/audit?action=refund.requested")).await.is(200);
    assert!(log.text.contains(&refund) && log.text.contains("owner@example.com"), "{}", log.text);
}

/// The commit of the first try is uncertain, the database fails the second, and the third succeeds.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_whose_commit_is_uncertain_is_sent_again_with_the_same_key() {
    let plan = Plan::default();
    let app =
        TestApp::with_store(OffsetClock::stopped(), |_| {}, |operators| operators, &plan).await;
    app.test_clock.wait_for_workers().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let paid = charge(&app, &shop, "0241234567").await;
    let finance = browser(&app, &account, Role::Finance).await;
    let payment = page(&account, Mode::Test, &format!("/payments/{paid}"));
    let mut shown = finance.get(&payment).await.is(200);

    for (method, moment) in [("begin", Moment::After), ("transaction", Moment::Before)] {
        plan.begin(Some(Fault { method: Some(method), moment, times: 1 }));
        let key = key(&shown.text);
        let form = confirmed(&key);
        shown = finance.post(&format!("{payment}/refund"), &form).await.is(503);
        assert!(
            shown.text.contains("It is not known whether this was recorded"),
            "{method}: {}",
            shown.text
        );
        let action = format!("action=\"{payment}/refund\"");
        assert!(shown.text.contains(&action), "{method}: {}", shown.text);
        assert!(
            shown.text.contains("name=\"amount\" value=\"4\"")
                && shown.text.contains("&lt;b&gt;broken")
        );
    }
    let key = key(&shown.text);
    let form = confirmed(&key);
    finance.post(&format!("{payment}/refund"), &form).await.is(303);
    // The request that committed it did not send it: the operator is asked about it first.
    for _ in 0..4 {
        app.advance(30);
        app.wait_for_due_work().await;
    }
    assert_eq!(sums(&shop, &paid).await, (json!(4), json!(6.5)), "the money returns once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_has_a_receipt_once_its_money_came_back() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let paid = charge(&app, &shop, "0241234567").await;
    let finance = browser(&app, &account, Role::Finance).await;
    let payment = page(&account, Mode::Test, &format!("/payments/{paid}"));
    let key = key(&finance.get(&payment).await.is(200).text);
    let sent = finance.post(&format!("{payment}/refund"), &confirmed(&key)).await.is(303);
    let refund = sent.header("location").split('?').next().unwrap().to_owned();
    let receipt = format!("{refund}/receipt");
    finance.get(&receipt).await.is(404);
    assert!(!finance.get(&refund).await.is(200).text.contains("/receipt\""));
    settle(&app).await;
    let link = format!("href=\"{receipt}\">Receipt</a>");
    let shown = finance.get(&refund).await.is(200).text;
    assert!(shown.contains(&link), "{shown}");
    let shown = finance.get(&receipt).await.is(200).text;
    for text in [
        "<h1>Receipt of a refund</h1>",
        "<p class=\"sum\">GH₵4.00</p>",
        "<dt>To</dt><dd>024 123 4567",
        "<dt>Of the payment</dt><dd>GH₵10.50",
        "Adom Stores: returned GH₵4.00 on ",
        "not a tax document",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let charge = finance.get(&format!("{payment}/receipt")).await.is(200).text;
    assert!(charge.contains("<h1>Receipt</h1>") && !charge.contains("Of the payment"), "{charge}");
}
