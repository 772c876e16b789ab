//! Mail servers of accounts that do not respond, or respond late.

use super::account_servers::{Shop, server};
use tua_domain::{Generation, Mode};
use tua_test_support::{eventually, smtp_server::Behaviour};

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
    // The rest follow one another without the clock.
    slow.set(Behaviour::Accepts);
    eventually("the others arrived", async || slow.received().len() == 20).await;
    assert_eq!(slow.connections(), 21);
    shop.app.advance(9);
    eventually("the first was tried again", async || slow.received().len() == 21).await;
}
