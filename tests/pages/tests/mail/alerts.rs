//! Alerts to the owners of an account: what happened is sent once, and a storm is one message.

use jiff::SignedDuration;
use std::sync::Arc;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    AccountId, Generation, Mode, Scope, TransactionId,
    mail::{Alert, AlertKind, AlertTopic, MailFilter, MailKind, MailLease, MailOutcome, MailShare},
    people::Role,
    ports::{Clock, StatusResponse},
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp, eventually,
    scripted_operator::ScriptedOperator,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
    test_database,
};

/// Adds an owner who has enrolled.
async fn enrolled_owner(app: &TestApp, account: &AccountId) {
    app.browser_of(account, Role::Owner).await;
    app.query_number("UPDATE users SET password = 'x' RETURNING CAST(1 AS BIGINT)");
}

/// The only message that was received after so many others.
async fn received(server: &SmtpServer, before: usize) -> String {
    eventually("a message was received", async || server.received().len() > before).await;
    assert_eq!(server.received().len(), before + 1);
    server.received().remove(before).replace("=\r\n", "").replace("=20\r\n", " ")
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_are_told_about_a_conflict_and_later_alerts_are_collected() {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let refused = Observation::Failed(FailureCode::CustomerRejected);
    let operator = ScriptedOperator::new().sends(|_| Some(Observation::Succeeded));
    let operator = Arc::new(operator.asks(move |_| Some(StatusResponse::known(refused))));
    let mail = server.settings(Encrypted::Never);
    let app = TestApp::with_clock(
        OffsetClock::stopped(),
        |config| config.mail = Some(mail),
        operator.behind_test(),
    )
    .await;
    let account = app.account("Adom Stores").await;
    enrolled_owner(&app, &account).await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let store = &app.running().store;
    let charge = store.transaction(&TransactionId::new(&id)).await.unwrap().unwrap();
    app.running().status_queries.refresh(&charge.order.id).await;
    app.advance(13);
    let message = received(&server, 0).await;
    for part in
        ["To: owner@example.com", "contradicts its final status", "/payments/txn_", "GHS 10.50"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains("0241234567"), "a payer's number");

    for number in 0..30 {
        let scope = Scope { account: account.clone(), mode: Mode::Live };
        let now = app.clock.now();
        let alert = Alert {
            scope,
            kind: AlertKind::KeyExposed,
            subject: format!("key_{number}"),
            occurred_at: now,
        };
        store.add_alert(alert.clone()).await.unwrap();
        store.add_alert(alert).await.unwrap();
    }
    app.advance(60);
    // The worker that sends mail found nothing, and sleeps.
    let next = app.test_clock.now_plus_milliseconds(2500);
    app.test_clock.wait_for_sleepers(next, 1).await;
    assert_eq!(server.received().len(), 1, "at most one message in half an hour");
    app.advance(30 * 60);
    let message = received(&server, 1).await;
    assert!(message.contains("Adom Stores: 30 things need attention"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_alerts_does_not_hide_an_exposed_key_or_a_conflict() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    enrolled_owner(&app, &account).await;
    let start = app.clock.now();
    let alerts = [
        (Mode::Test, AlertKind::KeyExposed),
        (Mode::Live, AlertKind::OperatorDown),
        (Mode::Live, AlertKind::Review),
        (Mode::Live, AlertKind::Conflict),
        (Mode::Test, AlertKind::Review),
        (Mode::Live, AlertKind::KeyExposed),
    ];
    for (second, (mode, kind)) in (0..).zip(alerts) {
        let scope = Scope { account: account.clone(), mode };
        let occurred_at = start + SignedDuration::from_secs(second);
        store
            .add_alert(Alert { scope, kind, subject: "subject".to_owned(), occurred_at })
            .await
            .unwrap();
    }
    store.dispatch_alerts(start + SignedDuration::from_mins(1)).await.unwrap();
    let message = store.mail(&MailFilter::default(), 1).await.unwrap().remove(0);
    let digest = store.alert_digest(&message.detail.unwrap(), AlertTopic::ALL, 5).await.unwrap();
    assert_eq!(digest.count, 6);
    let shown: Vec<(Mode, AlertKind)> =
        digest.alerts.iter().map(|one| (one.scope.mode, one.kind)).collect();
    assert_eq!(shown, [alerts[3], alerts[5], alerts[1], alerts[2], alerts[0]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_key_in_a_page_is_an_alert_once_a_day() {
    let app = TestApp::start().await;
    app.running().store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    let key = app.key(&account, Mode::Live, Generation::V2).await;
    for _ in 0..2 {
        let request = key
            .http
            .get(format!("{}/v1/networks", key.origin))
            .header("origin", "https://shop.example");
        assert_eq!(request.bearer_auth(&key.credential).send().await.unwrap().status(), 403);
    }
    assert_eq!(
        app.query_number(
            "SELECT count(*) FROM mail_alerts WHERE kind = 'KEY_EXPOSED' AND mode = 'live'"
        ),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_waits_until_an_owner_can_be_told_and_a_passkey_is_enough() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    let scope = Scope { account: account.clone(), mode: Mode::Live };
    let start = app.clock.now();
    let alert = Alert {
        scope,
        kind: AlertKind::KeyExposed,
        subject: "key_1".to_owned(),
        occurred_at: start,
    };
    store.add_alert(alert).await.unwrap();
    let later = |minutes| start + SignedDuration::from_mins(minutes);
    let waiting = "SELECT count(*) FROM mail_alerts WHERE digest_id IS NULL";
    let messages = "SELECT count(*) FROM mail_messages WHERE kind = 'ALERTS'";
    store.dispatch_alerts(later(1)).await.unwrap();
    app.browser_of(&account, Role::Owner).await;
    store.dispatch_alerts(later(2)).await.unwrap();
    assert_eq!((app.query_number(waiting), app.query_number(messages)), (1, 0), "nobody was told");
    let passkey =
        "INSERT INTO passkeys (id, user_id, credential_id, credential, device, created_at)
                   SELECT 'psk_1', id, CAST('x' AS CREDENTIAL), '{}', 'Firefox', 0 FROM users";
    let bytes = if test_database::is_sqlite() { "BLOB" } else { "BYTEA" };
    assert_eq!(test_database::execute(app.folder.path(), &passkey.replace("CREDENTIAL", bytes)), 1);
    store.dispatch_alerts(later(3)).await.unwrap();
    assert_eq!((app.query_number(waiting), app.query_number(messages)), (0, 1));
    app.key(&account, Mode::Live, Generation::V2).await;
    assert_eq!(app.notices().await, ["LIVE_KEY_MADE"], "a passkey is enough for a notice too");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_of_which_no_message_was_sent_is_sent_again() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    enrolled_owner(&app, &account).await;
    let second = "ama@example.com".parse().unwrap();
    app.browser_of_person(&second, &account, Role::Owner).await;
    test_database::execute(app.folder.path(), "UPDATE users SET password = 'x'");
    let scope = Scope { account: account.clone(), mode: Mode::Live };
    let start = app.clock.now();
    let alert = Alert {
        scope,
        kind: AlertKind::KeyExposed,
        subject: "key_1".to_owned(),
        occurred_at: start,
    };
    store.add_alert(alert).await.unwrap();
    let waiting = "SELECT count(*) FROM mail_alerts WHERE digest_id IS NULL";
    let minutes = |minutes| start + SignedDuration::from_mins(minutes);
    let outcomes = [
        [MailOutcome::Refused("550".to_owned()), MailOutcome::Moot("no owner any more".to_owned())],
        [MailOutcome::Refused("550".to_owned()), MailOutcome::Sent],
    ];
    for (round, (outcomes, still_waiting)) in (0..).zip(outcomes.into_iter().zip([1, 0])) {
        let now = minutes(1 + 31 * round);
        store.dispatch_alerts(now).await.unwrap();
        assert_eq!(app.query_number(waiting), 0);
        let until = minutes(2 + 31 * round);
        let lease = MailLease { now, until, limit: 9, share: MailShare::All };
        let mut mails = store.lease_mail(&lease).await.unwrap();
        mails.retain(|mail| mail.kind == MailKind::Alerts);
        assert_eq!(mails.len(), 2, "one for each owner: {mails:?}");
        for (mail, outcome) in mails.iter().zip(outcomes) {
            store.record_mail(mail, outcome, now).await.unwrap();
        }
        assert_eq!(app.query_number(waiting), still_waiting, "round {round}");
    }
}
