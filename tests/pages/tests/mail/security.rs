//! Security notices: to the person, and about roles and live keys to the owners.

use tua_domain::{
    Generation, Mode,
    mail::SecurityEvent,
    people::{Role, RoleChanger},
};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp, eventually,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
};

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_reads_who_made_a_live_key_when_and_what_to_do() {
    let server = SmtpServer::start(Encrypted::Never, Behaviour::Accepts).await;
    let mail = server.settings(Encrypted::Never);
    let app =
        TestApp::with_clock(OffsetClock::stopped(), |config| config.mail = Some(mail), |all| all)
            .await;
    let account = app.account("Adom Stores").await;
    app.browser_of(&account, Role::Owner).await;
    app.key(&account, Mode::Live, Generation::V2).await;
    assert!(app.notices().await.is_empty(), "an owner who has not enrolled gets none");
    app.query_number("UPDATE users SET password = 'x' RETURNING CAST(1 AS BIGINT)");
    app.key(&account, Mode::Test, Generation::V2).await;
    let shop = app.key(&account, Mode::Live, Generation::V2).await;
    assert_eq!(app.notices().await, [SecurityEvent::LiveKeyMade.as_str()]);
    app.advance(3);
    eventually("the notice was received", async || server.received().len() == 1).await;
    let message = server.received().remove(0).replace("=\r\n", "");
    for part in [
        "To: owner@example.com",
        "Subject: Adom Stores: a live key was made",
        "Ghana time (GMT)",
        "/live/keys",
        "undo it",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains(&shop.credential), "the key itself");
}

#[tokio::test]
async fn owners_are_told_about_roles_and_a_person_about_the_own_role() {
    let app = TestApp::start().await;
    let store = &app.running().store;
    store.set_mail(true).await.unwrap();
    let account = app.account("Adom Stores").await;
    for role in [Role::Owner, Role::Viewer] {
        app.browser_of(&account, role).await;
    }
    assert!(app.notices().await.is_empty());
    for person in ["owner", "viewer"] {
        let enrol = format!(
            "UPDATE users SET password = 'x' WHERE email = '{person}@example.com' RETURNING CAST(1 \
             AS BIGINT)"
        );
        app.query_number(&enrol);
    }
    let viewer = "viewer@example.com".parse().unwrap();
    let by = app.audit();
    for _ in 0..2 {
        store
            .set_role(&viewer, &account, Role::Finance, &RoleChanger::CommandLine, &by)
            .await
            .unwrap();
    }
    assert_eq!(
        app.notices().await,
        ["ROLE_SET", "ROLE_SET"],
        "to the owner and the person; the same role again is none"
    );
    store.remove_member(&viewer, &account, &RoleChanger::CommandLine, &by).await.unwrap();
    assert_eq!(
        app.notices().await,
        ["ROLE_REMOVED", "ROLE_SET"],
        "a person who was deleted gets none"
    );
}
