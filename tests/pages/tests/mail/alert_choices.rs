//! What a person is told about an account by e-mail, as the person has chosen it.

use jiff::{SignedDuration, Timestamp};
use tua_domain::{
    AccountId, Mode, Scope,
    mail::{Alert, AlertKind, MailFilter, MailKind, MailLease, MailOutcome, MailShare, QueuedMail},
    people::Role,
    ports::Clock,
};
use tua_mail::composer::{Composed, Composer};
use tua_test_support::{TestApp, dashboard::Browser, test_database};

const SECURITY: &str = "/dashboard/security";

/// The service with e-mail, an owner and a person of the finance, both enrolled.
struct Shop {
    app: TestApp,
    account: AccountId,
    owner: Browser,
    finance: Browser,
}

impl Shop {
    async fn start() -> Self {
        let app = TestApp::start().await;
        app.running().store.set_mail(true).await.unwrap();
        let account = app.account("Adom Stores").await;
        let owner = app.browser_of(&account, Role::Owner).await;
        let finance = app.browser_of(&account, Role::Finance).await;
        test_database::execute(app.folder.path(), "UPDATE users SET password = 'x'");
        Self { app, account, owner, finance }
    }

    async fn choose(&self, browser: &Browser, topics: &[&str]) {
        let fields: Vec<(&str, &str)> = topics.iter().map(|topic| ("topic", *topic)).collect();
        let path = format!("{SECURITY}/alerts/{}", self.account);
        browser.post(&path, &fields).await.is(303);
    }

    async fn add(&self, kind: AlertKind, occurred_at: Timestamp) {
        let scope = Scope { account: self.account.clone(), mode: Mode::Live };
        let subject = "subject".to_owned();
        let alert = Alert { scope, kind, subject, occurred_at };
        self.app.running().store.add_alert(alert).await.unwrap();
    }

    /// The messages with alerts that are made so many minutes after the start, by recipient.
    async fn dispatched(&self, at: Timestamp) -> Vec<(String, QueuedMail)> {
        let store = &self.app.running().store;
        store.dispatch_alerts(at).await.unwrap();
        let mut found = Vec::new();
        for mail in store.mail(&MailFilter::default(), 100).await.unwrap() {
            if mail.kind == MailKind::Alerts && mail.occurred_at == at {
                let user = store.user(mail.user.as_ref().unwrap()).await.unwrap().unwrap();
                found.push((user.email.as_str().to_owned(), mail));
            }
        }
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found
    }

