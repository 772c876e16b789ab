//! Mail servers of accounts that do not respond, or respond late.

use super::account_servers::{Shop, server};
use tua_domain::{Generation, Mode, mail::MailStatus, public_url::PublicUrl};
use tua_mail::smtp::SmtpMailer;
use tua_test_support::{
    eventually,
    smtp_server::{Behaviour, Encrypted, SmtpServer},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_server_delays_no_message_of_another_account() {
    let mut shop = Shop::start().await;
    let slow = server().await;
    shop.use_server(&slow).await;
    let slow_account = shop.account.clone();
    shop.switch_account("Other Shop").await;
    let quick = server().await;
    shop.use_server(&quick).await;
    shop.enrol();
    slow.set(Behaviour::Silent);
    for _ in 0..20 {
        shop.app.key(&slow_account, Mode::Live, Generation::V2).await;
    }
    shop.app.key(&shop.account, Mode::Live, Generation::V2).await;
    shop.app.advance(3);
    eventually("the other account's arrived", async || quick.received().len() == 2).await;
    eventually("the silent server has one", async || slow.connections() == 2).await;
    assert_eq!(slow.received().len(), 1, "the test");
    slow.set(Behaviour::Accepts);
    shop.wait_for_pause().await;
    assert_eq!((slow.received().len(), slow.connections()), (1, 2), "after a failure");
    // After the pause the rest follow one another without the clock.
    shop.app.advance(3);
    eventually("the others arrived", async || slow.received().len() == 20).await;
    assert_eq!(slow.connections(), 21);
    shop.app.advance(9);
    eventually("the first was tried again", async || slow.received().len() == 21).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_replies_late_to_a_message_gets_it_once() {
    let shop = Shop::start().await;
    let late = server().await;
    shop.use_server(&late).await;
    shop.app.advance(3);
    shop.enrol();
    late.set(Behaviour::RepliesLate);
    shop.make_key().await;
    shop.app.advance(3);
    eventually("the message is there", async || late.received().len() == 2).await;
    // Longer than anything else that a server does may take.
    shop.app.advance(9 * 60);
    late.set(Behaviour::Accepts);
    let is_ended = async || shop.messages().await[0].attempts > 0;
    eventually("the attempt has ended", is_ended).await;
    let sent = shop.messages().await.remove(0);
    assert_eq!((sent.status, sent.attempts), (MailStatus::Sent, 1), "{:?}", sent.fault);
    assert_eq!((late.received().len(), late.connections()), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_without_an_end_is_cut_off() {
    for encrypted in [Encrypted::FromTheStart, Encrypted::Never] {
        let endless = SmtpServer::start(encrypted, Behaviour::NeverEndsALine).await;
        let public_url = PublicUrl::parse("https://pay.example").unwrap();
        let mailer = SmtpMailer::new(&endless.settings(encrypted), &public_url).unwrap();
        let fault = mailer.check().await.unwrap_err();
        assert!(fault.contains("the server sent more than 256 KiB"), "{encrypted:?}: {fault}");
    }
    let shop = Shop::start().await;
    let endless = SmtpServer::start(Encrypted::NeverWithSignIn, Behaviour::NeverEndsALine).await;
    shop.save(endless.port, "hunter2").await.is(303);
    let tested = shop.test().await.is(422).text;
    assert!(tested.contains("does not reply as a mail server does"), "{tested}");
    assert!(tested.contains("the server sent more than 256 KiB"), "{tested}");
}
