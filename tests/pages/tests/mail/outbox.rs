//! The outbox of e-mail, with a real SMTP server that accepts, refuses and is away.

use tua_domain::{
    AccountId, Mode,
    mail::{MailFilter, MailStatus, QueuedMail},
    people::Role,
    ports::Clock,
    public_url::PublicUrl,
};
use tua_mail::{settings::MailSettings, smtp::SmtpMailer};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
    binary::{json, run},
    dashboard::{Browser, page},
    eventually,
    failing_plan::{Fault, Moment, Plan},
    smtp_server::{Behaviour, Encrypted, SmtpServer},
    test_database,
};

async fn app_with(server: &SmtpServer, encrypted: Encrypted) -> TestApp {
    let mail = server.settings(encrypted);
    TestApp::with_clock(OffsetClock::stopped(), |config| config.mail = Some(mail), |all| all).await
}

/// Invites a person. Returns the token of the link that the page shows.
async fn invite(owner: &Browser, account: &AccountId, email: &str) -> String {
    let people = page(account, Mode::Test, "/people");
    let invited =
        owner.post(&format!("{people}/invite"), &[("email", email), ("role", "viewer")]).await;
    let shown = invited.is(200).text;
    let (_, rest) = shown.split_once("/dashboard/enrol/").unwrap();
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
    rest.split(is_end).next().unwrap().to_owned()
}

async fn messages(app: &TestApp) -> Vec<QueuedMail> {
    app.running().store.mail(&MailFilter::default(), 10).await.unwrap()
}

