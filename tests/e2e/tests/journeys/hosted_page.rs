//! `/pay`: the checkout without a merchant's page around it.

use anyhow::Result;
use reqwest::Response;
use std::time::Duration;
use tua_e2e::pages::Checkout;
use tua_e2e::{Browser, TestService, journey};

const MORE_THAN_A_TOKEN_LIVES: Duration = Duration::from_secs(31 * 60);

async fn open(browser: &Browser, service: &TestService, token: &str) -> Result<()> {
    browser.allow_origin(service.origin());
    browser.open(&hosted(service, token)).await
}

fn hosted(service: &TestService, token: &str) -> String {
    format!("{}/pay?key={token}", service.origin())
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_pays_on_the_hosted_page() {
    journey("a payer pays on the hosted page", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("25.50").await?;
        browser.allow_origin(service.origin());
        browser.open(&order.url).await?;
        let checkout = Checkout::on(&browser);
        checkout.has_taken_over().await?;
        checkout.says("25.50").await?;
        checkout.type_number("+233 24 123 4567").await?;
        checkout.pay().await?;
        checkout.is_paid().await?;
        assert_eq!(service.latest_status(&order.token).await?, "SUCCESSFUL");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_copies_and_prints_the_receipt() {
    journey("a receipt is copied", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("10").await?;
        open(&browser, &service, &order.token).await?;
        let checkout = Checkout::on(&browser);
        checkout.has_taken_over().await?;
        checkout.type_number("0241234567").await?;
        checkout.pay().await?;
        checkout.is_paid().await?;
        checkout.press("Copy receipt").await?;
        checkout.says("Receipt copied").await?;
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_during_a_payment_shows_it_again() {
    journey("a reload in the middle", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("10").await?;
        open(&browser, &service, &order.token).await?;
        let checkout = Checkout::on(&browser);
        checkout.has_taken_over().await?;
        checkout.type_number("0201234567").await?;
        checkout.pay().await?;
        checkout.asks_for_a_voucher().await?;
        browser.reload().await?;
        checkout.has_taken_over().await?;
        checkout.asks_for_a_voucher().await?;
        checkout.enter_voucher("000000").await?;
        checkout.says("That code was not right").await?;
        checkout.enter_voucher("123456").await?;
        checkout.is_paid().await?;
        browser.reload().await?;
        checkout.is_paid().await?;
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_token_shows_an_error_page() {
    journey("an unknown token", |browser| async move {
        let service = TestService::start().await?;
        browser.expect("response 404: ");
        open(&browser, &service, "tua_checkout_nobodyknowsthis").await?;
        browser.says("This payment link is not valid").await?;
        browser.says("No money was taken").await?;
        assert_eq!(browser.count("textbox", "").await?, 0, "there is nothing to fill in");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_token_shows_that_the_session_expired() {
    journey("an expired token", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("10").await?;
        service.advance(MORE_THAN_A_TOKEN_LIVES).await?;
        browser.expect("response 401: ");
        open(&browser, &service, &order.token).await?;
        browser.says("This checkout has expired").await?;
        browser.says("No money was taken").await?;
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_session_shows_as_paid_after_its_expiry() {
    journey("paid and back late", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("10").await?;
        open(&browser, &service, &order.token).await?;
        let checkout = Checkout::on(&browser);
        checkout.has_taken_over().await?;
        checkout.type_number("0241234567").await?;
        checkout.pay().await?;
        checkout.is_paid().await?;
        service.advance(MORE_THAN_A_TOKEN_LIVES).await?;
        browser.expect("response 401: ");
        browser.reload().await?;
        browser.says("This checkout has been paid").await?;
        assert_eq!(browser.count("button", "Pay").await?, 0, "nobody is asked to pay again");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_session_with_a_pending_charge_says_not_to_pay_again() {
    journey("pending and back late", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("10").await?;
        open(&browser, &service, &order.token).await?;
        let checkout = Checkout::on(&browser);
        checkout.has_taken_over().await?;
        checkout.type_number("0240000007").await?;
        checkout.pay().await?;
        checkout.waits_for_approval().await?;
        service.advance(MORE_THAN_A_TOKEN_LIVES).await?;
        browser.expect("response 401: ");
        browser.reload().await?;
        browser.says("Your payment is still being confirmed").await?;
        browser.says("do not pay again").await?;
        assert_eq!(browser.count("button", "Pay").await?, 0, "nobody is asked to pay again");
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hosted_page_answers_under_a_strict_policy() -> Result<()> {
    let service = TestService::start().await?;
    let order = service.open_checkout("10").await?;
    for (address, status) in [
        (order.url.clone(), 200),
        (hosted(&service, "tua_checkout_nobodyknowsthis"), 404),
        (format!("{}/pay", service.origin()), 404),
    ] {
        let response = reqwest::get(&address).await?;
        assert_eq!(response.status().as_u16(), status, "{address}");
        let policy = header(&response, "content-security-policy").to_owned();
        assert!(
            policy.contains("default-src 'none'") || policy.contains("default-src 'self'"),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(policy.contains("'wasm-unsafe-eval'"), "{policy}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{policy}");
        assert!(!policy.contains('*'), "{policy}");
        assert_eq!(header(&response, "referrer-policy"), "no-referrer", "{address}");
        assert!(header(&response, "cache-control").contains("no-store"), "{address}");
        assert!(header(&response, "content-type").starts_with("text/html"), "{address}");
        assert_eq!(header(&response, "x-content-type-options"), "nosniff", "{address}");
        assert_eq!(header(&response, "set-cookie"), "", "{address}: no cookie");
    }
    Ok(())
}
