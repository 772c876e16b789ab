//! The component takes over the page that the server rendered.

use serde_json::json;
use tua_e2e::pages::Checkout;
use tua_e2e::{TestService, journey};

/// The request that the component needs before it can take over.
const SESSION: &str = "/v1/";

/// Whether the server's markup is still visible.
const IS_SERVERS: &str = "return document.querySelector('main > .tua') !== null";
/// The name and the value of the component's focused field.
const FOCUSED: &str = "const field = \
    document.querySelector('tua-checkout').shadowRoot.activeElement; return [field?.name, \
    field?.value]";
/// Records every frame without a visible form.
const WATCH: &str = "window.gaps = 0; const look = () => { \
    const tag = document.querySelector('tua-checkout'); \
    const forms = [...document.querySelectorAll('form'), \
    ...(tag.shadowRoot?.querySelectorAll('form') ?? [])]; if (!forms.some((form) => \
    form.checkVisibility())) window.gaps += 1; requestAnimationFrame(look); }; look()";

#[tokio::test(flavor = "multi_thread")]
async fn input_and_focus_are_kept_when_the_component_takes_over() {
    journey("taking over a form", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("10").await?;
        browser.allow_origin(service.origin());
        browser.hold(SESSION);
        browser.open(&order.url).await?;
        browser.run(WATCH, vec![]).await?;
        let checkout = Checkout::on(&browser);
        checkout.choose_network("Telecel").await?;
        checkout.type_number("0241234567").await?;
        assert_eq!(
            browser.run(IS_SERVERS, vec![]).await?,
            json!(true),
            "typed before the component was there"
        );
        browser.release();
        checkout.has_taken_over().await?;
        assert_eq!(browser.run(FOCUSED, vec![]).await?, json!(["phoneNumber", "0241234567"]));
        assert!(checkout.has_chosen("Telecel").await?, "the payer's choice stays the payer's");
        assert_eq!(
            browser.run("return window.gaps", vec![]).await?,
            json!(0),
            "there was always a form to see"
        );
        checkout.choose_network("MTN").await?;
        checkout.pay().await?;
        checkout.is_paid().await?;
        assert_eq!(browser.count("button", "Print receipt").await?, 1);
        Ok(service)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partly_typed_code_is_kept_when_the_component_takes_over() {
    journey("taking over a code", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("10").await?;
        browser.allow_origin(service.origin());
        browser.open(&order.url).await?;
        let checkout = Checkout::on(&browser);
        checkout.has_taken_over().await?;
        checkout.type_number("0201234567").await?;
        checkout.pay().await?;
        checkout.asks_for_a_voucher().await?;
        browser.hold(SESSION);
        browser.reload().await?;
        let field = browser.role("textbox", "Voucher code").await?;
        field.send_keys("123").await?;
        assert_eq!(
            browser.run(IS_SERVERS, vec![]).await?,
            json!(true),
            "typed before the component was there"
        );
        browser.release();
        checkout.has_taken_over().await?;
        assert_eq!(browser.run(FOCUSED, vec![]).await?, json!(["otp", "123"]));
        checkout.enter_voucher("123456").await?;
        checkout.is_paid().await?;
        Ok(service)
    })
    .await;
}
