//! Links with which people get access, which no mail server of an account sends.

use super::account_servers::{Shop, server};
use tua_domain::mail::{MailKind, MailStatus};
use tua_test_support::{
    eventually,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
};

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_shown_and_not_sent_through_the_mail_server_of_the_account() {
    let shop = Shop::start().await;
    let own = server().await;
    shop.use_server(&own).await;
    let invited = shop.invite("kofi@example.com").await.is(200).text;
    assert!(invited.contains("/dashboard/enrol/"), "{invited}");
    assert!(shop.messages().await.is_empty());
}

/// Waits until the newest message was attempted so many times.
async fn attempted(shop: &Shop, times: u32) {
    let is_attempted = async || shop.messages().await[0].attempts == times;
    eventually("it was attempted", is_attempted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_waits_for_the_server_of_the_settings_goes_through_no_other() {
    let mut shop = Shop::start().await;
    let own = server().await;
    shop.use_server(&own).await;
    let service = SmtpServer::start(Encrypted::Never, Behaviour::Greylists).await;
    shop.app.config.mail = Some(service.settings(Encrypted::Never));
    shop.app.restart().await;
    shop.invite("kofi@example.com").await.is(200);
    shop.app.advance(3);
    attempted(&shop, 1).await;
    shop.app.config.mail = None;
    shop.app.restart().await;
    shop.app.advance(9);
    attempted(&shop, 2).await;
    let link = shop.messages().await.remove(0);
    assert_eq!((link.kind, link.status), (MailKind::Invitation, MailStatus::Waiting));
    assert!(link.fault.unwrap().contains("no mail server for this message"));
    assert_eq!(own.received().len(), 1, "the test");
}
