//! The browser's witness can fail: otherwise the other journeys prove nothing.

use tua_e2e::journey;
use tua_e2e::merchant::Merchant;

const ELSEWHERE: &str = "http://127.0.0.1:9";

async fn page(script: &'static str) {
    journey("watchfulness", move |browser| async move {
        let merchant = Merchant::with_page("http://localhost:9", "<main>Hello</main>", script).await?;
        browser.expect_on_console("/sdk/tua-checkout.js").await;
        browser.allow_origin("http://localhost:9").await;
        browser.allow_origin(merchant.origin()).await;
        browser.open(merchant.origin()).await?;
        browser.says("Hello").await?;
        Ok(merchant)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_page_passes() {
    page("").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "on the console")]
async fn an_error_on_the_console_fails_a_journey() {
    page("console.error('broken')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "Content Security Policy")]
async fn a_refusal_by_the_security_policy_fails_a_journey() {
    page("document.body.setAttribute('style', 'color: red')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "a request to a foreign origin")]
async fn a_request_to_a_foreign_origin_fails_a_journey() {
    journey("watchfulness", |browser| async move {
        browser.expect_on_console("ERR_").await;
        browser.open(ELSEWHERE).await.or(Ok(()))
    })
    .await;
}
