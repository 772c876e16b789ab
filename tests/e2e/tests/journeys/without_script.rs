//! `/pay` in browsers without script, and in browsers where the component cannot start.

use anyhow::Result;
use serde_json::json;
use std::time::Duration;
use tua_e2e::merchant::Merchant;
use tua_e2e::pages::Checkout;
use tua_e2e::{Browser, Powers, TestService, journey, journey_with};

/// A service, and the browser at the page of a session of 25.50 cedis.
async fn at_page(browser: &Browser) -> Result<(TestService, String)> {
    let service = TestService::start().await?;
    let order = service.open_checkout("25.50").await?;
    browser.allow_origin(service.origin());
    browser.open(&order.url).await?;
    Ok((service, order.token))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_without_script_pays_by_approval() {
    journey_with(Powers::NoScript, "no script: approval", |browser| async move {
        let (service, token) = at_page(&browser).await?;
        browser.expect("response 422: ");
        let checkout = Checkout::on(&browser);
        checkout.says("25.50").await?;
        checkout.pay().await?;
        checkout.says("Enter your mobile money number.").await?;
        checkout.says("Choose your network.").await?;
        checkout.type_number("024 123 4567").await?;
        checkout.pay().await?;
        checkout.says("Choose your network.").await?;
        checkout.choose_network("MTN").await?;
        checkout.pay().await?;
        // The page reloads itself.
        checkout.is_paid().await?;
        assert_eq!(browser.count("button", "Copy receipt").await?, 0, "it needs script");
        assert_eq!(browser.count("button", "Print receipt").await?, 0, "it needs script");
        assert_eq!(service.latest_status(&token).await?, "SUCCESSFUL");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_without_script_enters_a_voucher() {
    journey_with(Powers::NoScript, "no script: voucher", |browser| async move {
        let (service, token) = at_page(&browser).await?;
        browser.expect("response 422: ");
        let checkout = Checkout::on(&browser);
        checkout.type_number("0201234567").await?;
        checkout.choose_network("Telecel").await?;
        checkout.pay().await?;
        checkout.asks_for_a_voucher().await?;
        checkout.enter_voucher("000000").await?;
        checkout.says("Tries left: 4").await?;
        checkout.enter_voucher("123456").await?;
        checkout.is_paid().await?;
        assert_eq!(service.latest_status(&token).await?, "SUCCESSFUL");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_without_script_tries_another_number_after_a_failure() {
    journey_with(Powers::NoScript, "no script: another number", |browser| async move {
        let (service, token) = at_page(&browser).await?;
        let checkout = Checkout::on(&browser);
        checkout.type_number("0240000001").await?;
        checkout.choose_network("MTN").await?;
        checkout.pay().await?;
        checkout.has_failed("There is not enough money in this wallet.").await?;
        checkout.press("Try again").await?;
        checkout.says("Attempts left: 3").await?;
        checkout.press("Change number or network").await?;
        checkout.type_number("0241234567").await?;
        checkout.choose_network("MTN").await?;
        checkout.pay().await?;
        checkout.is_paid().await?;
        assert_eq!(service.latest_status(&token).await?, "SUCCESSFUL");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_script_an_expired_page_says_not_to_pay_again() {
    journey_with(Powers::NoScript, "no script: expiry", |browser| async move {
        let (service, _) = at_page(&browser).await?;
        browser.expect("response 401: ");
        let checkout = Checkout::on(&browser);
        checkout.type_number("0240000007").await?;
        checkout.choose_network("MTN").await?;
        checkout.pay().await?;
        checkout.waits_for_approval().await?;
        service.advance(Duration::from_secs(31 * 60)).await?;
        checkout.shows("Your payment is still being confirmed").await?;
        checkout.press("Check now").await?;
        checkout.says("Do not pay again").await?;
        assert_eq!(browser.count("textbox", "").await?, 0, "there is nothing to fill in");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_whose_browser_has_no_webassembly_pays_with_the_pages_forms() {
    journey_with(Powers::NoWasm, "no wasm: the hosted page", |browser| async move {
        let (service, token) = at_page(&browser).await?;
        let checkout = Checkout::on(&browser);
        checkout.type_number("0241234567").await?;
        checkout.choose_network("MTN").await?;
        checkout.pay().await?;
        checkout.waits_for_approval().await?;
        checkout.press("I have approved it").await?;
        checkout.is_paid().await?;
        assert_eq!(service.latest_status(&token).await?, "SUCCESSFUL");
        Ok(service)
    })
    .await;
}

/// A merchant's page with one tag, which allows no WebAssembly, and forms to the service only where
/// `forms` says so.
async fn at_tag_without_wasm(
    browser: &Browser,
    forms: bool,
) -> Result<(TestService, Merchant, String)> {
    let service = TestService::start().await?;
    let order = service.open_checkout("3").await?;
    let body = format!("<tua-checkout token=\"{}\"></tua-checkout>", order.token);
    let forms = if forms { service.origin() } else { "'none'" };
    let merchant = Merchant::without_wasm(service.origin(), &body, forms).await?;
    browser.allow_origin(service.origin());
    browser.allow_origin(merchant.origin());
    browser.expect("wasm-eval");
    browser.open(merchant.origin()).await?;
    Ok((service, merchant, order.url))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_without_wasm_submits_the_input_to_the_hosted_page() {
    journey("wasm refused: the form", |browser| async move {
        let (service, merchant, _) = at_tag_without_wasm(&browser, true).await?;
        let checkout = Checkout::on(&browser);
        checkout.type_number("0241234567").await?;
        checkout.choose_network("Telecel").await?;
        checkout.press("Continue on the payment page").await?;
        checkout.has_taken_over().await?;
        checkout.says("3.00").await?;
        assert_eq!(
            browser.address().await?,
            format!("{}/pay", service.origin()),
            "nothing is in the address"
        );
        assert_eq!(checkout.number().await?.as_deref(), Some("0241234567"));
        assert!(checkout.has_chosen("Telecel").await?);
        checkout.pay().await?;
        checkout.asks_for_a_voucher().await?;
        Ok((service, merchant))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_whose_page_allows_no_forms_links_to_the_hosted_page() {
    journey("wasm refused: the link", |browser| async move {
        let (service, merchant, url) = at_tag_without_wasm(&browser, false).await?;
        browser.expect("form-action");
        let checkout = Checkout::on(&browser);
        checkout.press("Continue on the payment page").await?;
        let link = browser.role("link", "Continue on the payment page").await?;
        assert_eq!(json!(link.attr("href").await?), json!(url));
        link.click().await?;
        checkout.has_taken_over().await?;
        checkout.says("3.00").await?;
        checkout.asks_for_a_number().await?;
        Ok((service, merchant))
    })
    .await;
}
