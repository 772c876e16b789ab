//! A person pays one recipient.

use super::{ask_for_money::new_key, refunds::key as hidden_key};
use tua_contract::Phone;
use tua_domain::{
    AccountId, Mode, Scope,
    change::Change,
    payout_controls::ControlsChange,
    people::Role,
    privacy::{Person, Retention},
};
use tua_test_support::{
    TestApp,
    dashboard::{Browser, page},
    live_operators::LiveOperators,
};

fn form<'a>(key: &'a str, phone: &'a str, amount: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("key", key),
        ("phoneNumber", phone),
        ("amount", amount),
        ("name", "Kofi <i>Mensah"),
        ("message", "<b>Wages"),
        ("note", "November"),
    ]
}

fn payouts(app: &TestApp) -> i64 {
    app.query_number("SELECT count(*) FROM transactions WHERE kind = 'PAYOUT'")
}

async fn finance(app: &TestApp) -> (AccountId, Browser) {
    let account = app.account("Adom Stores").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    (account, finance)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_paid_once_after_a_question_that_names_sum_and_person() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let (account, finance) = finance(&app).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let key = new_key(&finance, &at("/payouts/new")).await;
    let fields = form(&key, "024 123 4567", "1,200");
    let asked = finance.post(&at("/payouts/new"), &fields).await.is(200).text;
    for text in [
        "Pay GH₵1,200.00 to Kofi &lt;i&gt;Mensah?",
        "024 123 4567 · MTN",
        "&lt;b&gt;Wages",
        "November",
        "It is sent at once",
    ] {
        assert!(asked.contains(text), "{text}: {asked}");
    }
    assert_eq!(hidden_key(&asked), key);
    assert_eq!(payouts(&app), 0, "nothing is sent before the person confirms");
    let changed = [fields.clone(), vec![("change", "yes")]].concat();
    let again = finance.post(&at("/payouts/new"), &changed).await.is(200).text;
    assert!(again.contains("value=\"1,200\"") && again.contains("value=\"&lt;b&gt;Wages\""));

    let first = finance.post(&at("/payouts/new/confirm"), &fields).await.is(303);
    let second = finance.post(&at("/payouts/new/confirm"), &fields).await.is(303);
    assert_eq!(first.header("location"), second.header("location"), "one form pays once");
    assert_eq!(payouts(&app), 1);
    let payment = finance.get(first.header("location")).await.is(200).text;
    assert!(payment.contains("The payout is recorded"), "{payment}");
    app.advance(3);
    app.wait_for_due_work().await;
    let paid = finance.get(first.header("location")).await.is(200).text;
    assert!(paid.contains("badge large good") && !paid.contains("is recorded"), "{paid}");
    let other = form(&key, "024 123 4567", "1,300");
    let reused = finance.post(&at("/payouts/new/confirm"), &other).await.is(422).text;
    assert!(reused.contains("was sent before with other values"), "{reused}");

    // The person is on the list now, and the same sum again is pointed out.
    let list = finance.get(&at("/payouts/new")).await.is(200).text;
    assert!(list.contains("Kofi &lt;i&gt;Mensah") && list.contains("024 123 4567"), "{list}");
    let found = async |query: &str| finance.get(&at(&format!("/payees{query}"))).await.is(200).text;
    for query in ["", "?q=mensah", "?q=024+123", "?q=%2B233241234567", "?q=%2B233+24+12"] {
        let payees = found(query).await;
        assert!(payees.contains("Kofi &lt;i&gt;Mensah"), "{query}: {payees}");
        assert!(payees.contains("/payouts/new?to=txn_"), "{query}: {payees}");
    }
    let nobody = found("?q=Ama").await;
    assert!(nobody.contains("No payee has this name or number"), "{nobody}");
    let id =
        first.header("location").split(['/', '?']).find(|one| one.starts_with("txn_")).unwrap();
    let like = finance.get(&at(&format!("/payouts/new?to={id}"))).await.is(200).text;
    for value in ["value=\"024 123 4567\"", "value=\"Kofi &lt;i&gt;Mensah\"", "\"1,200.00\""] {
        assert!(like.contains(value), "{value}: {like}");
    }
    let like_key = hidden_key(&like);
    let repeated = form(&like_key, "0241234567", "1200");
    let asked = finance.post(&at("/payouts/new"), &repeated).await.is(200).text;
    assert!(asked.contains("in the last 7 days") && asked.contains(id), "{asked}");

    // An erasure of the person removes the entry.
    let person = Person::Phone(Phone::parse("0241234567").unwrap());
    let store = &app.running().store;
    store.erase_person(&person, Retention::Days(0), &app.audit()).await.unwrap();
    let list = finance.get(&at("/payouts/new")).await.is(200).text;
    assert!(!list.contains("Mensah") && !list.contains("024 123 4567"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_of_a_payout_is_shown_at_once_and_nothing_typed_is_lost() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let (account, finance) = finance(&app).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let key = new_key(&finance, &at("/payouts/new")).await;
    let long = "x".repeat(161);
    let fields = [
        ("key", key.as_str()),
        ("phoneNumber", "9"),
        ("network", "MTN"),
        ("amount", "-1"),
        ("name", long.as_str()),
        ("message", long.as_str()),
        ("note", "November"),
    ];
    for path in ["/payouts/new", "/payouts/new/confirm"] {
        let refused = finance.post(&at(path), &fields).await.is(422).text;
        for text in [
            "not a number in Ghana",
            "an amount in cedis",
            "at most 100 characters",
            "at most 160 characters",
            "value=\"9\"",
            "value=\"-1\"",
            "value=\"November\"",
            "value=\"MTN\" selected",
        ] {
            assert!(refused.contains(text), "{path}: {text}: {refused}");
        }
    }
    let scope = Scope { account: account.clone(), mode: Mode::Test };
    let change =
        ControlsChange { limit: Change::Set("100".parse().unwrap()), ..ControlsChange::default() };
    app.running().store.set_payout_controls(&scope, change, &app.audit()).await.unwrap();
    for path in ["/payouts/new", "/payouts/new/confirm"] {
        let limited = finance.post(&at(path), &form(&key, "0241234567", "101")).await.is(422).text;
        assert!(limited.contains("the limit of one payout"), "{path}: {limited}");
    }
    assert_eq!(payouts(&app), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asked_for_a_payout_does_not_approve_it_and_an_old_proof_pays_nobody() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let (account, finance) = finance(&app).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let scope = Scope { account: account.clone(), mode: Mode::Test };
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    app.running().store.set_payout_controls(&scope, change, &app.audit()).await.unwrap();
    let key = new_key(&finance, &at("/payouts/new")).await;
    let fields = form(&key, "0241234567", "20");
    let asked = finance.post(&at("/payouts/new"), &fields).await.is(200).text;
    assert!(asked.contains("Another person must approve this payout"), "{asked}");
    let begun = finance.post(&at("/payouts/new/confirm"), &fields).await.is(303);
    let id =
        begun.header("location").split(['/', '?']).find(|one| one.starts_with("txn_")).unwrap();
    let approve = at(&format!("/payouts/{id}/approve"));
    let own = finance.post(&approve, &[]).await.is(422).text;
    assert!(own.contains("another person must approve it"), "{own}");
    let owner = app.browser_of(&account, Role::Owner).await;
    let waiting = owner.get(&at("/payouts")).await.is(200).text;
    assert!(waiting.contains("Kofi &lt;i&gt;Mensah"), "whom it is meant for: {waiting}");
    owner.post_confirmed(&approve, &[]).await.is(303);
    let log = owner.get(&at("/audit?action=payout.requested")).await.is(200).text;
    assert!(log.contains(id) && log.contains("finance@example.com"), "{log}");
    assert!(!log.contains("0241234567") && !log.contains("Mensah"), "no data of the recipient");

    let key = new_key(&finance, &at("/payouts/new")).await;
    app.advance(301);
    for path in ["/payouts/new", "/payouts/new/confirm"] {
        let unproven = finance.post(&at(path), &form(&key, "0241234567", "30")).await.is(303);
        assert!(unproven.header("location").starts_with("/dashboard/proof"), "{unproven:?}");
        let kept = unproven.header("set-cookie").split(';').next().unwrap();
        let cookies = format!("tua-session={}; {kept}", finance.token.as_str());
        let request = finance.http.get(format!("{}/dashboard/kept", finance.origin));
        let kept = request.header("cookie", cookies).send().await.unwrap().text().await.unwrap();
        assert!(
            kept.contains(&format!("action=\"{}\"", at("/payouts/new"))),
            "asked again: {kept}"
        );
        assert!(kept.contains("Check before paying"), "{kept}");
    }
    assert_eq!(payouts(&app), 1);
    for role in [Role::Support, Role::Viewer, Role::Developer, Role::Till] {
        let other = app.browser_of(&account, role).await;
        other.get(&at("/payouts/new")).await.is(403);
        other.post(&at("/payouts/new/confirm"), &form(&key, "0241234567", "30")).await.is(403);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_registered_name_and_the_operator_speak_before_money_is_sent() {
    let live = LiveOperators::routed_to("mtn").await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let pay = page(&account, Mode::Live, "/payouts/new");
    let key = new_key(&finance, &pay).await;
    for (phone, name, text) in [
        ("0241234567", "mensah ama", "Registered to Ama M., as you entered"),
        ("0241234567", "Kofi Boateng", "which is not the name that you entered"),
        ("0241234567", "", "Registered to Ama M.</span>"),
        ("0241230006", "Ama", "The operator knows no wallet with this number"),
    ] {
        let fields = [("key", &*key), ("phoneNumber", phone), ("amount", "5"), ("name", name)];
        let asked = finance.post(&pay, &fields).await.is(200).text;
        assert!(asked.contains(text), "{text}: {asked}");
        assert!(!asked.contains("Ama Mensah"), "a name is never shown whole: {asked}");
    }
    assert_eq!(payouts(&live.app), 0);
}
