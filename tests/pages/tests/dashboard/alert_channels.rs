//! Chats and servers to which alerts are sent: added in the dashboard, and sent to over HTTP.

use std::sync::Arc;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    AccountId, Generation, Mode, Scope, TransactionId,
    mail::{Alert, AlertKind},
    people::{Device, Role, Session, SignInWay},
    ports::{Clock, StatusResponse},
    secret::SecretDigest,
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
    dashboard::{Browser, page},
    eventually,
    scripted_operator::ScriptedOperator,
    test_database,
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

const ALL_TOPICS: [(&str, &str); 3] =
    [("topic", "payments"), ("topic", "operators"), ("topic", "float")];

/// An account on a clock that the test moves, its owner, and a server for what is sent.
pub(super) struct Rig {
    pub(super) app: TestApp,
    pub(super) account: AccountId,
    pub(super) owner: Browser,
    pub(super) receiver: WebhookReceiver,
}

impl Rig {
    pub(super) async fn start() -> Self {
        Self::with(TestApp::with_stopped_clock(|all| all).await).await
    }

    async fn with(app: TestApp) -> Self {
        app.test_clock.wait_for_workers().await;
        let account = app.account("Adom Stores").await;
        let owner = app.browser_of(&account, Role::Owner).await;
        Self { app, account, owner, receiver: WebhookReceiver::start().await }
    }

    pub(super) fn path(&self, rest: &str) -> String {
        page(&self.account, Mode::Test, &format!("/alerts{rest}"))
    }

    /// Adds a channel that is told about payments, operators and the float, and returns the page.
    pub(super) async fn add(&self, service: &str, url: &str) -> String {
        let fields = [&[("service", service), ("address", url)], &ALL_TOPICS[..]].concat();
        self.owner.post(&self.path(""), &fields).await.is(200).text
    }

    /// The page, and the id of its only channel.
    pub(super) async fn shown(&self) -> (String, String) {
        let text = self.owner.get(&self.path("")).await.is(200).text;
        let id = text.split("<code>alc_").nth(1).expect(&text);
        let id = format!("alc_{}", id.split('<').next().unwrap());
        (text, id)
    }

    pub(super) async fn alert(&self, kind: AlertKind, subject: &str) {
        let scope = Scope { account: self.account.clone(), mode: Mode::Test };
        let subject = subject.to_owned();
        let occurred_at = self.app.clock.now();
        let alert = Alert { scope, kind, subject, occurred_at };
        self.app.running().store.add_alert(alert).await.unwrap();
    }

