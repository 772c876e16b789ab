//! Nothing on the hosted page moves when the component takes it over.

use serde_json::json;
use std::time::Duration;
use tua_e2e::journey;
use tua_e2e::pages::Checkout;
use tua_harness::TestService;

/// Long enough to be on the server's page while the component is still on its way.
const SLOW: Duration = Duration::from_secs(3);
/// Adds up how far things move that nobody moved, from the first paint on (Layout Instability, Chromium's alone).
const MEASURE: &str = "window.moved = []; new PerformanceObserver((list) => \
    window.moved.push(...list.getEntries().map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true })";
/// What has moved by the time that two more frames were drawn.
const MOVED: &str = "return new Promise((resolve) => \
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(window.moved)))))";

#[tokio::test(flavor = "multi_thread")]
async fn nothing_moves_under_a_payers_finger_while_the_component_takes_over() {
    journey("taking over without a shift", |browser| async move {
        let service = TestService::start().await?;
        let order = service.open_checkout("1234.50").await?;
        browser.allow_origin(service.origin()).await;
        browser.slow_down(SLOW).await?;
        browser.open(&order.url).await?;
        browser.run(MEASURE, vec![]).await?;
        let checkout = Checkout::on(&browser);
        checkout.type_number("024").await?;
        checkout.has_taken_over().await?;
        assert_eq!(browser.run(MOVED, vec![]).await?, json!([]), "each value is a part of the screen that moved");
        Ok(service)
    })
    .await;
}
