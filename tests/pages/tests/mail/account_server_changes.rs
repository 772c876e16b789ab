//! What owners are told about changes of the mail server of an account, and through which one.

use super::account_servers::{Shop, server};
use tua_domain::{
    Mode, Scope,
    mail::{Alert, AlertKind, MailKind, MailStatus, QueuedMail},
    people::Role,
    ports::Clock,
};
use tua_test_support::{eventually, smtp_server::Behaviour};

#[tokio::test(flavor = "multi_thread")]
async fn owners_are_told_about_another_server_through_it_and_through_the_one_before() {
    let shop = Shop::start().await;
    shop.enrol();
    let first = server().await;
    let second = server().await;
    shop.use_server(&first).await;
    assert_eq!(shop.app.notices().await, ["MAIL_SERVER_SET"]);
    shop.app.advance(3);
    eventually("told", async || first.received().len() == 2).await;
    shop.use_server(&second).await;
    assert_eq!(
        shop.app.notices().await,
        ["MAIL_SERVER_LEFT", "MAIL_SERVER_SET", "MAIL_SERVER_SET"]
    );
    shop.app.advance(3);
    eventually("told by both", async || {
        first.received().len() == 3 && second.received().len() == 2
    })
    .await;
    let left = first.received().remove(2).replace("=\r\n", "");
    assert!(left.contains("no longer goes through a mail server"), "{left}");
    assert!(left.contains(&format!("127.0.0.1:{}", first.port)), "{left}");
    let removed = shop.post("/remove", &[]).await.is(303);
    assert!(removed.header("location").contains("mail-server-removed"), "{removed:?}");
    shop.app.advance(3);
    eventually("told by the last one", async || second.received().len() == 3).await;
    let store = &shop.app.running().store;
    assert!(!store.is_mail_on(Some(&shop.account)).await.unwrap());
    let is_sent =
        |mail: &QueuedMail| mail.kind != MailKind::Security || mail.status == MailStatus::Sent;
    eventually("all were sent", async || shop.messages().await.iter().all(is_sent)).await;
    for mail in shop.messages().await {
        assert!(!mail.detail.unwrap_or_default().contains("hunter2"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_removed_at_once_sends_the_notice_of_its_removal() {
    let shop = Shop::start().await;
    let first = server().await;
    let second = server().await;
    shop.use_server(&first).await;
    shop.enrol();
    shop.use_server(&second).await;
    shop.post("/remove", &[]).await.is(303);
    let settings = "SELECT count(*) FROM mail_messages WHERE secret IS NOT NULL";
    assert!(shop.app.query_number(settings) > 0, "the notices have them");
    shop.app.advance(3);
    let left = |received: Vec<String>| {
        received.iter().filter(|text| text.contains("no longer goes through")).count()
    };
    eventually("told by each", async || {
        left(first.received()) == 1 && left(second.received()) == 1
    })
    .await;
    eventually("deleted", async || shop.app.query_number(settings) == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_of_the_same_server_is_told_as_a_change() {
    let shop = Shop::start().await;
    let server = server().await;
    shop.use_server(&server).await;
    shop.enrol();
    shop.use_server(&server).await;
    assert_eq!(shop.app.notices().await, ["MAIL_SERVER_CHANGED"]);
    shop.app.advance(3);
    eventually("told", async || server.received().len() == 3).await;
    let told = server.received().remove(2).replace("=\r\n", "");
    assert!(told.contains("settings of the mail server were changed"), "{told}");
}

async fn add_alert(shop: &Shop, subject: &str) {
    let alert = Alert {
        scope: Scope { account: shop.account.clone(), mode: Mode::Live },
        kind: AlertKind::KeyExposed,
        subject: subject.to_owned(),
        occurred_at: shop.app.clock.now(),
    };
    shop.app.running().store.add_alert(alert).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_removal_waiting_notices_are_sent_and_alerts_are_not_sent_late() {
    let mut shop = Shop::start().await;
    let server = server().await;
    shop.use_server(&server).await;
    shop.enrol();
    server.set(Behaviour::Greylists);
    add_alert(&shop, "key_1").await;
    shop.make_key().await;
    shop.app.advance(12);
    let tried = async || shop.messages().await.iter().filter(|mail| mail.attempts > 0).count();
    eventually("one was tried", async || tried().await == 1).await;
    shop.wait_for_pause().await;
    shop.app.advance(3);
    eventually("the alert and the notice were tried", async || tried().await == 2).await;
    add_alert(&shop, "key_2").await;
    shop.post("/remove", &[]).await.is(303);
    add_alert(&shop, "key_3").await;
    let waiting = "SELECT count(*) FROM mail_alerts WHERE digest_id IS NULL";
    assert_eq!(shop.app.query_number(waiting), 0);
    server.set(Behaviour::Accepts);
    shop.app.advance(31 * 60);
    let is_ended = |mail: &QueuedMail| match mail.kind {
        MailKind::Alerts => mail.status == MailStatus::Moot,
        _ => mail.status == MailStatus::Sent,
    };
    let all_ended = async || shop.messages().await.iter().all(is_ended);
    eventually("the notices were sent", all_ended).await;
    // With a fresh proof: the clock has moved.
    shop.owner = shop.app.browser_of(&shop.account, Role::Owner).await;
    shop.use_server(&server).await;
    shop.app.advance(31 * 60);
    eventually("told", async || server.received().len() == 5).await;
    shop.make_key().await;
    shop.app.advance(3);
    eventually("the next one", async || server.received().len() == 6).await;
    assert!(server.received().iter().all(|message| !message.contains("plain HTTP")));
}