    pub(super) fn waiting(&self) -> i64 {
        self.app.query_number("SELECT count(*) FROM alert_deliveries")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_gets_a_signed_test_and_signed_alerts_in_one_message() {
    let rig = Rig::start().await;
    let added = rig.add("https", &rig.receiver.url).await;
    let secret = added.split("whsec_").nth(1).expect(&added);
    let secret = format!("whsec_{}", secret.split('<').next().unwrap());
    let (shown, id) = rig.shown().await;
    assert!(!shown.contains("whsec_") && !shown.contains(&rig.receiver.url), "{shown}");

    rig.owner.post(&rig.path(&format!("/{id}/test")), &[]).await.is(303);
    let test = rig.receiver.wait_for_webhooks(1).await.remove(0);
    assert!(test.is_signed_with(&secret));
    assert_eq!(test.json()["type"], "test");
    assert!(test.json()["title"].as_str().unwrap().starts_with("Adom Stores: this is a test"));
    assert!(rig.shown().await.0.contains("The last message was accepted"));

    rig.alert(AlertKind::FloatLow, "mtn").await;
    for number in 0..8 {
        rig.alert(AlertKind::Review, &format!("txn_{number}")).await;
    }
    rig.alert(AlertKind::KeyExposed, "key_1").await;
    rig.app.advance(13);
    let message = rig.receiver.wait_for_webhooks(2).await.remove(1);
    assert!(message.is_signed_with(&secret));
    let json = message.json();
    assert_eq!((json["type"].as_str(), json["count"].as_u64()), (Some("alerts"), Some(9)));
    assert_eq!(json["alerts"].as_array().unwrap().len(), 5);
    let link = json["alerts"][0]["link"].as_str().unwrap();
    assert!(link.contains(&format!("/dashboard/accounts/{}/test/", rig.account)), "{link}");
    eventually("nothing waits any more", async || rig.waiting() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_of_a_payment_is_told_to_a_chat_without_e_mail_and_without_personal_data() {
    let refused = Observation::Failed(FailureCode::CustomerRejected);
    let operator = ScriptedOperator::new().sends(|_| Some(Observation::Succeeded));
    let operator = Arc::new(operator.asks(move |_| Some(StatusResponse::known(refused))));
    let app = TestApp::with_clock(OffsetClock::stopped(), |_| {}, operator.behind_test()).await;
    let rig = Rig::with(app).await;
    rig.add("slack", &rig.receiver.url).await;
    let shop = rig.app.key(&rig.account, Mode::Test, Generation::V2).await;
    let id = rig.app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let running = rig.app.running();
    let charge = running.store.transaction(&TransactionId::new(&id)).await.unwrap().unwrap();
    running.status_queries.refresh(&charge.order.id).await;
    rig.app.advance(13);
    let message = rig.receiver.wait_for_webhooks(1).await.remove(0);
    let text = message.json()["text"].as_str().unwrap().to_owned();
    for part in ["contradicts its final status", &id, "GHS 10.50", "/payments/txn_"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for secret in ["0241234567", "241234567", &charge.order.reference] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let unsent = "SELECT count(*) FROM mail_alerts WHERE digest_id IS NULL";
    assert_eq!(rig.app.query_number(unsent), 0, "it waits for no e-mail");
    eventually("the delivered alert no longer waits", async || rig.waiting() == 0).await;
    rig.alert(AlertKind::KeyExposed, "key_1").await;
    assert_eq!(rig.waiting(), 0, "a topic that the chat was not added for");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_chat_is_shown_and_retried_and_its_alerts_are_given_up_after_a_day() {
    let rig = Rig::start().await;
    rig.receiver.respond_with(ResponseMode::Redirect("http://127.0.0.1:1/".to_owned()));
    rig.add("slack", &rig.receiver.url).await;
    rig.alert(AlertKind::OperatorDown, "mtn").await;
    rig.app.advance(13);
    rig.receiver.wait_for_webhooks(1).await;
    let faulty = async || rig.shown().await.0.contains("redirects are not followed");
    eventually("the page shows the failure", faulty).await;
    assert!(rig.shown().await.0.contains("One attempt has failed"));
    assert_eq!(rig.waiting(), 1);

    rig.app.advance(35);
    rig.receiver.wait_for_webhooks(2).await;
    let twice = async || rig.shown().await.0.contains("2 attempts have failed");
    eventually("the second failure was stored", twice).await;
    rig.app.advance(24 * 60 * 60);
    let browser = rig.app.browser_of(&rig.account, Role::Owner).await;
    let given_up = async || {
        browser.get(&rig.path("")).await.is(200).text.contains("One alert was not delivered")
    };
    eventually("the alert was given up", given_up).await;
    assert_eq!(rig.waiting(), 0);

    rig.receiver.respond_with(ResponseMode::Status(200));
    rig.alert(AlertKind::OperatorRecovered, "mtn").await;
    rig.app.advance(60 * 60 + 13);
    let browser = rig.app.browser_of(&rig.account, Role::Owner).await;
    let works = async || {
        let shown = browser.get(&rig.path("")).await.is(200).text;
        shown.contains("The last message was accepted") && !shown.contains("not delivered")
    };
    eventually("a success ends the failure", works).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_addresses_that_webhooks_may_have_are_added_and_at_most_five() {
    let rig = Rig::start().await;
    let live = page(&rig.account, Mode::Live, "/alerts");
    for url in ["http://shop.example/", "https://127.0.0.1/", "https://10.0.0.1/x", "nonsense"] {
        for service in ["slack", "https"] {
            let fields = [("service", service), ("address", url)];
            let refused = rig.owner.post(&live, &fields).await.is(422).text;
            assert!(refused.contains("It was not added:") && !refused.contains(url), "{refused}");
        }
    }
    let telegram = |token, chat| [("service", "telegram"), ("token", token), ("chat", chat)];
    for (token, chat) in [("12:a/../b", "1"), ("12:ab", "someone"), ("", "")] {
        let refused = rig.owner.post(&live, &telegram(token, chat)).await.is(422).text;
        assert!(token.is_empty() || !refused.contains(token), "{refused}");
        assert!(refused.contains(&format!(r#"value="{chat}""#)), "{refused}");
    }
    let one_topic = [("service", "telegram"), ("token", ""), ("chat", "1"), ("topic", "float")];
    let refused = rig.owner.post(&live, &one_topic).await.is(422).text;
    let form = refused.split(r#"id="telegram""#).nth(1).unwrap_or_default();
    let form = form.split("</details>").next().unwrap_or_default();
    assert_eq!(form.matches(" checked").count(), 1, "the chosen topics are kept: {form}");
    rig.owner.post(&live, &[("service", "fax"), ("address", "https://a.example/")]).await.is(404);
    for _ in 0..5 {
        let token = "12345:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
        let added = rig.owner.post(&live, &telegram(token, "-100")).await.is(200).text;
        assert!(added.contains("-100 …Dsaw") && !added.contains("AAHdq"), "{added}");
    }
    let sixth = rig.owner.post(&live, &telegram("12345:abc", "-100")).await.is(422).text;
    assert!(sixth.contains("There may be 5 of them"), "{sixth}");
    let count = "SELECT count(*) FROM alert_channels";
    assert_eq!(rig.app.query_number(count), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_in_no_row_and_no_entry_of_the_audit_log_and_go_with_the_channel() {
    let rig = Rig::start().await;
    let url = format!("{}/T0SECRET", rig.receiver.url);
    rig.add("slack", &url).await;
    let (_, id) = rig.shown().await;
    rig.alert(AlertKind::Review, "txn_1").await;
    assert_eq!(rig.waiting(), 1);
    let topics = [("topic", "webhooks")];
    rig.owner.post(&rig.path(&format!("/{id}/topics")), &topics).await.is(303);
    assert!(rig.shown().await.0.contains("value=\"webhooks\" checked"));
    assert_eq!(rig.waiting(), 0, "what waits is of a topic that was switched off");
    rig.alert(AlertKind::EndpointDisabled, "whe_1").await;
    assert_eq!(rig.waiting(), 1);
    let clear = "SELECT count(*) FROM alert_channels WHERE shown LIKE '%T0SEC%'";
    assert_eq!(rig.app.query_number(clear), 0);
    let scope = Scope { account: rig.account.clone(), mode: Mode::Test };
    let stored = rig.app.running().store.alert_channels(&scope).await.unwrap();
    let target = String::from_utf8_lossy(stored[0].target.as_bytes()).into_owned();
    assert!(!target.is_empty() && !target.contains("T0SECRET"), "{target}");

    let other = rig.app.account("Other").await;
    let foreign = page(&other, Mode::Test, &format!("/alerts/{id}/remove"));
    let stranger = rig.app.browser_of(&other, Role::Owner).await;
    stranger.post_confirmed(&foreign, &[]).await.is(404);
    rig.owner.post_confirmed(&rig.path(&format!("/{id}/remove")), &[]).await.is(303);
    assert_eq!(rig.waiting(), 0);
    assert_eq!(rig.app.query_number("SELECT count(*) FROM alert_channels"), 0);
    let actions = "SELECT count(*) FROM audit_log WHERE action LIKE 'alert_channel.%'";
    assert_eq!(rig.app.query_number(actions), 3);
    let leaked = "SELECT count(*) FROM audit_log WHERE coalesce(\"before\", '') || \
        coalesce(\"after\", '') LIKE '%T0SECRET%'";
    assert_eq!(rig.app.query_number(leaked), 0);

    rig.alert(AlertKind::OperatorDown, "mtn").await;
    let alerts = "SELECT count(*) FROM mail_alerts WHERE kind = 'OPERATOR_DOWN'";
    assert_eq!(rig.app.query_number(alerts), 0, "no person gets the alert, so nothing is stored");
    rig.app.advance(6 * 60);
    let stale = rig.owner.post(&rig.path(""), &[("service", "slack"), ("address", &url)]).await;
    assert!(stale.is(303).header("location").starts_with("/dashboard/proof?return="));
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_are_told_by_e_mail_where_their_alerts_go() {
    let rig = Rig::start().await;
    rig.app.running().store.set_mail(true).await.unwrap();
    test_database::execute(rig.app.folder.path(), "UPDATE users SET password = 'x'");
    rig.add("slack", &rig.receiver.url).await;
    let (_, id) = rig.shown().await;
    rig.owner.post_confirmed(&rig.path(&format!("/{id}/remove")), &[]).await.is(303);
    assert_eq!(rig.app.notices().await, ["CHANNEL_ADDED", "CHANNEL_REMOVED"]);
}

#[tokio::test]
async fn the_pages_of_alerts_lead_to_each_other() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let alerts = page(&account, Mode::Live, "/alerts");
    let owner = app.browser_of(&account, Role::Owner).await;
    let channels = owner.get(&alerts).await.is(200).text;
    assert!(channels.contains("href=\"/dashboard/security#alerts\""), "{channels}");
    let security = owner.get("/dashboard/security").await.is(200).text;
    assert!(security.contains(&format!("href=\"{alerts}\"")), "{security}");
    // Who may not manage settings gets no link to a page that is closed.
    let finance = app.browser_of(&account, Role::Finance).await;
    let security = finance.get("/dashboard/security").await.is(200).text;
    assert!(!security.contains(&alerts), "{security}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_from_a_new_device_is_told_to_chats_that_chose_security() {
    let rig = Rig::start().await;
    let live = page(&rig.account, Mode::Live, "/alerts");
    let address = "https://chat.example/hook";
    let fields = [("service", "https"), ("address", address), ("topic", "security")];
    rig.owner.post(&live, &fields).await.is(200);
    // This one is told about payments, operators and the float.
    rig.add("https", &rig.receiver.url).await;
    let store = rig.app.running().store.clone();
    let user = store.session(rig.owner.token.digest()).await.unwrap().unwrap().user;
    let sign_in = async |browser: &str| {
        let device = Device {
            name: "Firefox on Linux".to_owned(),
            address: "192.0.2.1".parse().ok(),
            browser: SecretDigest::of(browser),
        };
        let now = rig.app.clock.now();
        let (session, _) = Session::begin_on(user.clone(), device, SignInWay::Password, now);
        let by = rig.app.audit();
        store.insert_session(session, jiff::Timestamp::UNIX_EPOCH, &by).await.unwrap();
    };
    sign_in("first").await;
    sign_in("first").await;
    assert_eq!(rig.waiting(), 0, "the first browser is no news");
    sign_in("second").await;
    assert_eq!(rig.waiting(), 1, "of the live channel that chose security");
    let told = "SELECT count(*) FROM mail_alerts WHERE kind = 'NEW_DEVICE' AND digest_id IS NULL";
    assert_eq!(rig.app.query_number(told), 0, "the person gets a security notice by e-mail");
}