/// Moves the clock to the next attempt of the newest message, and waits until so many are recorded.
async fn attempted(app: &TestApp, times: u32) -> QueuedMail {
    let due = messages(app).await[0].due_at;
    app.advance(
        due.map_or(0, |due| due.duration_since(app.clock.now()).as_secs().max(0).unsigned_abs())
            + 3,
    );
    eventually("the message was attempted", async || messages(app).await[0].attempts == times)
        .await;
    messages(app).await.remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_sent_with_its_link_and_the_page_shows_the_link_too() {
    let server = SmtpServer::start(Encrypted::FromTheStart, Behaviour::Accepts).await;
    let app = app_with(&server, Encrypted::FromTheStart).await;
    let account = app.account("Adom Stores").await;
    invite(&app.browser_of(&account, Role::Owner).await, &account, "kofi@example.com").await;
    let sent = attempted(&app, 1).await;
    assert_eq!((sent.status, sent.secret), (MailStatus::Sent, None));
    let message = server.received().remove(0).replace("=\r\n", "");
    let id = format!("Message-ID: <{}@shop.example>", sent.id);
    for part in [
        "To: kofi@example.com",
        "Subject: Your invitation to Adom Stores",
        "/dashboard/enrol/",
        &id,
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_away_gets_the_message_later_and_one_that_refuses_it_gets_it_once() {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Hangs).await;
    let app = app_with(&server, Encrypted::Never).await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let token = invite(&owner, &account, "kofi@example.com").await;
    let waiting = attempted(&app, 1).await;
    assert_eq!((waiting.status, waiting.attempts), (MailStatus::Waiting, 1), "{:?}", waiting.fault);
    let link = app.query_number("SELECT count(*) FROM mail_messages WHERE secret IS NOT NULL");
    assert_eq!(link, 1, "the link is kept");
    let clear = if test_database::is_sqlite() {
        format!("instr(secret, CAST('{token}' AS BLOB)) > 0")
    } else {
        format!("position('{token}'::bytea IN secret) > 0")
    };
    let clear = format!("SELECT count(*) FROM mail_messages WHERE {clear}");
    assert_eq!(app.query_number(&clear), 0, "encrypted");
    server.set(Behaviour::Greylists);
    assert_eq!(attempted(&app, 2).await.status, MailStatus::Waiting);
    server.set(Behaviour::Accepts);
    assert_eq!(attempted(&app, 3).await.status, MailStatus::Sent);
    assert!(
        server.received()[0].contains(waiting.id.as_str()),
        "the same Message-ID on every attempt"
    );
    server.set(Behaviour::Refuses);
    // With a fresh proof: the clock has moved.
    let owner = app.browser_of(&account, Role::Owner).await;
    invite(&owner, &account, "esi@example.com").await;
    let refused = attempted(&app, 1).await;
    assert_eq!((refused.status, refused.attempts, refused.due_at), (MailStatus::GivenUp, 1, None));
    assert!(!refused.fault.unwrap().contains("esi@example.com"));

    let folder = app.folder.path();
    let listed = json(folder, &["mail", "list", "--failed"]);
    assert_eq!(
        (listed.as_array().unwrap().len(), &listed[0]["mailId"]),
        (1, &refused.id.as_str().into()),
        "{listed}"
    );
    assert_eq!(
        (&listed[0]["kind"], &listed[0]["status"]),
        (&"INVITATION".into(), &"GIVEN_UP".into())
    );
    let all = json(folder, &["mail", "list"]);
    assert!(all.as_array().unwrap().len() == 2 && !all.to_string().contains('@'), "{all}");
    let doctor = String::from_utf8(run(folder, &["doctor"]).stdout).unwrap();
    assert!(
        doctor
            .contains("1 messages were given up in the last 30 days; see `tua mail list --failed`"),
        "{doctor}"
    );
    let settings = owner.get(&page(&account, Mode::Test, "/settings")).await.is(200).text;
    assert!(settings.contains("One e-mail was not delivered"), "{settings}");
    let shown =
        owner.get(&page(&account, Mode::Test, "/settings/mail/given-up")).await.is(200).text;
    assert!(shown.contains(refused.id.as_str()) && !shown.contains("esi@example.com"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_away_and_fails_late_gets_the_next_message_without_another_pause() {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Hangs).await;
    let app = app_with(&server, Encrypted::Never).await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    invite(&owner, &account, "kofi@example.com").await;
    assert_eq!(attempted(&app, 1).await.status, MailStatus::Waiting);
    server.set(Behaviour::Silent);
    let due = messages(&app).await[0].due_at.unwrap();
    app.advance(due.duration_since(app.clock.now()).as_secs().unsigned_abs() + 3);
    eventually("the server holds the message", async || server.connections() == 2).await;
    // The pause ends while the only place is still taken.
    app.advance(10);
    invite(&app.browser_of(&account, Role::Owner).await, &account, "esi@example.com").await;
    server.set(Behaviour::Accepts);
    eventually("the next message was sent", async || server.received().len() == 1).await;
    assert!(server.received()[0].contains("To: esi@example.com"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_an_unknown_certificate_gets_the_message_once_it_is_trusted() {
    for encrypted in [Encrypted::FromTheStart, Encrypted::AfterStartTls] {
        let server = SmtpServer::start(encrypted, Behaviour::Accepts).await;
        let other = SmtpServer::start(encrypted, Behaviour::Accepts).await;
        let mail = server.settings_with_root(encrypted, &other.root);
        let clock = OffsetClock::stopped();
        let mut app =
            TestApp::with_clock(clock, |config| config.mail = Some(mail), |all| all).await;
        let account = app.account("Adom Stores").await;
        invite(&app.browser_of(&account, Role::Owner).await, &account, "kofi@example.com").await;
        for attempt in 1..=2 {
            let waiting = attempted(&app, attempt).await;
            assert_eq!(
                (waiting.status, waiting.due_at.is_some()),
                (MailStatus::Waiting, true),
                "{encrypted:?}"
            );
        }
        assert!(server.received().is_empty(), "{encrypted:?}");
        // Where the administrator looks.
        let listed = json(app.folder.path(), &["mail", "list"]);
        assert_eq!(
            (&listed[0]["status"], &listed[0]["attempts"]),
            (&"WAITING".into(), &2.into()),
            "{listed}"
        );
        assert!(listed[0]["fault"].as_str().unwrap().contains("certificate"), "{listed}");

        app.config.mail = Some(server.settings(encrypted));
        app.restart().await;
        assert_eq!(attempted(&app, 3).await.status, MailStatus::Sent, "{encrypted:?}");
        assert_eq!(server.received().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_or_reports_that_fail_stop_no_other_message() {
    for method in ["dispatch_alerts", "dispatch_reports"] {
        let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
        let plan = Plan::default();
        let mail = server.settings(Encrypted::Never);
        let clock = OffsetClock::stopped();
        let app =
            TestApp::with_store(clock, |config| config.mail = Some(mail), |all| all, &plan).await;
        plan.begin(Some(Fault { method: Some(method), moment: Moment::Before, times: usize::MAX }));
        let account = app.account("Adom Stores").await;
        invite(&app.browser_of(&account, Role::Owner).await, &account, "kofi@example.com").await;
        assert_eq!(attempted(&app, 1).await.status, MailStatus::Sent, "{method}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_settings_no_message_is_stored_and_a_removed_person_gets_none() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    invite(&owner, &account, "kofi@example.com").await;
    assert!(messages(&app).await.is_empty());
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    invite(&owner, &account, "kofi@example.com").await;
    assert_eq!(messages(&app).await.len(), 1);
    let kofi = store.user_by_email(&"kofi@example.com".parse().unwrap()).await.unwrap().unwrap();
    let people = page(&account, Mode::Test, "/people");
    owner.post_confirmed(&format!("{people}/{}/remove", kofi.id), &[]).await.is(303);
    assert!(messages(&app).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_greeting_is_no_final_refusal_of_a_message() {
    for behaviour in [
        Behaviour::RefusesClient(554),
        Behaviour::RefusesClient(421),
        Behaviour::RefusesName(550),
        Behaviour::RefusesName(451),
        Behaviour::RefusesSignIn,
    ] {
        let server = SmtpServer::start(Encrypted::FromTheStart, behaviour).await;
        let app = app_with(&server, Encrypted::FromTheStart).await;
        let account = app.account("Adom Stores").await;
        invite(&app.browser_of(&account, Role::Owner).await, &account, "kofi@example.com").await;
        let waiting = attempted(&app, 1).await;
        assert_eq!(waiting.status, MailStatus::Waiting, "{behaviour:?}: {:?}", waiting.fault);
        server.set(Behaviour::Accepts);
        assert_eq!(attempted(&app, 2).await.status, MailStatus::Sent, "{behaviour:?}");
    }
}

#[tokio::test]
async fn the_greeting_gives_the_public_urls_host_or_the_name_of_the_settings() {
    for (hello_name, public_url, expected) in [
        (None, "https://Pay.Example:443", "pay.example"),
        (None, "http://127.0.0.1:8080", "[127.0.0.1]"),
        (Some("mx.shop.example"), "https://pay.example", "mx.shop.example"),
    ] {
        let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
        let mail = MailSettings {
            hello_name: hello_name.map(str::to_owned),
            ..server.settings(Encrypted::Never)
        };
        SmtpMailer::new(&mail, &PublicUrl::parse(public_url).unwrap())
            .unwrap()
            .check()
            .await
            .unwrap();
        assert_eq!(server.names(), [expected]);
    }
}
