//! `<tua-checkout>` in a merchant's page: another origin, a strict security policy.

use anyhow::Result;
use serde_json::json;
use tua_e2e::merchant::Merchant;
use tua_e2e::pages::Checkout;
use tua_e2e::{Browser, Key, TestService, journey};

/// Stores the events of the page for the test.
const LISTEN: &str = "window.told = []; \
    for (const type of ['ready', 'pending', 'successful', 'failed', 'expired', 'error']) \
    document.addEventListener('tua-' + type, (event) => window.told.push([type, \
    event.target.id]));";
const TOLD: &str = "return window.told";
const SET_TOKEN: &str = "document.getElementById(arguments[0]).setAttribute('token', arguments[1])";

fn tag(id: &str, token: &str) -> String {
    format!("<tua-checkout id=\"{id}\" token=\"{token}\"></tua-checkout>")
}

/// Opens a merchant's page with this body. The browser may send requests to the page and to the
/// service only.
async fn open_page(browser: &Browser, service: &TestService, body: &str) -> Result<Merchant> {
    let merchant = Merchant::with_page(service.origin(), body, LISTEN).await?;
    browser.allow_origin(service.origin());
    browser.allow_origin(merchant.origin());
    browser.open(merchant.origin()).await?;
    Ok(merchant)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_pays_in_a_page_of_another_origin() {
    journey("a payer pays in a tag", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("12.30").await?;
        let body = tag("one", &order.token);
        let merchant = open_page(&browser, &service, &body).await?;

        let checkout = Checkout::on(&browser);
        checkout.says("12.30").await?;
        checkout.type_number("0241234567").await?;
        checkout.pay().await?;
        checkout.is_paid().await?;
        let told = browser.run(TOLD, vec![]).await?;
        assert_eq!(
            told,
            json!([["ready", "one"], ["pending", "one"], ["successful", "one"]]),
            "one event per change"
        );
        Ok((service, merchant))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_pays_with_the_keyboard_alone() {
    journey("the keyboard alone", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("5").await?;
        let body = tag("one", &order.token);
        let merchant = open_page(&browser, &service, &body).await?;

        let checkout = Checkout::on(&browser);
        checkout.asks_for_a_number().await?;
        browser.keys(Key::Tab + "0201234567" + Key::Enter).await?;
        checkout.asks_for_a_voucher().await?;
        browser.keys(Key::Tab + "123456" + Key::Enter).await?;
        checkout.is_paid().await?;
        Ok((service, merchant))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_network_is_never_overridden_by_the_number() {
    journey("a chosen network stays", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("5").await?;
        let body = tag("one", &order.token);
        let merchant = open_page(&browser, &service, &body).await?;

        let checkout = Checkout::on(&browser);
        checkout.asks_for_a_number().await?;
        checkout.choose_network("Telecel").await?;
        checkout.type_number("0241234567").await?;
        assert!(checkout.has_chosen("Telecel").await?);
        checkout.pay().await?;
        checkout.asks_for_a_voucher().await?;
        Ok((service, merchant))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_set_later_is_used() {
    journey("a token that comes late", |browser| async move {
        let service = TestService::start().await?;
        let merchant =
            open_page(&browser, &service, "<tua-checkout id=\"one\"></tua-checkout>").await?;

        let order = service.open_checkout("7").await?;
        browser.run(SET_TOKEN, vec![json!("one"), json!(order.token)]).await?;
        let checkout = Checkout::on(&browser);
        checkout.says("7.00").await?;
        checkout.type_number("0241234567").await?;
        checkout.pay().await?;
        checkout.is_paid().await?;
        Ok((service, merchant))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tags_on_one_page_are_independent() {
    journey("two tags on one page", |browser| async move {
        let service = TestService::start().await?;
        let first = service.open_checkout("1").await?;
        let second = service.open_checkout("2").await?;
        let body = [tag("one", &first.token), tag("two", &second.token)].concat();
        let merchant = open_page(&browser, &service, &body).await?;

        let tags = browser.tags("tua-checkout").await?;
        let one = Checkout::at(&browser, tags[0].clone());
        let two = Checkout::at(&browser, tags[1].clone());
        one.says("1.00").await?;
        two.says("2.00").await?;
        one.type_number("0240000001").await?;
        two.type_number("0241234567").await?;
        one.pay().await?;
        one.has_failed("There is not enough money in this wallet.").await?;
        two.pay().await?;
        two.is_paid().await?;
        one.shows("Payment not completed").await?;
        assert_eq!(service.latest_status(&first.token).await?, "FAILED");
        assert_eq!(service.latest_status(&second.token).await?, "SUCCESSFUL");
        Ok((service, merchant))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_continues_after_the_service_was_unreachable() {
    journey("the service goes and comes back", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("9").await?;
        let body = tag("one", &order.token);
        browser.expect("no response: ");
        let merchant = open_page(&browser, &service, &body).await?;

        let checkout = Checkout::on(&browser);
        checkout.type_number("0201234567").await?;
        checkout.pay().await?;
        checkout.asks_for_a_voucher().await?;
        service.stop().await?;
        checkout.says("No connection. Your payment goes on").await?;
        service.start_again().await?;
        checkout.enter_voucher("123456").await?;
        checkout.is_paid().await?;
        Ok((service, merchant))
    })
    .await;
}