    async fn composed(&self, mail: &QueuedMail, now: Timestamp) -> Composed {
        let running = self.app.running();
        let composer = Composer {
            contents: running.mail_contents(),
            public_url: self.app.origin.clone(),
            dashboard_url: self.app.origin.clone(),
        };
        composer.compose(mail, now).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_person_gets_what_the_person_chose_and_nothing_else() {
    let shop = Shop::start().await;
    let start = shop.app.clock.now();
    shop.choose(&shop.owner, &["payments"]).await;
    shop.choose(&shop.finance, &["operators"]).await;
    for kind in [AlertKind::Review, AlertKind::OperatorDown, AlertKind::FloatLow] {
        shop.add(kind, start).await;
    }
    let at = start + SignedDuration::from_mins(1);
    let messages = shop.dispatched(at).await;
    let to: Vec<&str> = messages.iter().map(|(to, _)| to.as_str()).collect();
    assert_eq!(to, ["finance@example.com", "owner@example.com"]);
    for ((_, mail), expected) in messages.iter().zip(["does not respond", "needed a decision"]) {
        let Composed::Ready(message) = shop.composed(mail, at).await else {
            panic!("not sent: {mail:?}")
        };
        assert!(message.subject.contains(expected), "one alert alone: {}", message.subject);
        assert!(message.text.contains("/dashboard/security#alerts"), "{}", message.text);
    }

    shop.choose(&shop.owner, &[]).await;
    let Composed::Moot(reason) = shop.composed(&messages[1].1, at).await else { panic!("sent") };
    assert!(reason.contains("no longer told"), "{reason}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaked_key_is_always_told_to_owners_and_who_wants_nothing_gets_nothing() {
    let shop = Shop::start().await;
    let start = shop.app.clock.now();
    shop.choose(&shop.owner, &[]).await;
    let page = shop.owner.get(SECURITY).await.is(200).text;
    assert!(page.contains("value=\"security\" checked disabled"), "{page}");
    assert!(page.contains("value=\"float\">") && page.contains("They cannot be switched off"));

    shop.add(AlertKind::Review, start).await;
    let first = start + SignedDuration::from_mins(1);
    assert!(shop.dispatched(first).await.is_empty());
    let waiting = "SELECT count(*) FROM mail_alerts WHERE digest_id IS NULL";
    assert_eq!(shop.app.query_number(waiting), 0, "it does not wait for ever");

    shop.add(AlertKind::KeyExposed, first).await;
    let messages = shop.dispatched(first + SignedDuration::from_mins(1)).await;
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].0, "owner@example.com");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_is_of_the_own_account_and_of_topics_that_the_role_may_see() {
    let shop = Shop::start().await;
    let other = shop.app.account("Other").await;
    let foreign = format!("{SECURITY}/alerts/{other}");
    shop.owner.post(&foreign, &[("topic", "payments")]).await.is(404);
    let own = format!("{SECURITY}/alerts/{}", shop.account);
    shop.owner.post(&own, &[("topic", "weather")]).await.is(404);

    let shown = shop.finance.get(SECURITY).await.is(200).text;
    assert!(shown.contains("value=\"payments\">"), "off before it is chosen: {shown}");
    for hidden in ["float", "webhooks", "security"] {
        assert!(!shown.contains(&format!("value=\"{hidden}\"")), "{hidden}: {shown}");
    }
    shop.choose(&shop.finance, &["approvals", "float"]).await;
    let shown = shop.finance.get(SECURITY).await.is(200).text;
    assert!(shown.contains("value=\"approvals\" checked"), "{shown}");
    shop.choose(&shop.owner, &["webhooks"]).await;
    let start = shop.app.clock.now();
    shop.add(AlertKind::FloatLow, start).await;
    let messages = shop.dispatched(start + SignedDuration::from_mins(1)).await;
    assert!(messages.is_empty(), "a float is the owners' alone: {messages:?}");
    let audited = "SELECT count(*) FROM audit_log WHERE action = 'alerts.chosen' AND source = \
        'dashboard'";
    assert_eq!(shop.app.query_number(audited), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_is_sent_again_if_it_was_sent_to_nobody_who_chose_it() {
    let shop = Shop::start().await;
    let store = &shop.app.running().store;
    let start = shop.app.clock.now();
    shop.choose(&shop.owner, &["payments"]).await;
    shop.choose(&shop.finance, &["operators"]).await;
    for kind in [AlertKind::Review, AlertKind::OperatorDown] {
        shop.add(kind, start).await;
    }
    let first = start + SignedDuration::from_mins(1);
    let messages = shop.dispatched(first).await;
    assert_eq!(messages.len(), 2);
    let until = start + SignedDuration::from_mins(2);
    let lease = MailLease { now: first, until, limit: 9, share: MailShare::All };
    let leased = store.lease_mail(&lease).await.unwrap();
    let outcomes = [MailOutcome::Sent, MailOutcome::Refused("550".to_owned())];
    for ((_, mail), outcome) in messages.iter().zip(outcomes) {
        let leased = leased.iter().find(|one| one.id == mail.id).unwrap();
        store.record_mail(leased, outcome, first).await.unwrap();
    }
    let waiting = "SELECT count(*) FROM mail_alerts WHERE digest_id IS NULL";
    assert_eq!(shop.app.query_number(waiting), 1);
    let review = format!("{waiting} AND kind = 'REVIEW'");
    assert_eq!(shop.app.query_number(&review), 1, "the person of the finance did not choose it");

    let again = shop.dispatched(start + SignedDuration::from_mins(32)).await;
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].0, "owner@example.com");
    assert_eq!(shop.app.query_number(waiting), 0);
}
