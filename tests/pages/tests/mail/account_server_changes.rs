//! What owners are told about changes of the mail server of an account, and through which one.

use super::account_servers::{Shop, server};
use tua_domain::mail::{MailKind, MailStatus, QueuedMail};
use tua_test_support::eventually;

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
