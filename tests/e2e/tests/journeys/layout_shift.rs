//! The layout of the hosted page does not shift when the component takes over.

use tua_e2e::pages::Checkout;
use tua_e2e::{TestService, journey};

/// The request that the component needs before it can take over.
const SESSION: &str = "/v1/";

/// The position of every field and button, in the server's form or in the component's.
const PLACES: &str = "const form = document.querySelector('main > .tua form') \
    ?? document.querySelector('tua-checkout').shadowRoot.querySelector('form'); \
    return [...form.querySelectorAll('input, button, label')].map((part) => { \
    const { x, y, width, height } = part.getBoundingClientRect(); return [part.localName, x, y, \
    width, height] })";

#[tokio::test(flavor = "multi_thread")]
async fn the_layout_does_not_shift_while_the_component_takes_over() {
    journey("taking over without a shift", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("1234.50").await?;
        browser.allow_origin(service.origin());
        browser.hold(SESSION);
        browser.open(&order.url).await?;
        let checkout = Checkout::on(&browser);
        checkout.type_number("024").await?;
        let before = browser.run(PLACES, vec![]).await?;
        browser.release();
        checkout.has_taken_over().await?;
        assert!(before.as_array().is_some_and(|parts| parts.len() > 5), "{before}");
        assert_eq!(browser.run(PLACES, vec![]).await?, before);
        Ok(service)
    })
    .await;
}
